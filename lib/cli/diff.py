"""`memory.py diff [ENTRY]`: what one entry of the history changed, line by line. Req: J1."""
from __future__ import annotations

import difflib
from collections.abc import Iterator

from lib.cli import history as entries
from lib.cli.place import Place, Trouble
from lib.memory import history
from lib.memory.archive import ArchiveProblem, Entry
from lib.memory.history import History
from lib.recall.escaping import visible


def run(arguments: list[str], place: Place) -> int:
    """A unified diff of each file; without an id of the newest entry of an agent."""
    entry = entries.chosen(place, arguments, "diff")
    print(visible(entries.line(entry)))
    try:
        for row in _rows(history.of(place.memory, place.state), entry):
            print(visible(row))
    except ArchiveProblem as problem:
        raise Trouble(f"a version of {entry.id} is not kept any more: {problem}") from problem
    return 0


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
