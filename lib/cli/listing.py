"""`memory.py list`: what is remembered here, newest first."""

from __future__ import annotations

import time

from lib.cli.place import Place, Trouble
from lib.memory import freshness, store
from lib.recall.escaping import visible


def run(arguments: list[str], place: Place) -> int:
    """One line a memory: file, type, age, statement."""
    if arguments:
        raise Trouble(f"list takes no arguments, but was given {arguments[0]!r}")
    found = store.scan(place.memory, limit=100_000)
    if not found:
        print(f"Nothing is remembered for {place.root} yet ({place.memory}).")
        return 0
    width = min(40, max(len(memory.file) for memory in found))
    for memory in found:
        age = freshness.words(memory.mtime, time.time())
        print(visible(f"{memory.file:<{width}}  {memory.type or '?':<9}  {age:<12}  {memory.statement[:150]}"))
    print(f"{len(found)} memories in {place.memory}")
    return 0
