"""The index file shared by processes: one state for all reads, all or nothing for writes, busy told from damaged.

Req: C1.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    # The C module itself: the package around it costs as much again for type adapters that are not used here.
    import _sqlite3 as sqlite
    from collections.abc import Callable


__all__ = ["Damaged", "Transaction", "discard", "is_busy", "sqlite"]


def _cached(size: int) -> Callable[[Callable[[str], object]], object]:
    """`functools.lru_cache` as SQLite's module uses it: to keep the statements of a connection."""
    from _functools import _lru_cache_wrapper as wrapper  # type: ignore[import-not-found]

    return lambda make: wrapper(make, size, False, tuple)


def _engine() -> object:
    """SQLite's C module, which loads functools for the one function above; with that come six modules more.

    That was a tenth of what a prompt's hook costs. The stand-in is there while the module is loaded and at no other
    time. Raises ImportError where there is no SQLite.
    """
    stand_in = None
    if "functools" not in sys.modules and sys.implementation.name == "cpython":
        stand_in = sys.modules["functools"] = type(sys)("functools")
        stand_in.lru_cache = _cached  # type: ignore[attr-defined]
    try:
        import _sqlite3

        return _sqlite3
    finally:
        if stand_in is not None:
            del sys.modules["functools"]


if not TYPE_CHECKING:
    sqlite = _engine()

Damaged = sqlite.DatabaseError  # a busy index raises it too: see `is_busy`


class Transaction:
    """`with` block that sees one state; its changes are kept when it ends and dropped when it raises."""

    def __init__(self, base: sqlite.Connection, begin: str) -> None:
        self._base = base
        self._begin = begin

    def __enter__(self) -> None:
        self._base.execute(self._begin)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._base.execute("COMMIT" if kind is None else "ROLLBACK")


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
