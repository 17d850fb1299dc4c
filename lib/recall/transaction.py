"""The index file shared by processes: one state for all reads, all or nothing for writes, busy told from damaged.

Req: C1.
"""

from __future__ import annotations

# The C module itself: the package around it costs as much again for type adapters that are not used here.
import _sqlite3 as sqlite
import os

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
