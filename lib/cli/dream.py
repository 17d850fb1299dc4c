"""`memory.py dream [--dry-run] [--force]`: consolidate now. Req: G4, J1."""
from __future__ import annotations

import datetime
import os
import time

from lib.cli import history as entries
from lib.cli import screen
from lib.cli.arguments import given
from lib.cli.diff import changed, show
from lib.cli.place import Place, Trouble
from lib.cli.progress import doing
from lib.dream import run as consolidation
from lib.dream import sessions, stamp
from lib.dream.scene import Report, Scene, summary

USAGE = "dream [--dry-run] [--force]"
SHOWN = 15  # rows
DIFF = 400  # lines of a dry run's differences


def consolidated(place: Place, *, force: bool, dry: bool) -> Report:
    """Consolidate the place's memories. Raises Trouble when that cannot be done."""
    last = stamp.last_consolidated(place.memory, time.time())
    found = sessions.since(sessions.folders(place.config, place.state, place.root), last, "")
    scene = Scene(
        place.memory, place.state, place.root, place.settings, os.environ, datetime.date.today(),
        os.environ.get("CLAUDE_CODE_SESSION_ID", "")[:100], tuple(found),
        # The client ends a command of a slash command after two minutes.
        100.0 if os.environ.get("CLAUDECODE") else 600.0,
    )  # fmt: skip
    try:
        return consolidation.consolidate(scene, force=force, dry=dry, say=doing)
    except OSError as error:
        raise Trouble(f"the consolidation failed and changed nothing it did not record: {error}") from error


def run(arguments: list[str], place: Place) -> int:
    """What changed in a few lines; with --dry-run what would change, line by line, and nothing is written."""
    asked = given(USAGE, arguments)
    dry = "--dry-run" in asked
    if not os.path.isdir(place.memory):
        screen.say(f"Nothing is remembered for {place.root} yet ({place.memory}).")
        return 0
    report = consolidated(place, force="--force" in asked, dry=dry)
    if report.reason == "locked":
        raise Trouble(f"another consolidation is at work in {place.memory}; try again when it has ended")
    _show(report, dry)
    if report.refused:
        hint = "" if "placeholder" in report.refused else "; run it with --force if that is what you want"
        raise Trouble(f"refused, nothing was written: {report.refused}{hint}")
    if not dry and any(action != "DROP" for action, _, _ in report.rows):
        entry = entries.chosen(place, [], "undo")
        screen.say(f"See it:  memory.py diff {entry.id[:8]}\nUndo it: memory.py undo {entry.id[:8]}")
    return 0 if report.ok else 1


def _show(report: Report, dry: bool) -> None:
    screen.say(f" ({report.backend}): {summary(report.rows)}", "Would change" if dry else "Changed", "bold")
    for action, file, why in report.rows[:SHOWN]:
        screen.say(f"  {action.lower():<7} {file}" + (f": {why}" if why else ""))
    if len(report.rows) > SHOWN:
        screen.say(f"  and {len(report.rows) - SHOWN} more")
    for note in report.notes:
        screen.say(note)
    if report.dangling:
        more = f" and {len(report.dangling) - 5} more" if len(report.dangling) > 5 else ""
        screen.say(f"Worth writing, linked but not there: {', '.join(report.dangling[:5])}{more}")
    if dry:
        rows = [row for change in report.changes for row in changed(change.file, change.before, change.text)]
        show(rows[:DIFF])
        if len(rows) > DIFF:
            screen.say(f"and {len(rows) - DIFF} more lines")
        screen.say("Nothing was written.")

