"""`memory.py remember TEXT`: keep one statement of yours, through the same checks as everything else. Req: A6, J1.

`remember -` reads it from stdin. What the repository says itself, secrets, questions and work at hand are refused;
what is remembered already is updated or left.
"""

from __future__ import annotations

import datetime
import os

from lib.cli import history as entries
from lib.cli import mending, screen
from lib.cli.arguments import given
from lib.cli.dictation import words
from lib.cli.place import Place, Trouble, Usage
from lib.extract import by_rules, dictation
from lib.extract.source import Report, Source

USAGE = "remember TEXT [--until LINE]"


def run(arguments: list[str], place: Place) -> int:
    """What was kept, with the line that takes it back; 1 with the reason when nothing was."""
    asked = given(USAGE, arguments, most=-1)
    if "--until" not in asked:
        return keep(words(asked), place)
    try:
        keep(words(asked), place)
    except Trouble as refusal:
        # A slash command whose program fails shows the client's error in place of our sentence.
        screen.say(str(refusal))
    return 0


def keep(text: str, place: Place) -> int:
    if not text:
        raise Usage('remember takes the statement, such as `memory.py remember "always use pnpm here"`')
    today = datetime.date.today()
    candidates, why = dictation.candidates(text, today)
    if why:
        raise Trouble(f"not kept: {why}")
    session = os.environ.get("CLAUDE_CODE_SESSION_ID", "")[:100]
    report = Report()
    source = Source(session, os.getcwd(), place.memory, place.settings, os.environ, place.state)
    changes = by_rules.settle(source, [(today, candidates)], report)
    if changes:
        named = ", ".join(change.file for change in changes)
        report.refuse(mending.apply(place, changes, f"{named} (remember)", session=session))
    for action, file, reason in report.changes:
        said = {"CREATE": "Saved", "UPDATE": "Updated", "SKIP": "Not kept"}.get(action, "Not saved")
        screen.say(f" {file}: {reason}", said, "green" if action in ("CREATE", "UPDATE") else "yellow")
    done = [action for action, _, _ in report.changes if action in ("CREATE", "UPDATE")]
    if done:
        entry = entries.chosen(place, [], "undo")
        screen.say(f"See it:  memory.py diff {entry.id[:8]}\nUndo it: memory.py undo {entry.id[:8]}")
    already = any(reason == "already said" for _, _, reason in report.changes)
    return 0 if done or already else 1
