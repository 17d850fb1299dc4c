"""Keeping the saved index true: brought up to date as far as a prompt can wait, never trusted blindly.

Small folders are compared file by file. In large ones a changed folder time tells of files that came, went or were
replaced; edits in place are caught by looking at the newest files and at a window that moves with the clock; and every
hit is read again before it is shown. Req: C1.
"""

from __future__ import annotations

import os
import time

from lib.memory import store
from lib.recall import manifest
from lib.recall.card import checksum
from lib.recall.library import Library
from lib.recall.tables import Index
from lib.recall.transaction import Damaged, discard, is_busy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.recall.card import Card

SMALL = 500  # memories: up to here every file is looked at, every time
NEWEST, WINDOW = 32, 96  # files looked at in a large folder that seems unchanged
PATIENCE = 0.4  # seconds of reading in a large folder before a prompt is answered with what is known
AT_ONCE = 240  # memories of a large folder that one prompt takes in: saving them costs as long as reading them
TICK_NS = 50_000_000  # a folder time this fresh may hide a change of the same clock tick


def catch_up(library: Library, patience: float, most: int = 1_000_000) -> int:
    """Lay over the index what changed in the folder, for at most `patience` seconds and `most` memories of a large one.

    Returns how many are left.
    """
    index, directory = library.index, library.directory
    folder, lines = _stamp(directory), _stamp(os.path.join(directory, store.INDEX))
    large = index.size > SMALL
    settled = index.note("folder") == folder and index.note("lines") == lines
    if large and settled:
        changed, gone = _sampled(index, directory)
    else:
        hooks = None if index.note("lines") == lines else manifest.index_lines(directory)
        changed, gone = _compared(index, directory, hooks)
    large = large or len(changed) > SMALL
    left = _lay_changes(library, changed, gone, patience if large else 60.0, most if large else len(changed) + 1)
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
        if (
            row is None
            or row[1:3] != (entry.mtime_ns, entry.size)
            or (hooks is not None and row[3] != checksum(hooks.get(entry.file, "").encode("utf-8", "replace")))
        ):
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


def _lay_changes(
    library: Library, changed: list[store.Entry], gone: list[int], patience: float, most: int
) -> int:
    if not changed and not gone:
        return 0
    known = library.index.known() if changed else {}
    hooks = manifest.index_lines(library.directory) if changed else {}
    until = time.monotonic() + patience
    cards: list[Card] = []
    out = list(gone)
    changed.sort(key=lambda entry: (-entry.mtime_ns, entry.file))
    for place, entry in enumerate(changed):
        if place == most or (place % 16 == 15 and time.monotonic() > until):
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
    """Bring the index fully up to date, anew when it is damaged; for the worker. Returns how many memories it holds.

    Never raises on a damaged or locked index; then what could be done was done. Req: C1.
    """
    for attempt in (1, 2):
        index: Index | None = None
        try:
            index = Index(path, os.path.abspath(directory))
            index.widen()
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
