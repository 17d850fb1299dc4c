"""A new statement against what is already remembered: skip, update or create."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from lib.extract import tools, wording
from lib.extract.likeness import CHANGES, TOOL_STEMS, Sense, likeness, opposed, sense, share


class Known(Protocol):
    """What a decision reads of an existing memory."""

    @property
    def file(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def body(self) -> str: ...


class New(Protocol):
    """What a decision reads of a candidate."""

    @property
    def type(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def body(self) -> str: ...


@dataclass(frozen=True)
class Decision:
    """SKIP (already said), UPDATE (`file` says something else about the same subject) or CREATE, with the reason
    in words."""

    action: str
    file: str
    reason: str


# Opens the line that keeps a former statement below the one that replaced it.
EARLIER = "Earlier, until "
_DUTY = re.compile(
    r"(?P<who>.{2,40}?) (?:owns|leads|is responsible for|is in charge of|takes over"
    r"|takes care of) (?P<what>.{2,80}?)\.?$"
)
_MOVED = re.compile(r"\b(?:over|lifted|ended|extended|cancell?ed|postponed|moved|delayed|on hold|paused)\b")


def _rival_choice(new: Sense, old: Sense) -> str:
    """The choice of which both want exactly one, and not the same one."""
    for word in sorted(new.wanted & tools.CHOICE_OF.keys()):
        choice = tools.CHOICE_OF[word]
        mine = {w for w in new.wanted if tools.CHOICE_OF.get(w) == choice}
        theirs = {w for w in old.wanted if tools.CHOICE_OF.get(w) == choice}
        if len(mine) == len(theirs) == 1 and mine != theirs:
            return choice
    return ""


def _successor(new: str, old: str) -> bool:
    """True when both name who does a thing: the same thing, but another person."""
    mine, theirs = _DUTY.match(new), _DUTY.match(old)
    return bool(mine and theirs and mine["what"].lower() == theirs["what"].lower() and mine["who"] != theirs["who"])


def _statement_of(memory: Known) -> str:
    return memory.description or memory.body.strip().split("\n", 1)[0]


def _already(new: Sense, old: Sense, whole: Sense) -> bool:
    """True when the old statement, or its body, says all that the new one says, with the same sign and values."""
    if _rival_choice(new, old) or (opposed(new, old) and not (new.wanted and new.wanted == old.wanted)):
        return False
    if not new.values <= (old.values | whole.values) or not new.wanted <= (old.wanted | whole.wanted):
        return False
    if not new.stems:
        return bool(new.values) and new.values <= old.values
    # One word in another's place may be all that the statement is about: "I prefer X over anything else for Y".
    if _beyond(new.stems, whole.stems | old.stems) and _beyond(old.stems, new.stems):
        return False
    return share(new.stems, old.stems) >= 0.8 or (
        share(new.stems, whole.stems) >= 0.8 and likeness(new.stems, old.stems) >= 0.4
    )


def _beyond(stems: frozenset[str], others: frozenset[str]) -> bool:
    """Whether one of the stems stands for no other, not even in another form ("commit", "committ")."""
    return any(
        not any(stem.startswith(other) or other.startswith(stem) for other in others if min(len(stem), len(other)) > 3)
        for stem in stems - others
    )


def _changed(candidate: New, memory: Known, new: Sense, old: Sense) -> str:
    """Why the new statement changes the old one, or ""."""
    if candidate.type != memory.type and not ({candidate.type, memory.type} <= {"user", "feedback"}):
        return ""
    alike = likeness(new.stems, old.stems)
    choice = _rival_choice(new, old)
    if choice:
        rest, former = new.stems - TOOL_STEMS, old.stems - TOOL_STEMS
        rules = (new.habit and old.habit) or not (new.wanted & tools.JOB_OF.keys())
        # "pytest for the backend" and "vitest for the frontend" are two rules: each says where it holds.
        one_place = rest - CHANGES <= former or former <= rest
        if (rules and one_place) or (rest and likeness(rest, former) >= 0.5):
            return f"another choice: {choice}"
    if new.values != old.values and new.values and old.values and alike >= 0.5:
        return "the same statement with another value"
    if opposed(new, old) and alike >= 0.5:
        return "the opposite of what was said"
    if _successor(candidate.description, _statement_of(memory)):
        return "the same task, another person"
    if candidate.type == "project" and _MOVED.search(candidate.description) and new.stems - CHANGES <= old.stems:
        return "what was planned has changed"
    if candidate.name == memory.name and alike >= 0.4:
        return "the same subject, said differently"
    if alike >= 0.75:
        return "the same subject, said more exactly"
    return ""


def decide(candidate: New, memories: Iterable[Known]) -> Decision:
    """SKIP when a memory already says it, UPDATE when one says something else about the same subject, else CREATE;
    unrelated memories are never updated. Req: B5, A6."""
    new = sense(candidate.description)
    best: tuple[float, Decision] | None = None
    for memory in memories:
        text = _statement_of(memory)
        old = sense(text)
        # What stood before a change is history: it must not make the return to it look already said.
        present = memory.body.split(EARLIER, 1)[0].split("**How to apply:**", 1)[0]
        if _already(new, old, sense(f"{text}\n{present}")):
            return Decision("SKIP", memory.file, "already said")
        reason = _changed(candidate, memory, new, old)
        if reason:
            score = likeness(new.stems, old.stems)
            if best is None or score > best[0]:
                best = (score, Decision("UPDATE", memory.file, reason))
    return best[1] if best else Decision("CREATE", "", "nothing remembered on this subject")


def merge(candidate: New, memory: Known, today: datetime.date) -> tuple[str, str]:
    """(description, body) after an UPDATE: the new statement is the fact, the former one and all its lines stay
    below it, dated. Req: A6, B5."""
    former = " ".join(_statement_of(memory).split())
    present, earlier, history = memory.body.partition(f"\n{EARLIER}")
    told = [
        line.rstrip()
        for line in present.strip().split("\n")
        if line.strip()
        and " ".join(line.split()).rstrip(".").lower() != former.rstrip(".").lower()
        and line.strip() != "**Why:** not stated."
    ]
    below = [f"{EARLIER}{today.isoformat()}: {former.rstrip('.')}.", *(f"  {line}" for line in told)]
    if earlier:
        below.append(f"{EARLIER}{history.rstrip()}")
    return wording.description(candidate.description), candidate.body.rstrip("\n") + "\n\n" + "\n".join(below) + "\n"
