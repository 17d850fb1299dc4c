"""`memory.py list [--json]`: what is remembered here, newest first.

JSON: project, memory, memories (each: file, name, type, statement, modified (seconds since the epoch), problem).
"""

from __future__ import annotations

import time

from lib.cli import screen
from lib.cli.arguments import given
from lib.cli.place import Place
from lib.memory import freshness, store

USAGE = "list [--json]"
MOST = 100_000


def run(arguments: list[str], place: Place) -> int:
    """One line a memory: file, type, age, statement."""
    asked = given(USAGE, arguments)
    found = store.scan(place.memory, limit=MOST)
    if asked.json:
        rows = [
            {"file": m.file, "name": m.name, "type": m.type, "statement": m.statement, "modified": m.mtime,
             "problem": m.problem}
            for m in found
        ]  # fmt: skip
        screen.emit({"project": place.root, "memory": place.memory, "memories": rows})
        return 0
    if not found:
        screen.say(f"Nothing is remembered for {place.root} yet ({place.memory}).")
        return 0
    now = time.time()
    screen.table(
        [(m.file, f"{m.type or '?':<9}", f"{freshness.words(m.mtime, now):<12}", m.statement[:150]) for m in found],
        {0: "cyan", 2: "dim"},
    )
    screen.say(f"{len(found)} memories in {place.memory}")
    return 0
