"""A prompt as a query: bounded, prose before pastes, sentence by sentence; and the prompts that need no memory at all.

Req: C1.
"""
from __future__ import annotations

import re

from lib.recall.terms import COMMON_WEIGHT, chunk_terms, chunks, fold, is_compound, stems, weight
from lib.recall.words import CHAT, FOREIGN, STOP

HEAD = 6_000  # characters of a prompt that are looked at from its start …
TAIL = 2_000  # … and from its end: people put the question before or after what they paste
MAX_TERMS = 64
MAX_PASTED_TERMS = 16
PASTED_WEIGHT = 0.35
PART_WEIGHT = 0.5

_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.S)
_TAGGED = re.compile(r"<([a-z][\w-]{2,40})>.{0,20000}?</\1>", re.S)
_SENTENCE = re.compile(r"(?<=[.?!;:])\s+|\n+|(?<=[。？！；])")
_CODE_LINE = re.compile(r"""[{};]\s*$|^\s*(?:at |File "|[+@-]{1,3} |\$ |>>> |#include|import |from \S+ import|def |class |return\b)|=>|\)\s*[{:]\s*$""")
_LOG_LINE = re.compile(r"^\s*(?:\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL)\b)")


class Query:
    """What a prompt asks for: `terms` (term to weight), `sentences` (lists of terms), `stems` (every word), `text` (folded prose)."""

    __slots__ = ("sentences", "stems", "terms", "text", "tools", "wholes")

    def __init__(self, text: str, tools: tuple[str, ...]) -> None:
        self.text = text
        self.tools = tools
        self.terms: dict[str, float] = {}
        self.wholes: set[str] = set()
        self.sentences: list[list[str]] = []
        self.stems: list[str] = []


def quiet(prompt: str) -> bool:
    """Whether a prompt needs no memory: nothing, small talk, a slash command, or up to three everyday words."""
    text = fold(prompt[:400]).strip()
    if len(prompt) > 400 and prompt[400:].strip():
        return False
    words = text.casefold().split()
    if not words or (text.startswith("/") and len(words) <= 3 and "/" not in text[1:]):
        return True
    bare = [word.strip(".,!?…:;()'\"。、！？👍🙏~") for word in words]
    if all(not word or word in CHAT or word in STOP or not any(map(str.isalnum, word)) for word in bare):
        return any(word in CHAT for word in bare) or len(words) <= 3
    return len(words) <= 3 and all(weight(term) <= COMMON_WEIGHT for chunk in chunks(text) for term in chunk_terms(chunk))


def query(prompt: str, tools: tuple[str, ...] = ()) -> Query:
    """The bounded query of a prompt: at most 64 terms, at most 16 of them from pasted code or logs."""
    if len(prompt) > HEAD + TAIL:
        prompt = f"{prompt[:HEAD]}\n{prompt[-TAIL:]}"
    prose, pasted = _split(fold(prompt))
    asked = Query(prose, tools)
    foreign = _foreign(prose)
    for sentence in _SENTENCE.split(prose):
        terms = _add(asked, sentence, 1.0, MAX_TERMS, foreign)
        if terms:
            asked.sentences.append(terms)
    room = min(MAX_TERMS, len(asked.terms) + MAX_PASTED_TERMS)
    _add(asked, pasted, PASTED_WEIGHT if asked.terms else 1.0, room, foreign)
    if not asked.sentences and asked.terms:
        asked.sentences.append(list(asked.terms))
    asked.stems = stems(prose or pasted)
    return asked


def _split(text: str) -> tuple[str, str]:
    """Prose and pasted part. Fences, tagged blocks, code and log lines are pasted: they mention much and ask nothing."""
    pasted: list[str] = []

    def take(found: re.Match[str]) -> str:
        pasted.append(found.group())
        return "\n"

    rest = _TAGGED.sub(take, _FENCE.sub(take, text))
    prose: list[str] = []
    for line in rest.split("\n"):
        paste = len(line) > 1_500 or _LOG_LINE.search(line[:200]) or (len(line) < 400 and _CODE_LINE.search(line))
        (pasted if paste else prose).append(line)
    return "\n".join(prose).strip(), "\n".join(pasted)


def _add(asked: Query, text: str, factor: float, room: int, foreign: bool) -> list[str]:
    seen: list[str] = []
    for chunk in chunks(text):
        if foreign and chunk.casefold() in FOREIGN:
            continue
        terms = chunk_terms(chunk)
        for place, term in enumerate(terms):
            if len(asked.terms) >= room and term not in asked.terms:
                return seen
            part = PART_WEIGHT if place and len(terms) > 1 and term.isascii() else 1.0
            asked.terms[term] = max(asked.terms.get(term, 0.0), weight(term) * factor * part)
            if is_compound(term):
                asked.wholes.add(term)
            if term not in seen:
                seen.append(term)
    return seen


def _foreign(text: str) -> bool:
    """Whether the prose is in another European language: several of its function words, and more of them than English ones."""
    words = [chunk.casefold() for chunk in chunks(text[:1_000])]
    theirs = sum(word in FOREIGN and word not in STOP for word in words)
    english = sum(word in STOP and word not in FOREIGN for word in words)
    return theirs >= 2 and theirs > english
