"""The memories of a directory as a model is shown them: one line each, newest first. Req: A7."""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from lib.memory.store import Memory

LINE_LIMIT = 300  # characters


def text(memories: Sequence[Memory]) -> str:
    """`- [type] file (timestamp): description` for each; the timestamp is the file's, in UTC."""
    return "\n".join(_line(memory) for memory in memories)


def _line(memory: Memory) -> str:
    stamp = time.strftime("%Y-%m-%dT%H:%MZ", time.gmtime(memory.mtime))
    statement = " ".join(memory.statement.split())
    return f"- [{memory.type or 'untyped'}] {memory.file} ({stamp}): {statement}"[:LINE_LIMIT]
