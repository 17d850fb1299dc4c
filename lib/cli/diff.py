"""`memory.py diff [ENTRY] [--json]`: what one entry of the history changed, line by line. Req: J1.

JSON: id, at, who, session, why, files (file: [version before, after]), diff (lines).
"""
from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator

from lib.cli import history as entries
from lib.cli import screen
from lib.cli.arguments import given
from lib.cli.place import Place, Trouble
from lib.memory import history
from lib.memory.archive import ArchiveProblem, Entry
from lib.memory.history import History

USAGE = "diff [ENTRY] [--json]"
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def run(arguments: list[str], place: Place) -> int:
    """A unified diff of each file; without an id of the newest entry of an agent."""
    asked = given(USAGE, arguments, most=1)
    entry = entries.chosen(place, asked.names, "diff")
    try:
        rows = list(_rows(history.of(place.memory, place.state), entry))
    except ArchiveProblem as problem:
        raise Trouble(f"a version of {entry.id} is not kept any more: {problem}") from problem
    if asked.json:
        screen.emit({**entries.record(entry), "diff": rows})
        return 0
    screen.say(entries.line(entry), style="bold")
    show(rows)
    return 0


def show(rows: Iterable[str]) -> None:
    """Lines of a unified diff, what came and what went in colour."""
    for row in rows:
        text = " ".join(row.split("\n"))
        screen.say("", text, _COLOURS.get(row[:1], ""))


def _rows(kept: History, entry: Entry) -> Iterator[str]:
    for file, (before, after) in sorted(entry.files.items()):
        yield from changed(file, _text(kept, before), _text(kept, after))


def changed(file: str, before: str | None, after: str | None) -> Iterator[str]:
    """The lines of a unified diff of one file; None stands for no file."""
    was, now = (file if text is not None else "no file" for text in (before, after))
    old, new = ((text or "").split("\n") for text in (before, after))
    yield from difflib.unified_diff(old, new, was, now, lineterm="", n=2)


def _text(kept: History, version: str | None) -> str | None:
    data = kept.content(version)
    return None if data is None else data.decode("utf-8", "replace")
