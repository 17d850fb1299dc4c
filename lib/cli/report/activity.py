"""What happened in the last weeks, day by day: from the history, the sessions' journals and the ledger."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from lib.cli.place import Place
from lib.cli.report.records import DAYS, Cost, Day, Decision, Step
from lib.host import paths
from lib.journal import Journal, newest
from lib.memory import history, store
from lib.memory.archive import LOGS, ArchiveProblem, Entry
from lib.model import ledger

SESSIONS = 200  # journals looked at, newest first
DAY = 86_400.0
_GATES = {
    "recall": "prompt", "selected": "model asked for a prompt", "stop": "turn", "gate": "turn", "session": "index",
    "look": "summary", "dream": "consolidation", "extract": "extraction", "recap": "summary",
    "agent": "sub-agent's run", "team": "exchange with the team",
}  # fmt: skip

Event = Mapping[str, object]


def date_of(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at))


def dates(now: float) -> list[str]:
    """The last DAYS calendar days, oldest first: counted from noon, so that a changed clock loses none."""
    noon = ledger.day_start(now) + DAY / 2
    return [date_of(noon - back * DAY) for back in reversed(range(DAYS))]


def events(place: Place, since: float) -> list[tuple[float, Event]]:
    """(when, event) of this project's sessions, oldest first."""
    found = [
        (at, event)
        for session in newest(place.state, SESSIONS)
        for event in Journal(place.state, session).events()
        if isinstance(at := event.get("t"), float) and at >= since
    ]
    return sorted(found, key=lambda row: row[0])


def steps(place: Place, since: float) -> tuple[list[Step], str]:
    """(the history's entries, newest first; why there are none, or "")."""
    try:
        entries = history.of(place.memory, place.state).entries()
    except ArchiveProblem as problem:
        return [], f"The history cannot be read: {problem}"
    return [step for entry in entries if entry.at >= since and (step := _step(entry))], ""


def _step(entry: Entry) -> Step | None:
    files = {file: pair for file, pair in sorted(entry.files.items()) if file != store.INDEX}
    logs = f"{LOGS}/"
    created = tuple(file for file, (before, _) in files.items() if before is None and not file.startswith(logs))
    removed = tuple(file for file, (_, after) in files.items() if after is None)
    changed = tuple(file for file in files if file not in created and file not in removed)
    if not files or entry.note.why == history.BEGAN:
        return None  # the index alone was tidied; or nothing was done yet
    return Step(entry.at, entry.note.who, entry.note.why, entry.note.session, created, changed, removed)


def days(now: float, done: Iterable[Step], happened: Iterable[tuple[float, Event]]) -> tuple[Day, ...]:
    """Each of the last days, the empty ones too, oldest first."""
    found = {date: Day(date) for date in dates(now)}
    for step in done:
        if day := found.get(date_of(step.at)):
            found[day.date] = replace(day, steps=(*day.steps, step))
    for at, event in happened:
        day, files = found.get(date_of(at)), shown(event)
        if day and files:
            day.recalled.update({file: day.recalled.get(file, 0) + 1 for file in files})
            found[day.date] = replace(day, prompts=day.prompts + 1)
    return tuple(found.values())


def shown(event: Event) -> list[str]:
    """The memories that a prompt was given."""
    files = event.get("shown")
    if event.get("e") != "recall" or event.get("reason") == "folded" or not isinstance(files, dict):
        return []
    return [file for file in files if isinstance(file, str)]


def recalls(happened: Iterable[tuple[float, Event]]) -> dict[str, tuple[int, float]]:
    """File -> how often it was recalled, and when last."""
    found: dict[str, tuple[int, float]] = {}
    for at, event in happened:
        for file in shown(event):
            found[file] = (found.get(file, (0, 0.0))[0] + 1, at)
    return found


def decisions(happened: Iterable[tuple[float, Event]]) -> tuple[Decision, ...]:
    """How often each gate gave each reason, the gates in the order of a turn, the most frequent reason first."""
    counts: dict[tuple[str, str], tuple[int, float]] = {}
    for at, event in happened:
        gate = _GATES.get(str(event.get("e")), "")
        reason = event.get("index" if event.get("e") == "session" else "reason")
        if gate and isinstance(reason, str) and reason not in ("", "folded"):
            count, _ = counts.get((gate, reason), (0, 0.0))
            counts[gate, reason] = (count + 1, at)
    order = list(dict.fromkeys(_GATES.values()))
    found = [Decision(gate, reason, count, at) for (gate, reason), (count, at) in counts.items()]
    return tuple(sorted(found, key=lambda one: (order.index(one.gate), -one.count, one.reason)))


def spending(place: Place, now: float) -> tuple[tuple[float, ...], tuple[Cost, ...], float]:
    """(dollars of each of the last days, the groups of calls, dollars of other projects in that time)."""
    rows = ledger.since(place.config, ledger.day_start(now) - (DAYS - 1) * DAY - DAY / 2, now)
    wanted = dates(now)
    rows = [row for row in rows if date_of(row.t) in wanted]
    roots = {name: paths.project_root(name) for name in {row.project for row in rows}}  # launched in a folder below it
    ours = [row for row in rows if roots[row.project] == place.root]
    per_day = dict.fromkeys(wanted, 0.0)
    groups: dict[str, list[ledger.Entry]] = {}
    for row in ours:
        per_day[date_of(row.t)] += row.usd
        groups.setdefault(f"{row.job}, {row.backend}{' ' + row.mode if row.mode else ''}, {row.model}", []).append(row)
    costs = [_cost(name, found) for name, found in groups.items()]
    costs.sort(key=lambda cost: (-cost.usd, cost.name))
    return tuple(per_day.values()), tuple(costs), sum(row.usd for row in rows) - sum(row.usd for row in ours)


def _cost(name: str, rows: Sequence[ledger.Entry]) -> Cost:
    return Cost(
        name, len(rows), sum(row.input + row.cache_read + row.cache_write for row in rows),
        sum(row.output for row in rows), sum(row.usd for row in rows),
    )  # fmt: skip
