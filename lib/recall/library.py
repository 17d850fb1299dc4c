"""A folder of memories through its saved index: brought up to date as far as a prompt can wait, and never trusted blindly.

Small folders are compared file by file. In large ones a changed folder time tells of files that came, went or were replaced;
edits in place are caught by looking at the newest files and at a window that moves with the clock; and every hit is read
again before it is shown. Req: C1.
"""
from __future__ import annotations

import os
import time

from lib.memory import store
from lib.recall import manifest
from lib.recall.postings import Damaged, Index
from lib.recall.shelf import Shelf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lib.recall.manifest import Card
    from lib.recall.ranking import Posting

SMALL = 500  # memories: up to here every file is looked at, every time
NEWEST, WINDOW = 32, 96  # files looked at in a large folder that seems unchanged
PATIENCE = 0.4  # seconds of reading in a large folder before a prompt is answered with what is known
BATCH = 400  # memories a transaction: others wait no longer than one
TICK_NS = 50_000_000  # a folder time this fresh may hide a change of the same clock tick


class Library:
    """An index with what has changed since laid over it; a corpus for `ranking`."""

    def __init__(self, index: Index, directory: str) -> None:
        self.directory = directory
        self.index = index
        self.gone: set[int] = set()
        self.fresh: dict[str, Card] = {}
        self.notes: dict[str, str] = {}
        self._lay()

    def _lay(self) -> None:
        self._shelf = Shelf((self.fresh[file] for file in sorted(self.fresh)), first=-1, step=-1)
        lost = sum(card.length for memory in self.gone if (card := self.index.card(memory)))
        self.size = self.index.size - len(self.gone) + self._shelf.size
        self.average = (self.index.length - lost + self._shelf.length) / self.size if self.size else 0.0

    def lay(self, gone: Iterable[int], cards: Iterable[Card]) -> None:
        """Lay changes over the index: memories that are no more, and cards as they are now."""
        self.gone.update(memory for memory in gone if memory > 0)
        self.fresh.update((card.file, card) for card in cards)
        self._lay()

    def drop(self, memory: int, card: Card) -> None:
        """Take out a memory whose file is gone."""
        if memory < 0:
            self.fresh.pop(card.file, None)
        self.lay([memory], [])

    def save(self) -> None:
        """Write what was laid over into the index, if nobody else is writing; otherwise the next prompt finds it again."""
        if not (self.gone or self.fresh or self.notes):
            return
        files = list(self.fresh)
        try:
            for start in range(0, max(1, len(files)), BATCH):
                with self.index.transaction():
                    known = self.index.known()
                    part = files[start:start + BATCH]
                    stale = [known[file][0] for file in part if file in known]
                    self.index.reload()
                    self.index.replace([*(self.gone if start == 0 else ()), *stale], [self.fresh[file] for file in part])
                    if start + BATCH >= len(files):
                        self.index.remember(self.notes)
        except Damaged:
            return
        self.gone, self.fresh, self.notes = set(), {}, {}
        self._lay()

    def frequency(self, term: str) -> int:
        if self.gone or self.fresh:
            return len(self.postings(term))
        return self.index.frequency(term)

    def postings(self, term: str, among: Sequence[int] | None = None) -> list[Posting]:
        rows = self.index.postings(term, among)
        if self.gone:
            rows = [row for row in rows if row[0] not in self.gone]
        return rows + self._shelf.postings(term, among) if self.fresh else rows

    def names(self, stems: Iterable[str]) -> list[tuple[str, int]]:
        stems = list(stems)
        return [pair for pair in self.index.names(stems) if pair[1] not in self.gone] + self._shelf.names(stems)

    def triggered(self) -> list[tuple[int, list[str]]]:
        return [pair for pair in self.index.triggered() if pair[0] not in self.gone] + self._shelf.triggered()

    def vocabulary(self, prefix: str) -> list[str]:
        words = set(self.index.vocabulary(prefix)) | set(self._shelf.vocabulary(prefix))
        return sorted(words)

    def card(self, memory: int) -> Card | None:
        return self._shelf.card(memory) if memory < 0 else self.index.card(memory)

    def resolve(self, slug: str) -> int | None:
        memory = self._shelf.resolve(slug)
        if memory is None:
            memory = self.index.resolve(slug)
        return None if memory in self.gone else memory


