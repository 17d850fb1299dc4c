"""`memory.py status`: is it on, who thinks and why, what went wrong last, what waits. Req: J3."""

from __future__ import annotations

import os
import time

from lib.cli.place import Place, Trouble
from lib.host.paths import own_dir
from lib.journal import Journal, newest
from lib.memory import held, store
from lib.model import budget, choice, outage
from lib.recall.escaping import visible

SESSIONS = 20  # journals looked at, newest first
BACKENDS = ("claude", "anthropic")


def run(arguments: list[str], place: Place) -> int:
    """One line a fact, for the project of the current folder."""
    if arguments:
        raise Trouble(f"status takes no arguments, but was given {arguments[0]!r}")
    now = time.time()
    chosen = choice.choose(place.settings, os.environ, now=now)
    left = budget.today(place.config, place.settings, now)
    print(visible(f"project   {place.root}"))
    print(visible(f"memory    {len(store.entries(place.memory))} in {place.memory}, {_switch(place)}"))
    faults = _faults(place.config, now)
    # A fault that is the reason of the choice is said there, and only there.
    reason = chosen.reason
    print(visible(f"backend   {chosen.backend}: {reason}"))
    for backend, fault in faults:
        if fault.reason not in reason:
            print(visible(f"fault     {backend}: {fault.reason} ({outage.clock(fault.since)})"))
    print(f"budget    ${left.spent:.4f} of ${left.limit:.2f} spent today" + ("" if left.left else ": the rules think"))
    print(visible(f"last run  {_last(place)}"))
    print(f"captured  {_captured(place)}")
    if waiting := len(held.proposals(place.state)):
        print(f"review    {waiting} held back for you: memory.py review")
    for problem in place.settings.problems:
        print(visible(f"settings  {problem}"))
    return 0


def _switch(place: Place) -> str:
    switch = place.settings.switched_off(os.environ)
    return f"off ({switch})" if switch else "on"


def _faults(config: str, now: float) -> list[tuple[str, outage.Outage]]:
    """What did not work and has not worked since, within the last week."""
    found = [(backend, outage.known(config, backend)) for backend in BACKENDS]
    return [(backend, fault) for backend, fault in found if fault and now - fault.since < 7 * outage.DAY]


def _captured(place: Place) -> str:
    """What came of the turns of late: a hook that runs and finds nothing is seen here."""
    ends = turns = made = lost = 0
    for session in newest(place.state, SESSIONS):
        for event in Journal(place.state, session).events():
            changes, seen = event.get("changes"), event.get("turns")
            ends += event.get("e") == "stop"
            lost += event.get("e") == "stop" and not event.get("transcript")
            if event.get("e") == "extract":
                turns += seen if isinstance(seen, int) else 0
                rows = changes if isinstance(changes, list) else []
                made += sum(isinstance(row, list) and row[:1] in (["CREATE"], ["UPDATE"], ["LOG"]) for row in rows)
    missing = f", {lost} of them without a transcript" if lost else ""
    return f"{made} change{'' if made == 1 else 's'} from {turns} turns ({ends} ends of turns noted{missing})"


def _last(place: Place) -> str:
    runs = [
        (at, event)
        for session in newest(place.state, SESSIONS)
        for event in Journal(place.state, session).events()
        if event.get("e") == "extract" and isinstance(at := event.get("t"), float)
    ]
    if not runs:
        return f"none yet (what went wrong is in {os.path.join(own_dir(place.config), 'log.jsonl')})"
    at, event = max(runs, key=lambda run: run[0])
    changes = event.get("changes")
    count = len(changes) if isinstance(changes, list) else 0
    return f"{outage.clock(at)}, {event.get('backend')}, {count} change{'' if count == 1 else 's'}; memory.py why"
