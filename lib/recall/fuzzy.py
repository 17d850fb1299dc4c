"""One slip of the keyboard: a word that no memory holds may be meant for one that some memory is about. Req: C1."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SHORTEST = 5  # letters; below that one edit makes another word, unless a doubled letter was typed once


def nearest(word: str, candidates: Iterable[str]) -> str:
    """The candidate within one edit (a letter missing, extra or wrong, two swapped) with the same first two, or ""."""
    close = sorted(
        other
        for other in candidates
        if abs(len(other) - len(word)) <= 1
        and len(other) >= SHORTEST - 1
        and one_edit(word, other)
        and (len(word) >= SHORTEST or _undoubled(other) == word)
    )
    return close[0] if close else ""


def _undoubled(word: str) -> str:
    return "".join(letter for place, letter in enumerate(word) if place == 0 or letter != word[place - 1])


def one_edit(left: str, right: str) -> bool:
    """Whether one insertion, deletion, substitution or swap turns one into the other; false when they are equal."""
    if left == right or left[:2] != right[:2]:
        return False
    if len(left) > len(right):
        left, right = right, left
    start = 0
    while start < len(left) and left[start] == right[start]:
        start += 1
    if len(left) < len(right):
        return left[start:] == right[start + 1 :]
    if left[start + 1 :] == right[start + 1 :]:
        return True
    return left[start + 2 :] == right[start + 2 :] and left[start : start + 2] == right[start : start + 2][::-1]
