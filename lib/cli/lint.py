"""`memory.py lint [--fix] [--json]`: what is wrong with the memories and the index. 1 when anything is. Req: A3, A6.

--fix mends what loses nothing (relative dates, the index), as one entry of the history.
JSON: memory, looked, problems, findings (each: file, kind, said, fixable), fixed (files).
"""

from __future__ import annotations

import os

from lib.cli import history as entries
from lib.cli import linting, mending, screen
from lib.cli.arguments import given
from lib.cli.linting import NOTE, Result
from lib.cli.place import Place
from lib.memory import store

USAGE = "lint [--fix] [--json]"


def run(arguments: list[str], place: Place) -> int:
    asked = given(USAGE, arguments)
    found = linting.lint(place, os.getcwd())
    fixed: list[str] = []
    if "--fix" in asked and (found.changes or found.index):
        fixed = _mend(found, place)
        found = linting.lint(place, os.getcwd())
    if asked.json:
        rows = [{"file": f.file, "kind": f.kind, "said": f.said, "fixable": f.safe} for f in found.findings]
        screen.emit({"memory": place.memory, "looked": found.looked, "problems": len(found.problems),
                     "findings": rows, "fixed": fixed})  # fmt: skip
    else:
        _show(found, fixed, place, "--fix" in asked)
    return 1 if found.problems else 0


def _mend(found: Result, place: Place) -> list[str]:
    files = [change.file for change in found.changes]
    left = mending.apply(place, found.changes, "lint --fix")
    return [file for file in (*files, *([store.INDEX] if found.index else [])) if file not in left]


def _show(found: Result, fixed: list[str], place: Place, tried: bool) -> None:
    for file in fixed:
        screen.say(f"  {file}", "mended", "green")
    if fixed:
        entry = entries.chosen(place, [], "undo")
        screen.say(f"Undo it: memory.py undo {entry.id[:8]}")
    for finding in found.findings:
        style = "dim" if finding.kind == NOTE else "yellow"
        screen.say(f"{'':{13 - len(finding.kind)}}{finding.file}: {finding.said}", finding.kind, style)
    safe = sum(finding.safe for finding in found.findings)
    hint = f"; memory.py lint --fix mends {safe} of them" if safe and not tried else ""
    count = len(found.problems)
    screen.say(f"{count or 'no'} problem{'' if count == 1 else 's'} in {found.looked} memories{hint}")
