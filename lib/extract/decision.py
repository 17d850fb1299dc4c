"""A new statement against what is already remembered: skip, update or create."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from lib.extract import cues, wording


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
    """SKIP (already said), UPDATE (`file` says something else about the same subject) or CREATE, with the reason in words."""

    action: str
    file: str
    reason: str


@dataclass(frozen=True)
class Sense:
    """A statement reduced for comparison: content stems, values (dates, numbers, quoted strings), tools by job that are wanted, and whether it forbids."""

    stems: frozenset[str]
    values: frozenset[str]
    wanted: frozenset[str]
    negative: bool
    habit: bool


# Opens the line that keeps a former statement below the one that replaced it.
EARLIER = "Earlier, until "
_SAME = {
    "db": "database", "databases": "database", "repo": "repository", "dont": "not", "never": "not", "avoid": "not", "stop": "not", "no": "not",
    "prs": "pr", "pull-request": "pr", "docs": "documentation", "deps": "dependency", "dependencies": "dependency", "prod": "production",
    "replies": "answer", "responses": "answer", "response": "answer", "reply": "answer", "responding": "answer", "respond": "answer", "brief": "concise", "short": "concise", "terse": "concise",
    "utilize": "use", "mocks": "mock", "fake": "mock", "frozen": "freeze", "hates": "dislike", "hate": "dislike", "dislikes": "dislike", "likes": "prefer", "prefers": "prefer", "like": "prefer",
    "required": "must", "require": "must", "begin": "start", "forbidden": "not", "prohibited": "not", "finish": "end",
}
_EMPTY = frozenset(
    "a an the always please here in on at of to for this that our my your we i you it is are be and or with as by any all every should must will do does "
    "user users user's they them from now going forward who has have been was were s repository project codebase when not use only just very really also if then than so because since make "
    "sure keep need want can".split()
)
_NEGATION = re.compile(r"\b(?:never|not|no|don't|dont|do not|doesn't|avoid|stop|without|forbidden|prohibited|hates?|dislikes?|can't stand)\b|不要|别|禁止|\bnie\b|\bniemals\b|\bkein\w*|\bjamais\b|\bnunca\b|しない|ないで")
_HABIT = re.compile(r"\b(?:always|never|use|uses|using|don't|stop|prefer|prefers|must|should|from now on|avoid)\b")
_DATE = re.compile(r"\b20\d\d-\d\d(?:-\d\d)?\b|\bthe week of \b|\bq[1-4] 20\d\d\b")
_VALUE = re.compile(r"'[^']{1,40}'|\"[^\"]{1,40}\"|`[^`]{1,40}`|\b\d+(?:[.,]\d+)?%?|https?://\S+|#[a-z][\w-]+")


def _stem(word: str) -> str:
    word = _SAME.get(word, word)
    for ending in ("ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4 and not word.endswith("ss"):
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word.rstrip("e") if len(word) > 5 else word


def _grams(text: str) -> set[str]:
    """Pairs of neighbouring letters of scripts without spaces."""
    runs = re.findall(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,200}", text)
    return {run[i : i + 2] for run in runs for i in range(len(run) - 1)}


def _wanted(low: str) -> frozenset[str]:
    """Tools a statement asks for: those it names outside its "not X", "instead of X" and reasons."""
    text = re.split(r"\bbecause\b|\bsince\b|\botherwise\b|, (?=[\w-]+ (?:\w+s|is|are|has) )", low, maxsplit=1)[0]
    text = re.sub(r"\b(?:not|never|no|instead of|rather than|over|don't use|stop using|from)\s+(?:use |using )?[\w./-]+(?:(?: or |/|, )[\w./-]+)?", " ", text)
    return frozenset(cues.tools(text))


def sense(text: str) -> Sense:
    """`text` reduced to what counts when two statements are compared."""
    low = unicodedata.normalize("NFKC", text).lower().replace("’", "'")[:2_000]
    dates = set(_DATE.findall(low))
    rest = _DATE.sub(" ", low)
    values = {v.strip("'\"`") for v in _VALUE.findall(rest)} | dates
    words = re.findall(r"[^\W_][\w+#.'-]*", rest, re.UNICODE)
    stems = {_stem(w.strip(".'-").replace("'", "")) for w in words if w.strip(".'-") not in _EMPTY}
    return Sense(
        frozenset({s for s in stems if s and s not in _EMPTY and s not in values} | _grams(low)),
        frozenset(values), _wanted(low), bool(_NEGATION.search(low.split(",")[0])), bool(_HABIT.search(low)),
    )


def _share(part: frozenset[str], whole: frozenset[str]) -> float:
    return len(part & whole) / len(part) if part else 0.0


def _likeness(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b) if a | b else 0.0


def _rival_tool(new: Sense, old: Sense) -> str:
    """The job for which both name exactly one wanted tool, and not the same one."""
    for tool in sorted(new.wanted):
        job = cues.JOB_OF[tool]
        mine = {t for t in new.wanted if cues.JOB_OF[t] == job}
        theirs = {t for t in old.wanted if cues.JOB_OF[t] == job}
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
    return _share(new.stems, old.stems) >= 0.8 or (_share(new.stems, whole.stems) >= 0.8 and _likeness(new.stems, old.stems) >= 0.4)


def _changed(candidate: New, memory: Known, new: Sense, old: Sense) -> str:
    """Why the new statement changes the old one, or ""."""
    if candidate.type != memory.type and not ({candidate.type, memory.type} <= {"user", "feedback"}):
        return ""
    job = _rival_tool(new, old)
    extra = len((new.stems | old.stems) - frozenset(cues.JOB_OF) - frozenset(_stem(t) for t in cues.JOB_OF))
    if job and new.habit and old.habit and (extra <= 4 or _likeness(new.stems, old.stems) >= 0.3):
        return f"another tool for {job}"
    alike = _likeness(new.stems, old.stems)
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
    """SKIP when a memory already says it, UPDATE when one says something else about the same subject, else CREATE; unrelated memories are never
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
            score = _likeness(new.stems, old.stems)
            if best is None or score > best[0]:
                best = (score, Decision("UPDATE", memory.file, reason))
    return best[1] if best else Decision("CREATE", "", "nothing remembered on this subject")


def merge(candidate: New, memory: Known, today: datetime.date) -> tuple[str, str]:
    """(description, body) after an UPDATE: the new statement is the fact, the former one and all its lines stay below it, dated. Req: A6, B5."""
    former = " ".join(_statement_of(memory).split())
    present, earlier, history = memory.body.partition(f"\n{EARLIER}")
    told = [
        line.rstrip()
        for line in present.strip().split("\n")
        if line.strip() and " ".join(line.split()).rstrip(".").lower() != former.rstrip(".").lower() and line.strip() != "**Why:** not stated."
    ]
    below = [f"{EARLIER}{today.isoformat()}: {former.rstrip('.')}.", *(f"  {line}" for line in told)]
    if earlier:
        below.append(f"{EARLIER}{history.rstrip()}")
    return wording.description(candidate.description), candidate.body.rstrip("\n") + "\n\n" + "\n".join(below) + "\n"

