"""Where the rules match in one text: literals first, then bounded patterns, then the judgement of each match."""

from __future__ import annotations

import re
from bisect import bisect_right

from lib.memory.secrets import entropy
from lib.memory.secrets.shapes import ANYWHERE, IN_NAME, IN_WORD
from lib.memory.secrets.text import FOREIGN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from lib.memory.secrets.shapes import Engine, Rule

    Span = tuple[int, int]

NEAR = 24  # characters before and after a match that its judgement may see
RE2_FROM = 32_768  # characters; below, importing another engine costs more than it saves
SHORTEST = 16  # characters; no token is shorter together with its prefix
BEFORE_NAME = 48  # characters; the longest vendor's name, and what may stand between it and "key"
MANY_NAMES = 500
SMALL = 4096  # characters; below, looking is cheaper than knowing the characters
FOLDED = -1
FEW = 64  # matches of one rule; another engine finds the first ones sooner, each further one costs it more
LONG = 200  # characters; a value that long may be longer than its pattern's bound
# A word for a secret, and behind it what assigns or says its value: whatever any rule accepts there, and more.
_NAMED = (
    r"(?:key|token|secret|pass|pat|auth|credential|pwd|pw|contrase|senha|kennwort|wachtwoord|bearer)"
    r"[a-z0-9_. \x7f-]{0,32}[\\\"'`)\]]{0,4}[ \t]{0,6}(?:[=>]|:(?!//)| (?:is|ist|es|est|was|to) )"
)
_RUN = "[A-Za-z0-9_+/=.~%-]*"


def found(
    shape: str, rules: Sequence[Rule], joints: Callable[[], Sequence[int]] = tuple
) -> Iterator[tuple[int, int, Rule]]:
    """Start, end and rule of each secret in ASCII text `shape`, rule by rule. Linear in its length.

    joints: gives the places, in order, where a token may begin or end although a letter touches it.
    """
    if not shape:
        return
    lowered = shape.lower()
    chosen = engine(len(shape))
    # Most literals fail on a character that a long text does not have at all.
    upper = set(shape) if len(shape) > SMALL else None
    lower = set("".join(upper).lower()) if upper is not None else None
    places = {
        ANYWHERE: (shape, upper),
        FOLDED: (lowered, lower),
        IN_WORD: ("\n".join([word for word in shape.replace(FOREIGN, " ").split() if len(word) >= SHORTEST]), upper),
        IN_NAME: (_names(lowered), lower),
    }
    for rule in rules:
        place = places[FOLDED if rule.fold and rule.where == ANYWHERE else rule.where]
        if rule.also in shape and _holds(*place, rule.literals):
            for start, end in _matches(rule, lowered if rule.fold else shape, shape, chosen, joints):
                yield start, end, rule


def _holds(place: str, characters: set[str] | None, literals: Sequence[str]) -> bool:
    for literal in literals:
        if (characters is None or characters.issuperset(literal)) and literal in place:
            return True
    return False


def _names(lowered: str) -> str:
    """The text before each assignment to a name that may be a vendor's; all text where there are very many."""
    names: list[str] = []
    last = 0
    for match in entropy.expression(_NAMED).finditer(lowered):
        if len(names) >= MANY_NAMES:
            return lowered
        start = max(last, match.start() - BEFORE_NAME)
        last = match.end()
        names.append(lowered[start:last])
    return "\n".join(names)


def engine(size: int) -> Engine:
    """google-re2 where it is installed and the text is long, else Python's own; both find the same."""
    if size >= RE2_FROM:
        import importlib

        try:
            other: Engine = importlib.import_module("re2")
        except ImportError:
            return re
        return other
    return re


def _matches(rule: Rule, text: str, shape: str, chosen: Engine, joints: Callable[[], Sequence[int]]) -> Iterator[Span]:
    # re2 counts bytes, which are characters here, and would encode a str anew for every search.
    search, subject = rule.compiled(chosen).search, text if chosen is re else text.encode("ascii")
    position = count = 0
    while (match := search(subject, position)) is not None:
        start = match.start()
        count += 1
        if count == FEW and chosen is not re:
            search, subject = rule.compiled(re).search, text
        position = start + 1
        begin = _beginning(rule, shape, start, joints)
        if begin < 0:
            continue
        first, last, end = _extent(rule, shape, match)
        if end < 0 or rule.alone and _touched(shape, last, joints):
            continue
        position = max(end, position)
        judged = first if rule.before is None and rule.extend is None else begin
        back, after = shape[max(0, begin - NEAR) : begin], shape[last : last + NEAR]
        if not rule.check(shape[judged:last], shape[start:judged], back, after):
            continue
        secret = (first, last) if rule.valued else (begin, last)
        if not entropy.documented(shape[secret[0] : secret[1]]):
            yield secret


def _extent(rule: Rule, shape: str, match: Any) -> tuple[int, int, int]:
    """Where the value begins and ends, and where the search goes on (-1: this is no match).

    A pattern has one group, or one for each kind of quote; the last that took part holds the value.
    """
    first, last = match.span(match.lastindex or 0)
    if rule.extend is not None:
        last = rule.extend(shape, match.end())
        return first, last, last
    if not rule.valued:
        last = match.end()
    if rule.open and last - first >= LONG:
        run = entropy.expression(_RUN).match(shape, last)
        last = run.end() if run else last
    return first, last, max(last, match.end())


def _beginning(rule: Rule, shape: str, start: int, joints: Callable[[], Sequence[int]]) -> int:
    """Where the secret begins, or -1 when what stands before it makes it part of something else."""
    if rule.before is not None:
        alphabet, least, most = rule.before
        before = shape[max(0, start - most) : start]
        size = len(before) - len(before.rstrip(alphabet))
        if size < least:
            return -1
        start -= size
    if rule.alone and start and shape[start].isalnum() and shape[start - 1].isalnum() and not _among(joints(), start):
        return -1
    return start


def _touched(shape: str, end: int, joints: Callable[[], Sequence[int]]) -> bool:
    return end < len(shape) and shape[end].isalnum() and not _among(joints(), end)


def _among(places: Sequence[int], place: int) -> bool:
    index = bisect_right(places, place) - 1
    return index >= 0 and places[index] == place
