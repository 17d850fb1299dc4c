"""Is it still so? What a memory names in the project is looked up before the memory is shown. Req: J5.

Bounded in time for all memories of a prompt together; what could not be looked up in time counts as there. Searches of
whole files are remembered by the memory's version and git's mark of the checkout; paths are looked at every time.
"""

from __future__ import annotations

import os
import time

from lib.recall.anchors import BRANCH, FLAG, PACKAGE, PATH, SYMBOL, Anchor, anchors, last_name
from lib.recall.checkout import Checkout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from lib.memory.store import Memory

BUDGET = 0.020  # seconds for all memories of one prompt
MOST = 4  # things that are said to be gone, of one memory
FILE = "evidence.txt"
KEPT = 600.0  # seconds: what is not committed changes without a mark
LIMIT = 64_000  # bytes of remembered results; beyond it the list begins anew
_ANSWERS = {"1": True, "0": False}


class Finding:
    """What was looked up for one memory: `notes` as sentences, `stale` when all that counts is gone."""

    __slots__ = ("notes", "stale")

    def __init__(self, notes: Sequence[str] = (), stale: bool = False) -> None:
        self.notes = list(notes)
        self.stale = stale


def findings(memories: Sequence[Memory], project: str, state: str, budget: float = BUDGET) -> dict[str, Finding]:
    """Each memory's finding by its file name. Never raises on what memories or project hold."""
    named = [(memory, found) for memory in memories if (found := anchors(f"{memory.description}\n{memory.body}"))]
    if not named or not project or not os.path.isdir(project):
        return {}
    checkout = Checkout(project, time.monotonic() + budget)
    known = _Known(state, checkout)
    return {memory.file: _finding(found, _answers(memory, found, checkout, known), checkout) for memory, found in named}


def order(files: Sequence[str], found: dict[str, Finding], standing: frozenset[str]) -> list[str]:
    """The files to show: stale ones last, and only where nothing else was found; a preference outlives its examples."""
    fresh = [file for file in files if file not in found or not found[file].stale]
    stale = [file for file in files if file not in fresh and (not fresh or file in standing)]
    return fresh + stale


def _answers(memory: Memory, found: list[Anchor], checkout: Checkout, known: _Known) -> list[bool | None]:
    searched = [anchor for anchor in found if anchor.kind in (SYMBOL, FLAG, PACKAGE)]
    paths = [anchor.text for anchor in found if anchor.kind == PATH]
    answers: dict[int, bool | None] = {}
    for anchor in found:
        if anchor not in searched:
            answers[id(anchor)] = checkout.exists(anchor.text) if anchor.kind == PATH else checkout.branch(anchor.text)
    if searched:
        before = known.get(memory, len(searched))
        results = before or [_searched(anchor, paths, checkout) for anchor in searched]
        if not before:
            known.keep(memory, results)
        answers.update(zip(map(id, searched), results, strict=True))
    return [answers[id(anchor)] for anchor in found]


def _searched(anchor: Anchor, paths: list[str], checkout: Checkout) -> bool | None:
    if anchor.kind == PACKAGE:
        return checkout.depends(anchor.text)
    word = anchor.text if anchor.kind == FLAG else last_name(anchor.text)
    if any(checkout.file_says(path, word) for path in paths):
        return True
    if anchor.kind == FLAG and checkout.says(word[2:].replace("-", "_")):
        return True  # an option is often declared without its dashes
    return checkout.says(word)


def _finding(found: list[Anchor], answers: list[bool | None], checkout: Checkout) -> Finding:
    notes: list[str] = []
    counted: list[bool | None] = []
    for anchor, answer in zip(found, answers, strict=True):
        said = _said(anchor) if answer is False else _beyond(anchor, checkout) if anchor.line and answer else ""
        if said and said not in notes:
            notes.append(said)
        # Options and packages may be another program's; what may be absent on purpose proves nothing either.
        if anchor.kind not in (FLAG, PACKAGE):
            counted.append(answer is not False or not anchor.counts)
    more = len(notes) - MOST
    if more > 0:
        notes[MOST:] = [f"{more} more of what it names is gone as well."]
    return Finding(notes, bool(counted) and not any(counted))


def _said(anchor: Anchor) -> str:
    if anchor.kind == PATH:
        return f"`{anchor.text}` no longer exists."
    if anchor.kind == BRANCH:
        return f"The branch `{anchor.text}` no longer exists."
    if anchor.kind == PACKAGE:
        return f"`{anchor.text}` is not among the project's dependencies now."
    return f"`{anchor.text}` is found in no file of the project now."


def _beyond(anchor: Anchor, checkout: Checkout) -> str:
    lines = checkout.lines(anchor.text)
    return f"`{anchor.text}` has {lines} lines now, not {anchor.line}." if lines and lines < anchor.line else ""


class _Known:
    """Results of searches that were made before, in the project's state; read when first asked."""

    def __init__(self, state: str, checkout: Checkout) -> None:
        self._path = os.path.join(state, FILE)
        self._checkout = checkout
        self._rows: dict[str, tuple[float, str]] | None = None
        self._size = 0

    def _key(self, memory: Memory) -> str:
        import binascii

        text = f"{memory.description}\n{memory.body}".encode("utf-8", "replace")
        mark = self._checkout.mark().encode("utf-8", "surrogateescape")
        return f"{binascii.crc32(text):08x}{binascii.crc32(mark):08x}"

    def get(self, memory: Memory, count: int) -> list[bool | None]:
        """The answers that still hold, [] when there are none."""
        if self._rows is None:
            self._rows = self._read()
        at, answers = self._rows.get(self._key(memory), (0.0, ""))
        if len(answers) != count or not 0 <= time.time() - at < KEPT:
            return []
        return [_ANSWERS[answer] for answer in answers]

    def _read(self) -> dict[str, tuple[float, str]]:
        try:
            with open(self._path, "rb", buffering=0) as file:
                raw = file.read(2 * LIMIT)
        except OSError:
            return {}
        self._size = len(raw)
        rows = [line.split(" ") for line in raw.decode("ascii", "replace").split("\n")]
        return {
            row[0]: (float(row[1]), row[2])
            for row in rows
            if len(row) == 3 and row[1].isdecimal() and len(row[1]) < 12 and set(row[2]) <= {"0", "1"}
        }

    def keep(self, memory: Memory, answers: list[bool | None]) -> None:
        """Remember complete answers, in one write of a whole line; without a place for it they are looked up again."""
        if None in answers or not os.path.isdir(os.path.dirname(self._path)):
            return
        how = os.O_APPEND if self._size < LIMIT else os.O_TRUNC
        line = f"{self._key(memory)} {int(time.time())} {''.join('1' if answer else '0' for answer in answers)}\n"
        try:
            flags = os.O_WRONLY | os.O_CREAT | how | getattr(os, "O_NOFOLLOW", 0)
            descriptor = os.open(self._path, flags, 0o600)
        except OSError:
            return
        try:
            os.write(descriptor, line.encode("ascii"))
        except OSError:
            return
        finally:
            os.close(descriptor)
