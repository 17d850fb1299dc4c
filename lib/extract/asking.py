"""What a person asks to keep: "remember …", and the ways to say it that only call for attention."""

from __future__ import annotations

import re
from collections.abc import Callable

from lib.extract import cues, tools
from lib.extract.statement import FIRM, STRONG, WEAK, Statement, plain, points_back

_LATER = (
    r"(?:(?:the |your )?(?:future (?:sessions?|reference|work|projects?)|future|next time|later|next sessions?"
    r"|all (?:future )?(?:sessions?|projects?)))"
)
_ASKED = re.compile(
    r"^(?P<weak>(?:just|always|but|simply) )?(?:(?:can|could|would|will) you (?:please |kindly )?|you (?:should|must"
    r"|need to) |i want you to |i'd like you to |let's )?(?:please )?"
    rf"(?:(?:remember|memori[sz]e|keep in mind|note|bear in mind)(?: this| that)?,? (?:for|in) {_LATER}(?= ?[:,–—-]"
    rf"| that\b| to\b)"
    r"|(?:save|add|store|put|commit|write) (?:this |that |it |the following )?(?:to|in|into) (?:your |the )?memory"
    r"|(?:keep|save|store) this in mind"
    r"|remember|memori[sz]e|do not forget|don't forget|never forget|keep in mind|bear in mind|make a (?:mental )?note"
    r"|take (?:a )?note|note to self"
    rf"|for (?:the record|{_LATER})|note)"
    r"(?P<link>[ ,]*(?:this|the following|forever)?\s*[:,–—-]+\s*|,? that(?= (?!one\b|thing\b|\w+ thing\b))\s+"
    r"|\s+)(?P<core>.+)$",
    re.S,
)
_ATTENTION = re.compile(
    r"^(?:please )?(?:do not forget|don't forget|note|keep in mind|bear in mind|take (?:a )?note)\b(?!,? (?:for"
    r"|in) (?:the )?(?:future|next))"
)
_CONTENT = re.compile(
    r"(?:that|i|i'm|we|we're|my|our|always|never|don't|do not|this (?:repo|project|codebase|team)|the .{2,60}? (?:is"
    r"|are|has|have|was|starts?|ends?|must|should)"
    r"|[a-z][\w-]{1,20}(?:'s)? .{0,40}?(?:is|are|owns|has|uses?)|to|not to|from|when|before|after|use|for|in|all|no"
    r"|every)\b"
)
_BACK = re.compile(
    r"^(?:please )?(?:(?:remember|memori[sz]e|note|save|store|keep) (?:this|that|it|these|all (?:this|that|of this)"
    r"|those)|keep (?:this|that|it|these) in mind"
    r"|(?:add|save|store|put|commit) (?:this|that|it|these) (?:to|in|into) (?:your |the )?memory|don't forget (?:this"
    r"|that|it))"
    rf"(?: please| for {_LATER}| for me| in (?:the )?future| going forward| from now on| in mind| forever| (?:too"
    rf"|always))*[.!]*$"
)
_RULE_START = frozenset("to don't do no never always only when before after be".split())
# A list that the person announces as theirs: what follows are rules, even in bare words.
_ANNOUNCED = re.compile(
    r"^(?:(?:a few|some|a couple of|here are|these are|my|our|two|three|more) )+(?:more |of my |of our |general "
    r"|personal |coding |ground |house |working )*"
    r"(?:things about how i (?:like to )?work|preferences|rules|house rules|conventions|ground rules"
    r"|working agreements)\b(?! (?:for|of|in) (?:this|the)\b)(?P<tail>[^:]{0,60}:\s*(?P<core>.{8,}))?",
    re.S,
)


def _kind(low: str) -> str:
    """The memory type of a statement that is kept because the person asked, by its first words."""
    first = low.split(" ", 1)[0]
    if re.match(r"(?:i|my|i'm|i've)\b", low):
        return "user"
    if first in cues.HABITS or first in cues.UNCERTAIN or first in _RULE_START:
        return "feedback"
    return "reference" if "http://" in low or "https://" in low or re.search(cues.EXTERNAL, low) else "project"


def _kept(core: str, read: Callable[[str], Statement | None], weak: bool, to_do: bool, firm: bool) -> Statement | None:
    """Its own kind when it has one; "remember to …" only as a habit, never as a reminder for this task; attention
    alone keeps nothing else."""
    low = core.lower()
    if len(core) < 6 or points_back(low):
        return None
    known = read(core)
    if known:
        weight = max(known.weight, FIRM) if weak else STRONG
        return Statement(known.type, known.kind, known.core, weight, not weak)
    if to_do:
        habit = low.split(" ", 1)[0] in cues.HABITS and (
            tools.workshop(low) or cues.SCOPE.search(low) or cues.ASSISTANT.search(low)
        )
        return Statement("feedback", "habit", core, WEAK if weak else FIRM, not weak) if habit else None
    if weak or len(low.split()) < 3:
        return None
    return Statement(_kind(low), "asked", core, FIRM if firm else WEAK, True)


def explicit(core: str, read: Callable[[str], Statement | None]) -> Statement | None:
    """The statement that a plain sentence asks to remember, or None; `read` judges what is to be remembered by
    itself. Req: B9."""
    low = core.lower()
    announced = _ANNOUNCED.match(low)
    if announced and announced["core"]:
        inner = plain(core[announced.start("core") :])
        return Statement("feedback", "announced", inner, STRONG, True)
    found = _ASKED.match(low)
    if not found:
        return None
    link = found["link"].strip()
    inner = plain(core[found.start("core") :])
    # "Remember, …" and "just remember …" call attention to something; they do not ask to keep it.
    weak = bool(_ATTENTION.match(low) or found["weak"] or (link == "," and "remember," in low[:60]))
    start = inner.lower()
    to_do = start.startswith(("to ", "not to ")) and ":" not in link
    if to_do:
        inner = inner[3:] if start.startswith("to ") else f"Don't {inner[7:]}"
    elif not link and not _CONTENT.match(start):
        return None
    if re.match(r"(?:the|this|a|an) \S+(?: \S+){0,3}$", start):
        return None
    return _kept(inner, read, weak, to_do, link.endswith(":"))


def announces(core: str) -> bool:
    """True when a sentence says that the person's own rules follow."""
    return bool(_ANNOUNCED.match(core.lower()))


def announced_rule(core: str) -> Statement | None:
    """A sentence that follows the announcement of the person's own rules, when it reads as one of them."""
    low = core.lower()
    first = low.split(" ", 1)[0]
    if (first in cues.HABITS or first in cues.UNCERTAIN or first in _RULE_START) and len(low.split()) >= 3:
        return Statement("feedback", "announced", core, STRONG, True)
    return None


def back_reference(core: str) -> bool:
    """True for "remember that" and the like, which speak of the sentence before."""
    return bool(_BACK.match(core.lower()))