def catch_up(library: Library, patience: float) -> int:
    """Lay over the index what changed in the folder; at most `patience` seconds of reading. Returns how many were left unread."""
    index, directory = library.index, library.directory
    folder, lines = _stamp(directory), _stamp(os.path.join(directory, store.INDEX))
    large = index.size > SMALL
    settled = index.note("folder") == folder and index.note("lines") == lines
    if large and settled:
        changed, gone = _sampled(index, directory)
    else:
        hooks = None if index.note("lines") == lines else manifest.index_lines(directory)
        changed, gone = _compared(index, directory, hooks)
    left = _lay_changes(library, changed, gone, patience if large or len(changed) > SMALL else 60.0)
    if not left and not settled and _old_enough(folder):
        library.notes = {"folder": folder, "lines": lines}
    return left


def _stamp(path: str) -> str:
    try:
        status = os.stat(path)
    except OSError:
        return ""
    return f"{status.st_mtime_ns}/{status.st_size}/{status.st_ino}"


def _old_enough(stamp: str) -> bool:
    return bool(stamp) and abs(time.time_ns() - int(stamp.partition("/")[0])) > TICK_NS


def _compared(index: Index, directory: str, hooks: dict[str, str] | None) -> tuple[list[store.Entry], list[int]]:
    """Every file against the index, and its line when lines changed: (to be read again, ids that are no more)."""
    known = index.known()
    changed: list[store.Entry] = []
    for entry in store.entries(directory):
        row = known.pop(entry.file, None)
        if row is None or row[1:3] != (entry.mtime_ns, entry.size) or (
                hooks is not None and row[3] != manifest.checksum(hooks.get(entry.file, "").encode("utf-8", "replace"))):
            changed.append(entry)
    return changed, [row[0] for row in known.values()]


def _sampled(index: Index, directory: str) -> tuple[list[store.Entry], list[int]]:
    start = int(time.time() * 7) * WINDOW % max(1, index.size)
    changed: list[store.Entry] = []
    gone: list[int] = []
    for file, memory, mtime_ns, size in index.sample(NEWEST, start, WINDOW):
        try:
            status = os.lstat(os.path.join(directory, file))
        except OSError:
            gone.append(memory)
            continue
        if (status.st_mtime_ns, status.st_size) != (mtime_ns, size):
            changed.append(store.Entry(file, status.st_mtime_ns, status.st_size))
    return changed, gone


def _lay_changes(library: Library, changed: list[store.Entry], gone: list[int], patience: float) -> int:
    if not changed and not gone:
        return 0
    known = library.index.known() if changed else {}
    hooks = manifest.index_lines(library.directory) if changed else {}
    until = time.monotonic() + patience
    cards: list[Card] = []
    out = list(gone)
    changed.sort(key=lambda entry: (-entry.mtime_ns, entry.file))
    for place, entry in enumerate(changed):
        if place % 16 == 15 and time.monotonic() > until:
            library.lay(out, cards)
            return len(changed) - place
        card = manifest.read(library.directory, entry, hooks.get(entry.file, ""))
        if entry.file in known:
            out.append(known[entry.file][0])
        if card is not None:
            cards.append(card)
    library.lay(out, cards)
    return 0


def refresh(directory: str, path: str) -> int:
    """Bring the index fully up to date, rebuilding it when it is damaged; for the worker. Returns how many memories it holds.

    Never raises on a damaged or locked index; then what could be done was done. Req: C1.
    """
    for attempt in (1, 2):
        index: Index | None = None
        try:
            index = Index(path, os.path.abspath(directory))
            library = Library(index, directory)
            while catch_up(library, 5.0):
                library.save()
            library.save()
            return index.size
        except Damaged as error:
            if attempt == 1 and not is_busy(error):
                discard(path)
        except OSError:
            return 0
        finally:
            if index is not None:
                index.close()
    return 0


def is_busy(error: Damaged) -> bool:
    """Whether another process holds the index, as opposed to the file being no index."""
    return "locked" in str(error) or "busy" in str(error)


def discard(path: str) -> None:
    """Remove an index that cannot be read; the next caller makes a new one."""
    for name in (path, path + "-journal"):
        try:
            os.unlink(name)
        except OSError:
            continue
