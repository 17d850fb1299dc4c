"""`memory.py doctor [--fix] [--yes] [--json]`: each part that has to work, with what was found and what to do.

--fix asks before each repair (with --yes it does not) and does only what can be taken back. Req: J2, J3.
JSON: ok, rows (each: what, found, ailment ("" = well), cause, fix, mendable).
"""

from __future__ import annotations

from lib.cli import examination, remedies, screen
from lib.cli.ailments import BY_ID, TABLE
from lib.cli.arguments import given
from lib.cli.finding import Row
from lib.cli.place import Place

__all__ = ["TABLE", "run"]

USAGE = "doctor [--fix] [--yes] [--json]"


def run(arguments: list[str], place: Place) -> int:
    """A row for each part; 1 when any needs attention."""
    asked = given(USAGE, arguments)
    rows = examination.rows(place)
    if asked.json:
        screen.emit({"ok": not any(row.ailment for row in rows), "rows": [_record(row) for row in rows]})
        return 1 if any(row.ailment for row in rows) else 0
    wrong = [row for row in rows if row.ailment]
    if "--fix" in asked and wrong:
        _show(wrong)
        remedies.offer(wrong, place, yes="--yes" in asked)
        rows = examination.rows(place)
        wrong = [row for row in rows if row.ailment]
        screen.say()
    _show(rows)
    screen.say(f"{len(wrong)} of {len(rows)} need attention" if wrong else f"all {len(rows)} ok")
    if any(row.mendable for row in wrong) and "--fix" not in asked:
        screen.say("memory.py doctor --fix offers to mend what can be mended from here")
    return 1 if wrong else 0


def _show(rows: list[Row]) -> None:
    width = max((len(row.what) for row in rows if len(row.what) < 30), default=0)
    for row in rows:
        told = row.found if not row.ailment else f"{row.found} ({BY_ID[row.ailment].title}) -> {row.fix}"
        label = "WRONG" if row.ailment else "ok"
        screen.say(f"{'':{7 - len(label)}}{row.what:<{width}}  {told}", label, "red" if row.ailment else "green")


def _record(row: Row) -> dict[str, object]:
    cause = BY_ID[row.ailment].cause if row.ailment else ""
    return {"what": row.what, "found": row.found, "ailment": row.ailment, "cause": cause, "fix": row.fix,
            "mendable": row.mendable}  # fmt: skip
