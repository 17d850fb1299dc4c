"""What one sentence states, and the reading of it that all judges share."""

from __future__ import annotations

import re
from dataclasses import dataclass

# How far a statement stands by itself: WEAK only when nothing else is said, FIRM also beside a short order, STRONG in
# any remark.
WEAK, FIRM, STRONG = 0, 1, 2

_LEAD = re.compile(
    r"^(?:(?:ok(?:ay)?|also|and|but|so|btw|by the way|please|pls|plz|hey|hi|hello|claude|note|fyi|one more thing"
    r"|another thing|a reminder"
    r"|reminder|important|first(?:ly)?|second(?:ly)?|third(?:ly)?|finally|lastly|additionally|yes|yeah|yep|right"
    r"|great|thanks|thank you|good"
    r"|perfect|well|then|actually|wait|oh|look|listen|again|rule|p\.?s\.?|in general|generally|as a rule|kindly"
    r"|looks good|cool|nice|done"
    r"|for the record|heads up|quick note|side note|sorry|guys|basically|anyway)(?:[ ,:.!;–—-]+|$)){1,4}"
)
_ASK = re.compile(
    r"^(?:just )?(?:i(?:'d| would)? (?:want|like|need|expect) you to|you (?:should|must|need to|have to|are to)"
    r"|(?:please )?(?:make sure|be sure|ensure)(?: that)? (?:you|to|we)|(?:could|can|would|will) you(?: please"
    r"| kindly)?"
    r"|it(?:'s| is) (?:important|essential|crucial)(?: that (?:you|we)| to| for you to)|let's|we (?:should|must"
    r"|need to|have to|want to)|please) (?=\S)"
)
_ANAPHORA = re.compile(
    r"^(?:(?:do|use|keep|make|run|add|have|show|put|include|check|say|remember|write|want|like|prefer|doing|using"
    r"|adding) )?"
    r"(?:it|that|this|them|those|these|so|one|the same|everything|something|anything|all of (?:it|them|that|this))"
    r"(?: (?:way|too|again|always|please|now|instead|everywhere|then))?[.!]*$"
)


@dataclass(frozen=True)
class Statement:
    """Memory `type`, `kind` of cue, `core` (the statement without its cue words), `weight` (WEAK, FIRM, STRONG),
    `explicit` when the person asked to keep it."""

    type: str
    kind: str
    core: str
    weight: int
    explicit: bool = False


def plain(sentence: str) -> str:
    """A sentence on one line, straight quotes, without the words that only lead in."""
    text = sentence.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"').replace("**", "")
    text = " ".join(text.split()).strip(" *_")
    found = _LEAD.match(text.lower())
    return text[found.end() :] if found and found.end() < len(text) else text


def asked(low: str) -> int:
    """Length of the words in a lower-case sentence that only ask ("I want you to", "please"), 0 without them."""
    found = _ASK.match(low)
    return found.end() if found else 0


def points_back(low: str) -> bool:
    """True when a lower-case phrase says nothing without what stood before it."""
    return bool(_ANAPHORA.match(low))
