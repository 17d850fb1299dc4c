"""What of a consolidation's outcome is refused, because a person could not trust it. Pure. Req: J1, G3."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lib.dream import likeness
from lib.memory import frontmatter
from lib.memory.store import Memory
from lib.model.writing import PLACEHOLDER

FEWEST = 3  # memories that may be dropped however few there are
HALF = 0.5  # of a memory's words; a change that keeps less has dropped it
_SHORT = 8  # words; a shorter memory may well be put in half as many


@dataclass(frozen=True)
class Verdict:
    """`dropped` memories are gone or cut with words that stand nowhere else; `refusal` is a sentence or ""."""

    dropped: tuple[str, ...]
    refusal: str


def judge(
    before: Mapping[str, str], now: Mapping[str, str | None], share: int, *, force: bool = False, most: int = FEWEST
) -> Verdict:
    """Judge an outcome as a whole; `share` is the per cent of the memories that may be dropped, `most` at least that.

    `force` lets everything pass but placeholders, which stand for text that would be lost.
    """
    for file, text in now.items():
        if text is not None and text != before.get(file) and _lazy(text, before):
            return Verdict((), f"{file} would hold a placeholder instead of its text")
    dropped = tuple(_dropped(before, now))
    if force or not dropped:
        return Verdict(dropped, "")
    for file in dropped:
        text = now.get(file)
        if text is not None and not _words(text):
            return Verdict(dropped, f"{file} would be emptied")
    allowed = max(most, len(before) * share // 100)
    left = sum(text is not None for text in now.values())
    if len(dropped) > allowed or not left:
        named = ", ".join(dropped[:5]) + (" …" if len(dropped) > 5 else "")
        limit = f"at most {allowed} may be" if left else "nothing would be left"
        return Verdict(dropped, f"{len(dropped)} of {len(before)} memories would be dropped ({limit}): {named}")
    return Verdict(dropped, "")


def _lazy(text: str, before: Mapping[str, str]) -> bool:
    """Whether a text holds a placeholder that no memory held before."""
    found = PLACEHOLDER.search(text)
    return found is not None and not any(found[0] in other for other in before.values())


def _dropped(before: Mapping[str, str], now: Mapping[str, str | None]) -> Iterable[str]:
    changed = {file for file, text in before.items() if now.get(file, text) != text}
    if not changed:
        return
    left = "\n".join(likeness.plain(line) for text in now.values() if text is not None for line in _lines(text))
    held = f"\n{left}\n"
    for file in sorted(changed):
        lost = [line for line in _lines(before[file]) if likeness.plain(line) not in held]
        text = now[file]
        if text is None and lost:
            yield file
        elif text is not None and lost:
            words, kept = _words(before[file]), _words(text)
            if not kept or (len(words) >= _SHORT and len(kept) < HALF * len(words) and _share_lost(lost, words) > HALF):
                yield file


def _share_lost(lost: list[str], words: list[str]) -> float:
    return sum(len(likeness.plain(line).split()) for line in lost) / max(1, len(words))


def _lines(text: str) -> list[str]:
    """What a memory says, line by line: its statement and its body."""
    memory = Memory("x.md", text, 0.0)
    return [line for line in (memory.description, *memory.body.split("\n")) if likeness.plain(line)]


def _words(text: str) -> list[str]:
    """The words of a body; a memory without frontmatter is all body."""
    return likeness.plain(frontmatter.split(text)[1]).split()
