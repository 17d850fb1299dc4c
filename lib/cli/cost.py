"""`memory.py cost`: what the models cost today and this week, by project and by job, estimates beside outcomes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from lib.cli.place import Place, Trouble
from lib.model import budget, ledger, prices
from lib.model.ledger import DAY, Entry
from lib.recall.escaping import visible

SHOWN = 5  # latest calls
WEEK = 7 * DAY


def run(arguments: list[str], place: Place) -> int:
    """Day and week of all projects, since one person pays for them."""
    if arguments:
        raise Trouble(f"cost takes no arguments, but was given {arguments[0]!r}")
    now = time.time()
    rows = ledger.since(place.config, ledger.day_start(now) - WEEK + DAY, now)
    today = [row for row in rows if row.t >= ledger.day_start(now)]
    limit = budget.today(place.config, place.settings, now)
    print(f"today      {_sum(today)} of the daily budget of ${limit.limit:.2f} (memoryHooks.budget.dailyUsd)")
    print(f"7 days     {_sum(rows)}")
    for title, key in (("project", _project), ("job", _job)):
        for name, theirs in _grouped(rows, key):
            print(visible(f"{title:<9}  {_sum(theirs)}  {name}"))
    for row in rows[-SHOWN:]:
        print(visible(_line(row)))
    print(f"prices of {prices.DATE}; where the client states a cost, the dearer figure counts")
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
    used = [sum(getattr(row, kind) for row in rows) for kind in ("input", "output", "cache_read", "cache_write")]
    tokens = "{:,} in, {:,} out, {:,} cache read, {:,} cache written".format(*used)
    return f"${sum(row.usd for row in rows):.4f}  {len(rows)} call{'' if len(rows) == 1 else 's'} ({tokens})"


def _line(row: Entry) -> str:
    at = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.t))
    how = f"{row.job} {row.backend} {row.mode}".rstrip()
    what = f"estimated ${row.estimate:.4f}, cost ${row.usd:.4f}; {row.outcome or '?'}, {row.changes} changes"
    return f"{at}  {how} ({row.model}): {what}{'; ' + row.note if row.note else ''}"
