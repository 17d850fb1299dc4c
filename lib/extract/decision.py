"""A new statement against what is already remembered: skip, update or create."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from lib.extract import tools, wording
from lib.extract.likeness import TOOL_STEMS, Sense, likeness, sense, share


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


def _rival_tool(new: Sense, old: Sense) -> str:
    """The job for which both name exactly one wanted tool, and not the same one."""
    for tool in sorted(new.wanted):
        job = tools.JOB_OF[tool]
        mine = {t for t in new.wanted if tools.JOB_OF[t] == job}
        theirs = {t for t in old.wanted if tools.JOB_OF[t] == job}
        if len(mine) == len(theirs) == 1 and mine != theirs and job not in ("ui", "cloud", "database"):
            return job
    return ""


def _statement_of(memory: Known) -> str:
    return memory.description or memory.body.strip().split("\n", 1)[0]


def _already(new: Sense, old: Sense, whole: Sense) -> bool:
    """True when the old statement, or its body, says all that the new one says, with the same sign and values."""
    if new.negative != old.negative and not (new.wanted and new.wanted == old.wanted):
        return False
    if not new.values <= (old.values | whole.values) or not new.wanted <= (old.wanted | whole.wanted):
        return False
    if not new.stems:
        return bool(new.values) and new.values <= old.values
    return share(new.stems, old.stems) >= 0.8 or (
        share(new.stems, whole.stems) >= 0.8 and likeness(new.stems, old.stems) >= 0.4
    )


def _changed(candidate: New, memory: Known, new: Sense, old: Sense) -> str:
    """Why the new statement changes the old one, or ""."""
    if candidate.type != memory.type and not ({candidate.type, memory.type} <= {"user", "feedback"}):
        return ""
    job = _rival_tool(new, old)
    extra = len((new.stems | old.stems) - frozenset(tools.JOB_OF) - TOOL_STEMS)
    if job and new.habit and old.habit and (extra <= 4 or likeness(new.stems, old.stems) >= 0.3):
        return f"another tool for {job}"
    alike = likeness(new.stems, old.stems)
    if new.values != old.values and new.values and old.values and alike >= 0.5:
        return "the same statement with another value"
    if new.negative != old.negative and alike >= 0.6:
        return "the opposite of what was said"
    if candidate.name == memory.name and alike >= 0.4:
        return "the same subject, said differently"
    if alike >= 0.75:
        return "the same subject, said more exactly"
    return ""


def decide(candidate: New, memories: Iterable[Known]) -> Decision:
    """SKIP when a memory already says it, UPDATE when one says something else about the same subject, else CREATE;
    unrelated memories are never
    updated. Req: B5, A6."""
    new = sense(candidate.description)
    best: tuple[float, Decision] | None = None
    for memory in memories:
        text = _statement_of(memory)
        old = sense(text)
        # What stood before a change is history: it must not make the return to it look already said.
        present = memory.body.split(EARLIER, 1)[0]
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
