"""Reads everything the report tells, once; what cannot be read is said and left out."""

from __future__ import annotations

from collections.abc import Mapping

from lib.cli.place import Place
from lib.cli.report import activity, memories
from lib.cli.report.records import DAYS, Report


def gathered(place: Place, env: Mapping[str, str], now: float) -> Report:
    """The report of a place as of `now` (seconds since the epoch). Writes nothing but what was looked up."""
    since = now - DAYS * activity.DAY
    happened = activity.events(place, since)
    done, problem = activity.steps(place, since)
    cards, total = memories.cards(place, activity.recalls(happened))
    spent, costs, elsewhere = activity.spending(place, now)
    return Report(
        place.root, place.memory, now, place.settings.switched_off(env), total, cards, memories.waiting(place),
        activity.days(now, done, happened), activity.decisions(happened), spent, costs, elsewhere,
        tuple(filter(None, (problem, *place.settings.problems))),
    )  # fmt: skip
