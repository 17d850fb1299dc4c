"""What kind of text a prompt is: a short remark, a long order, a specification, or talk between people."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lib.extract.sentences import Prose

LONG_PROMPT = 1_500
HUGE_PROMPT = 5_000
# What people say to people and nobody says to a tool counts double.
_TALK_STRONG = re.compile(
    r"\b(mentor\w*|reach out|settling in|nice to (?:meet|see you)|great to (?:hear|see|meet|finally)|glad to (?:hear"
    r"|see)|good to (?:hear|see)|pleasure|touch base|first day|welcome (?:aboard|to the)"
    r"|how are you|how's it going|how have you|take care|have a (?:great|good|wonderful|nice)|you're (?:very "
    r"|most )?welcome|onboarding|colleagues?|happy to (?:hear|help)|i'm glad"
    r"|your (?:role|growth|career|development|progress|questions|colleagues|skills)|as you (?:progress|continue"
    r"|settle)|i've noticed|what i'm here for|that's the spirit|don't hesitate|open door|my door|keep up the"
    r"|as a team|hesitate to"
    r"|for the team|team dynamics|your next (?:meeting|sync)|we'll (?:sync|meet|touch)|junior|engineers)\b",
    re.I,
)
_TALK_WEAK = re.compile(
    r"\b(feel free|good (?:morning|afternoon|evening)|absolutely|sounds (?:great|good)|excellent|wonderful|fantastic"
    r"|exactly|precisely|as you know|our (?:team|company|last|previous|clients|projects|codebases?)"
    r"|i want to (?:emphasi[sz]e|discuss|talk|touch)|i wanted to|consistency is key"
    r"|crucial|essential|team members?|in the long run|good question|great question|catch up|of course"
    r"|code readability|best practices|mindset|that's a great|i appreciate|coding (?:standards?|practices?"
    r"|instructions)|let's get back|that covers)\b",
    re.I,
)
_NAMED = re.compile(
    r"^(?:(?:hey|hi|hello|well|now|so|good|thanks|yes|no)[ ,]+)?[A-Z][a-z]{2,14}(?:-[A-Z][a-z]+)?, (?:i|i'd|i'm|as"
    r"|now|from|going|let's|let me|we|it's|how|what|have|that's|you|before|today|moving|after|can|could|do)\b"
    r"|, [A-Z][a-z]{2,14}(?:-[A-Z][a-z]+)?[.!]$"
)
_NOT_NAMES = re.compile(
    r"^(?:Also|Now|Okay|Please|Then|Next|First|Second|Finally|Yes|Sure|Great|Good|Well|Actually|Lastly|However"
    r"|Instead|Remember|Additionally|Claude|Currently|Sorry|Thanks|Otherwise|Basically|Hey|Perfect|Right|Today"
    r"|Yesterday|Tomorrow|Cool|Nice|Hmm)\b"
)
_AGENT = re.compile(
    r"(?:^|[:\"“] ?)you are (?:an?|the) (?:[\w-]+ ){0,4}(?:assistant|agent|expert|engineer|developer|reviewer"
    r"|architect|specialist"
    r"|analyst|bot|model|ai)\b",
    re.I,
)
TALK_SCORE = 5
TALK_SHARE = 0.2
# Turns under names say half of it already.
DIALOGUE_SCORE = 2
_SPECIFICATION = re.compile(
    r"^(?:you are (?:an?|the) |your (?:task|job|role|goal|mission) is|base directory for this skill"
    r"|implement the following plan|# |## |role:|context:|objective:|act as |this session is being continued|<)",
    re.I,
)


def talk(texts: Sequence[Prose]) -> bool:
    """True when the texts are people talking to each other: greetings and thanks that no one gives a tool."""
    strong: set[str] = set()
    weak: set[str] = set()
    named = marked = count = 0
    for text in texts:
        for sentence in text.sentences[:120]:
            firm = {found.lower() for found in _TALK_STRONG.findall(sentence.text)}
            loose = {found.lower() for found in _TALK_WEAK.findall(sentence.text)}
            name = bool(_NAMED.search(sentence.text)) and not _NOT_NAMES.match(sentence.text)
            strong |= firm
            weak |= loose
            named += name
            count += 1
            marked += bool(firm or loose or name)
    score = 2 * len(strong) + len(weak) + 2 * min(named, 2)
    # Many prompts of one session hold some of these words by chance; people who talk use them all the time.
    if any(text.dialogue for text in texts):
        return score >= DIALOGUE_SCORE
    return score >= TALK_SCORE and bool(strong or named) and marked >= TALK_SHARE * count


def of(text: Prose) -> str:
    """"specification" (structured or addressed to an agent: nothing in it is a statement to keep), "long" or
    "remark"."""
    first = text.sentences[0].text if text.sentences else ""
    if not text.dialogue and (
        _SPECIFICATION.match(first)
        or any(_AGENT.search(s.text) for s in text.sentences)
        or text.headings >= 2
        or text.bullets >= 8
        or len(text.sentences) > 60
        or text.characters > HUGE_PROMPT
    ):
        return "specification"
    return "long" if text.characters > LONG_PROMPT and not text.dialogue else "remark"
