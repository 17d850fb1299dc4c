"""What kind of text a prompt is: a short remark, a long order, a specification, or talk between people."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lib.extract.sentences import Prose

LONG_PROMPT = 1_500
_TALK = re.compile(
    r"\b(mentor\w*|reach out|settling in|nice to (?:meet|see)|great to (?:hear|see|meet|finally)|glad to (?:hear|see)|good to (?:hear|see)|pleasure|feel free|touch base|good (?:morning|afternoon|evening)|first day|welcome (?:aboard|to)"
    r"|how are you|how's it going|how have you|take care|have a (?:great|good|wonderful|nice)|catch up|you're (?:very |most )?welcome|absolutely|onboarding|colleagues?|happy to (?:hear|help)|i'm glad|sounds (?:great|good)|excellent|wonderful"
    r"|fantastic|your (?:role|growth|career|development|progress)|as you (?:know|progress|continue)|i've noticed|keep up|our (?:team|company|last|previous))\b",
    re.I,
)
_SPECIFICATION = re.compile(
    r"^(?:you are (?:an?|the) |your (?:task|job|role|goal|mission) is|base directory for this skill|implement the following plan|# |## |role:|context:|objective:|act as |this session is being continued|<)",
    re.I,
)


def talk(texts: Sequence[Prose]) -> bool:
    """True when the texts are people talking to each other: greetings and thanks no one gives a tool, or turns under names."""
    marks: set[str] = set()
    for text in texts:
        if text.dialogue:
            return True
        for sentence in text.sentences[:120]:
            marks.update(found.lower() for found in _TALK.findall(sentence.text))
            if len(marks) >= 4:
                return True
    return False


def of(text: Prose) -> str:
    """"specification" (structured or addressed to an agent: nothing in it is a statement to keep), "long" or "remark"."""
    first = text.sentences[0].text if text.sentences else ""
    if not text.dialogue and (_SPECIFICATION.match(first) or text.headings >= 2 or text.bullets >= 8 or len(text.sentences) > 60):
        return "specification"
    return "long" if text.characters > LONG_PROMPT and not text.dialogue else "remark"
