"""The index within its limits, and the links that lead nowhere. Pure. Req: G3, A3, A5."""

from __future__ import annotations

from collections.abc import Callable

from lib.dream.merging import LINK, target
from lib.dream.shelf import Shelf
from lib.memory import index, store

SHORTEST = 60  # characters; a shorter line says nothing


def shortened(text: str) -> str:
    """The index with its over-long entries cut at a word, all within 25 KB when there are no more than 200 of them."""
    rows = [_cut(row, index.LINE_LIMIT - 1, len) for row in text.split("\n")]
    if len(rows) <= index.LOAD_LINES and _size("\n".join(rows)) > index.LOAD_BYTES:
        entries = sum(bool(index.target(row)) for row in rows)
        rest = sum(_size(row) + 1 for row in rows if not index.target(row))
        limit = max(SHORTEST, (index.LOAD_BYTES - rest) // max(1, entries) - 1)
        rows = [_cut(row, limit, _size) for row in rows]
    return "\n".join(rows)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _cut(row: str, limit: int, size: Callable[[str], int]) -> str:
    """An entry of the index within `limit` by `size`, its link whole; any other line as it is."""
    line = row.rstrip("\r")
    if size(line) <= limit or not index.target(row):
        return row
    link = line.find("](")
    close = line.find(">)" if line[link + 2 : link + 3] == "<" else ")", link) + 2
    cut = line
    while size(cut) + size("…") > limit and len(cut) > close:
        start, space, _ = cut.rpartition(" ")
        cut = start if space and len(start) > close and len(cut) - len(start) < 40 else cut[:-1]
    return cut.rstrip(" ,;:—-") + "…" + row[len(line) :]


def dangling(shelf: Shelf) -> list[str]:
    """`name (in file)` for each link to a memory that does not exist: something worth writing, not a fault."""
    there = {store.fold(file) for file in shelf.there()}
    there |= {target(shelf.memory(file).name) for file in shelf.there()}
    found = {
        f"{match[1].strip()} (in {file})"
        for file in shelf.there()
        for match in LINK.finditer(shelf.memory(file).body)
        if target(match[1]) not in there
    }
    return sorted(found)


def over_limits(text: str) -> str:
    """What of an index is not loaded, in one sentence, or ""."""
    last = index.within_limits(text).rpartition("\n")[2]
    return last if last.startswith("WARNING: ") and last not in text else ""
