"""`memory.py history [--last N] [--json]`: who changed which memories, newest first. Req: J1.

JSON: memory, entries (each: id, at (seconds, epoch), who, session, why, files: file -> [version before, after]).
"""
from __future__ import annotations

import os
import time

from lib.cli import screen
from lib.cli.arguments import given
from lib.cli.place import Place, Trouble, Usage
from lib.memory import history, lock
from lib.memory.archive import OUTSIDE, ArchiveProblem, Entry
from lib.memory.history import History

USAGE = "history [--last N] [--json]"
DEFAULT = 20  # entries
NAMED = 4  # files of one entry that are named


def run(arguments: list[str], place: Place) -> int:
    """One line an entry: its id for `diff` and `undo`, when, who, what for, and which files."""
    asked = given(USAGE, arguments)
    count = max(1, asked.number("--last", DEFAULT))
    found = entries(place)
    if asked.json:
        screen.emit({"memory": place.memory, "entries": [record(entry) for entry in found[:count]]})
        return 0
    if not found:
        screen.say(f"Nothing was changed in {place.memory} yet.")
    for entry in found[:count]:
        screen.say(line(entry)[8:], entry.id[:8], "cyan")
    if len(found) > count:
        screen.say(f"and {len(found) - count} older ones; see them with --last {len(found)}")
    return 0


def entries(place: Place) -> list[Entry]:
    """The history, newest first, what was changed outside since included. Raises Trouble."""
    kept = history.of(place.memory, place.state)
    try:
        _catch_up(kept, place)
        return kept.entries()
    except ArchiveProblem as problem:
        raise Trouble(f"the history cannot be read: {problem}") from problem


def _catch_up(kept: History, place: Place) -> None:
    """Take in what was changed outside; while somebody writes, the entries so far are all there is to tell."""
    if not os.path.isdir(place.memory):
        return
    try:
        with lock.held(place.memory, 1.0):
            kept.catch_up()
    except TimeoutError:
        return
    except OSError as problem:
        if isinstance(problem, ArchiveProblem):
            raise
        raise Trouble(f"{place.memory} cannot be read: {problem}") from problem


def chosen(place: Place, arguments: list[str], verb: str) -> Entry:
    """The entry of which the arguments give the id or its beginning; without, the newest of ours. Raises Trouble."""
    if len(arguments) > 1:
        raise Usage(f"{verb} takes the id of one entry, but was given {' '.join(arguments)!r}")
    found = entries(place)
    if not arguments:
        ours = [entry for entry in found if entry.note.who != OUTSIDE]
        if not ours:
            raise Trouble(f"no write of an agent is recorded for {place.memory}; `memory.py history` shows what is")
        return ours[0]
    wanted = arguments[0].lower()
    matching = [entry for entry in found if entry.id.startswith(wanted)]
    if len(matching) == 1:
        return matching[0]
    if matching:
        raise Trouble(f"{arguments[0]!r} is the beginning of {len(matching)} entries; give more of the id")
    raise Trouble(f"there is no entry {arguments[0]!r}; `memory.py history` shows the ids")


def record(entry: Entry) -> dict[str, object]:
    note = entry.note
    return {"id": entry.id, "at": entry.at, "who": note.who, "session": note.session, "why": note.why,
            "files": {file: list(versions) for file, versions in entry.files.items()}}  # fmt: skip


def line(entry: Entry) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.at))
    who = f"{entry.note.who} {entry.note.session[:8]}".strip()
    return f"{entry.id[:8]}  {when}  {who:<16}  {entry.note.why} ({_files(entry)})"


def _files(entry: Entry) -> str:
    signs = {(True, False): "+", (False, True): "-"}
    named = [
        f"{signs.get((before is None, after is None), '~')}{file}"
        for file, (before, after) in sorted(entry.files.items()) if file != "MEMORY.md"
    ]  # fmt: skip
    more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
    return ", ".join(named[:NAMED]) + more if named else "the index"
