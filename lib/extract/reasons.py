"""Why a statement holds, in the person's own words or not at all."""

from __future__ import annotations

import re

from lib.extract import tools

_WHY = re.compile(
    r"(?:,|;|\s[–—-]|\.|:)?\s+(?:because|since|as otherwise|otherwise|or else|cause|bc|the reason(?: being)?(?: is)?"
    r"|reason:|due to|so that|weil|da sonst|sonst|denn|parce que|car|sinon|porque|ya que)\b[ :,]{0,3}(?P<why>.{4,})$"
    r"|(?:,|;|\s[–—-]{1,2}|:)\s+(?P<bare>(?:it|they|that|npm|yarn|pip|[\w`'./+-]+)(?:\s[\w`'./+-]+){0,4}?\s(?:\w+s"
    r"|\w+ed|is|are|has|have|had|got|broke|lost|was|were|will|can't|cannot|don't|doesn't|won't|can)\s.{3,})$"
    r"|[，,。]?(?:因为|因為)(?P<zh>.{2,})$|[、,]?(?P<ja>[^、。]{2,60})(?:ので|から)(?=[、。]|$)",
    re.I | re.S,
)
_NOT_REASON = re.compile(
    r"^(?:(?:we|i)(?! (?:got|had|were|was|lost|broke|hit|learned|once|already|can't|have)\b)|never|not|always|don't"
    r"|do not|use|and|or|but|even|only|please|ideally|unless|if|when|then|with|which"
    r"|including|especially|e\.g|i\.e|you|instead|rather|so|no|until|by)\b",
    re.I,
)
_SAYS_WHY = re.compile(r"^(?:because|otherwise|the reason(?: being)?(?: is)?(?: that)?|reason:)[ ,:]{0,3}", re.I)
# What is said of a tool or a habit when it is given up.
_DOES = re.compile(r"(?:corrupts?|breaks?|messes|causes?|hides?|slows?|ignores?|ruins?|fails?|is|has|can't|doesn't)\b")


def inside(text: str) -> str:
    """The reason within a statement, or "": never invented. Req: A1."""
    found = _WHY.search(text)
    if not found:
        return ""
    reason = next((g for g in (found["why"], found["bare"], found["zh"], found["ja"]) if g), "").strip(" .!,")
    too_early = len(text[: found.start()].split()) < 2
    return "" if found["bare"] and (_NOT_REASON.match(reason) or too_early) else reason


def after(sentence: str, statement: str) -> str:
    """The reason in the sentence after a statement, or "": it says so, or says what the rejected tool does. Req: A1."""
    said = _SAYS_WHY.match(sentence)
    if said:
        return sentence[said.end() :].strip(" .!,")
    first, _, rest = sentence.lower().partition(" ")
    rivals = {tools.JOB_OF[tool] for tool in tools.named(statement.lower())}
    about_it = first in ("it", "they", "that") or tools.JOB_OF.get(first) in rivals
    return sentence.strip(" .!,") if about_it and _DOES.match(rest) else ""
