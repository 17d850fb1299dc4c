"""`memory.py undo [ENTRY]`: take one entry of the history back. What was changed later stays. Req: J1."""
from __future__ import annotations

from lib.cli import history as entries
from lib.cli import screen
from lib.cli.arguments import given
from lib.cli.place import Place, Trouble
from lib.memory import history, undo

USAGE = "undo [ENTRY]"


def run(arguments: list[str], place: Place) -> int:
    """Each file that has its former content again, and each that was left, with the reason; 1 when all were left."""
    entry = entries.chosen(place, given(USAGE, arguments, most=1).names, "undo")
    screen.say(entries.line(entry), style="bold")
    try:
        done = undo.undo(history.of(place.memory, place.state), entry)
    except OSError as problem:
        raise Trouble(f"{entry.id} was not undone: {problem}") from problem
    for file in done.restored:
        screen.say(f"  {file}", "restored", "green")
    for file, why in sorted(done.kept.items()):
        screen.say(f"      {file}: {why}", "left", "yellow")
    screen.say(f"{len(done.restored)} restored, {len(done.kept)} left; `memory.py undo` again takes this back")
    return 0 if done.restored or not done.kept else 1
