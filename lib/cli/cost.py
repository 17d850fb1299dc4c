"""`memory.py cost`: what the models cost today and this week, by project and by job, estimates beside outcomes.

JSON: prices, limit, today, week (each: calls, usd, input, output, cache_read, cache_write), projects, jobs (name: the
same), calls (the latest rows of the ledger).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict

from lib.cli import screen
from lib.cli.arguments import given
from lib.cli.place import Place
from lib.model import budget, ledger, prices
from lib.model.ledger import DAY, Entry

USAGE = "cost [--json]"
SHOWN = 5  # latest calls
WEEK = 7 * DAY
_USED = ("input", "output", "cache_read", "cache_write")


def run(arguments: list[str], place: Place) -> int:
    """Day and week of all projects, since one person pays for them."""
    asked = given(USAGE, arguments)
    now = time.time()
    rows = ledger.since(place.config, ledger.day_start(now) - WEEK + DAY, now)
    today = [row for row in rows if row.t >= ledger.day_start(now)]
    limit = budget.today(place.config, place.settings, now)
    if asked.json:
        screen.emit({
            "prices": prices.DATE, "limit": limit.limit, "today": _record(today), "week": _record(rows),
            "projects": {name: _record(theirs) for name, theirs in _grouped(rows, _project)},
            "jobs": {name: _record(theirs) for name, theirs in _grouped(rows, _job)},
            "calls": [asdict(row) for row in rows[-SHOWN:]],
        })  # fmt: skip
        return 0
    budgeted = f"of the daily budget of ${limit.limit:.2f} (memoryHooks.budget.dailyUsd)"
    screen.say(f"      {_sum(today)} {budgeted}", "today", "bold")
    screen.say(f"     {_sum(rows)}", "7 days", "bold")
    for title, key in (("project", _project), ("job", _job)):
        for name, theirs in _grouped(rows, key):
            screen.say(f"{'':{11 - len(title)}}{_sum(theirs)}  {name}", title, "cyan")
    for row in rows[-SHOWN:]:
        screen.say(_line(row))
    screen.say(f"prices of {prices.DATE}; where the client states a cost, the dearer figure counts")
    return 0


def _project(row: Entry) -> str:
    return row.project


def _job(row: Entry) -> str:
    return f"{row.job}, {row.backend}{' ' + row.mode if row.mode else ''}"


def _grouped(rows: Iterable[Entry], key: Callable[[Entry], str]) -> list[tuple[str, list[Entry]]]:
    groups: dict[str, list[Entry]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return sorted(groups.items(), key=lambda group: (-sum(row.usd for row in group[1]), group[0]))


def _sum(rows: list[Entry]) -> str:
    used = [sum(getattr(row, kind) for row in rows) for kind in _USED]
    tokens = "{:,} in, {:,} out, {:,} cache read, {:,} cache written".format(*used)
    return f"${sum(row.usd for row in rows):.4f}  {len(rows)} call{'' if len(rows) == 1 else 's'} ({tokens})"


def _record(rows: list[Entry]) -> dict[str, object]:
    used = {kind: sum(getattr(row, kind) for row in rows) for kind in _USED}
    return {"calls": len(rows), "usd": round(sum(row.usd for row in rows), 6), **used}


def _line(row: Entry) -> str:
    at = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.t))
    how = f"{row.job} {row.backend} {row.mode}".rstrip()
    what = f"estimated ${row.estimate:.4f}, cost ${row.usd:.4f}; {row.outcome or '?'}, {row.changes} changes"
    return f"{at}  {how} ({row.model}): {what}{'; ' + row.note if row.note else ''}"
