"""`memory.py undo [ENTRY]`: take one entry of the history back. What was changed later stays. Req: J1."""
from __future__ import annotations

from lib.cli import history as entries
from lib.cli.place import Place, Trouble
from lib.memory import history, undo
from lib.recall.escaping import visible


def run(arguments: list[str], place: Place) -> int:
    """Each file that has its former content again, and each that was left, with the reason; 1 when all were left."""
    entry = entries.chosen(place, arguments, "undo")
    print(visible(entries.line(entry)))
    try:
        done = undo.undo(history.of(place.memory, place.state), entry)
    except OSError as problem:
        raise Trouble(f"{entry.id} was not undone: {problem}") from problem
    for file in done.restored:
        print(visible(f"restored  {file}"))
    for file, why in sorted(done.kept.items()):
        print(visible(f"left      {file}: {why}"))
    print(f"{len(done.restored)} restored, {len(done.kept)} left; `memory.py undo` again takes this back")
    return 0 if done.restored or not done.kept else 1
