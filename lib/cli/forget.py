"""`memory.py forget NAME... [--yes]`: take memories away; `undo` brings them back. Req: J1.

Asks on a terminal; elsewhere it needs --yes.
"""

from __future__ import annotations

from lib.cli import history as entries
from lib.cli import mending, screen
from lib.cli.arguments import given
from lib.cli.place import Place, Trouble, file_of, inside
from lib.memory import store, transaction
from lib.memory.transaction import Change

USAGE = "forget NAME... [--yes]"


def run(arguments: list[str], place: Place) -> int:
    """1 when nothing was taken away, because of a no or of what somebody wrote meanwhile."""
    asked = given(USAGE, arguments, least=1, most=-1)
    files = list(dict.fromkeys(inside(place.memory, name) for name in asked.names))
    changes = []
    for file in files:
        text = transaction.current(place.memory, file)
        if text is None:
            raise Trouble(f"{file_of(place.memory, file)} cannot be read, so it could not be brought back; "
                          "remove it yourself if you are sure")  # fmt: skip
        changes.append(Change(file, None, text))
        screen.say(f": {store.Memory(file, text, 0.0).statement[:200]}", file, "cyan")
    answer = screen.confirmed(f"Forget {'it' if len(files) == 1 else f'these {len(files)}'}?", "--yes" in asked)
    if answer is None:
        raise Trouble("there is no terminal to ask on; say --yes if you are sure")
    if not answer:
        screen.say("Nothing was changed.")
        return 1
    left = mending.apply(place, changes, f"{', '.join(files[:3])} forgotten")
    for file, problem in left.items():
        screen.say(f" {file}: {problem}", "left", "yellow")
    gone = [file for file in files if file not in left]
    if gone:
        entry = entries.chosen(place, [], "undo")
        screen.say(f"Forgotten: {', '.join(gone)}\nUndo it: memory.py undo {entry.id[:8]}")
    return 0 if gone else 1
