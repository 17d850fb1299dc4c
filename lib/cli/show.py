"""`memory.py show NAME [--json]`: one memory as it is stored.

JSON: path, file, text, fields (as the hooks read them), modified (seconds since the epoch), problem.
"""

from __future__ import annotations

import os

from lib.cli import screen
from lib.cli.arguments import given
from lib.cli.place import Place, Trouble, file_of, inside
from lib.memory import store, transaction

USAGE = "show NAME [--json]"


def run(arguments: list[str], place: Place) -> int:
    """The file's text and, first, where it lies."""
    asked = given(USAGE, arguments, least=1, most=1)
    file = _named(place.memory, asked.names[0])
    text = transaction.current(place.memory, file)
    if text is None:
        raise Trouble(f"{file_of(place.memory, file)} cannot be read; check its permissions")
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if asked.json:
        memory = store.load(place.memory, file)
        fields, modified = (memory.fields, memory.mtime) if memory else ({}, 0.0)
        problem = memory.problem if memory else "cannot be read"
        screen.emit({"path": file_of(place.memory, file), "file": file, "text": text, "fields": fields,
                     "modified": modified, "problem": problem})  # fmt: skip
        return 0
    screen.say(file_of(place.memory, file), style="dim")
    screen.say(text.rstrip("\n"))
    return 0


def _named(memory: str, name: str) -> str:
    """One's own memory of that name, or the team's where the name begins with its folder."""
    if not name.startswith(f"{store.TEAM}/"):
        return inside(memory, name)
    return f"{store.TEAM}/{inside(os.path.join(memory, store.TEAM), name.removeprefix(f'{store.TEAM}/'))}"
