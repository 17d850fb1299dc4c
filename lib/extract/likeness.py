"""Two statements compared: what they are about, which values they give, what they ask for and what they forbid."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from lib.extract import tools


@dataclass(frozen=True)
class Sense:
    """A statement reduced for comparison: content stems, values (dates, numbers, quoted strings), tools that are
    wanted, the stems it forbids, and whether it is a rule for work."""

    stems: frozenset[str]
    values: frozenset[str]
    wanted: frozenset[str]
    forbidden: frozenset[str]
    habit: bool


# Words that say the same, under the one that stands for them.
_GROUPS = {
    "database": "db databases",
    "repository": "repo",
    "not": "dont never avoid stop no forbidden prohibited",
    "pr": "prs pull-request",
    "documentation": "docs",
    "dependency": "deps dependencies",
    "production": "prod",
    "answer": "replies responses response reply responding respond",
    "concise": "brief short terse",
    "use": "utilize",
    "mock": "mocks fake",
    "freeze": "frozen",
    "dislike": "hates hate dislikes",
    "prefer": "likes prefers like",
    "must": "required require",
    "start": "begin",
    "end": "finish",
}
_SAME = {word: chief for chief, words in _GROUPS.items() for word in words.split()}
_EMPTY = frozenset(
    "a an the always please here in on at of to for this that our my your we i you it is are be and or with as by "
    "any all every should must will do does "
    "user users user's they them from now going forward who has have been was were s repository project codebase "
    "instead rather when not use uses using until till only just very really also if then than so because since make "
    "sure keep need want can".split()
)
_NEGATION = re.compile(
    r"\b(?:never|not|no|don't|dont|do not|doesn't|avoid|stop|without|hates?|dislikes?|can't stand|instead of"
    r"|rather than|nie|niemals|kein\w*|jamais|nunca)\b(?P<what>[^,;.]{2,60})"
    r"|(?:不要|别|禁止)(?:使用|用)?(?P<cjk>.{2,6})"
)
_HABIT = re.compile(
    r"\b(?:always|never|use|uses|using|don't|stop|prefer|prefers|must|should|from now on|avoid|switched|moved"
    r"|migrated|changed)\b"
)
_DATE = re.compile(r"\b20\d\d-\d\d(?:-\d\d)?\b|\bthe week of \b|\bq[1-4] 20\d\d\b")
_LINK = re.compile(r"https?://\S+")
_VALUE = re.compile(r"'[^']{1,40}'|\"[^\"]{1,40}\"|`[^`]{1,40}`|\b\d+(?:[.,]\d+)?%?|https?://\S+|#[a-z][\w-]+")


def _stem(word: str) -> str:
    word = _SAME.get(word, word)
    for ending in ("ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word.rstrip("e") if len(word) > 5 else word


# A stem of each tool, which the likeness of two statements about rival tools leaves out.
TOOL_STEMS = frozenset(_stem(word) for word in (*tools.JOB_OF, *tools.CHOICE_OF))
# Stems that say that something changes, not what it is about.
CHANGES = frozenset(
    "lift end extend cancel cancell postpon mov move delay over hold paus date switch migrat chang after".split()
)


def _grams(text: str) -> set[str]:
    """Pairs of neighbouring letters of scripts without spaces."""
    runs = re.findall(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,200}", text)
    return {run[i : i + 2] for run in runs for i in range(len(run) - 1)}


def _wanted(low: str) -> frozenset[str]:
    """Tools a statement asks for: those it names outside its "not X", "instead of X" and reasons."""
    text = re.split(r"\bbecause\b|\bsince\b|\botherwise\b|, (?=[\w-]+ (?:\w+s|is|are|has) )", low, maxsplit=1)[0]
    text = re.sub(
        r"\b(?:not|never|no|instead of|rather than|over|don't use|stop using|from)\s+(?:use "
        r"|using )?[\w./-]+(?:(?: or |/|, )[\w./-]+)?",
        " ",
        text,
    )
    rivals = (word for word in re.findall(r"[a-z-]+", text) if word in tools.CHOICE_OF and word not in tools.JOB_OF)
    return frozenset((*tools.named(text), *rivals))


def _stems(text: str) -> list[str]:
    words = re.findall(r"[^\W_][\w+#.'-]*", text)
    stems = (_stem(w.strip(".'-").replace("'", "")) for w in words if w.strip(".'-") not in _EMPTY)
    return [stem for stem in stems if stem and stem not in _EMPTY]


def _forbidden(low: str) -> frozenset[str]:
    """The first thing that each "never", "not", "no" of a statement is about."""
    found: set[str] = set()
    for negation in _NEGATION.finditer(low):
        found.update(_stems(negation["what"] or "")[:1])
        found |= _grams(negation["cjk"] or "")
    return frozenset(found)


def sense(text: str) -> Sense:
    """`text` reduced to what counts when two statements are compared."""
    low = unicodedata.normalize("NFKC", text).lower().replace("’", "'")[:2_000]
    dates = set(_DATE.findall(low))
    rest = _DATE.sub(" ", low)
    values = {v.strip("'\"`") for v in _VALUE.findall(rest)} | dates
    return Sense(
        frozenset({stem for stem in _stems(_LINK.sub(" ", rest)) if stem not in values} | _grams(low)),
        frozenset(values),
        _wanted(low),
        _forbidden(rest),
        bool(_HABIT.search(low)),
    )


def opposed(a: Sense, b: Sense) -> bool:
    """True when one statement forbids what the other asks for."""
    return bool((a.forbidden & (b.stems - b.forbidden)) or (b.forbidden & (a.stems - a.forbidden)))


def share(part: frozenset[str], whole: frozenset[str]) -> float:
    return len(part & whole) / len(part) if part else 0.0


def likeness(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b) if a | b else 0.0
