"""How a project's memory stands: the facts behind `status`, the client's `/memories` and the report. Req: J2, J3."""

from __future__ import annotations

import os
import time
from collections import Counter
from dataclasses import dataclass

from lib.cli import resting, waiting
from lib.cli.place import Place
from lib.dream import gates, schedule, sessions, stamp
from lib.host import program
from lib.host.paths import own_dir
from lib.journal import Journal, Run, failing, newest
from lib.memory import freshness, index, store
from lib.model import budget, choice, outage
from lib.recall import delivery

SESSIONS = 20  # journals looked at, newest first
COUNTED = 2_000  # memories whose type is counted


@dataclass(frozen=True)
class Standing:
    """Times are seconds since the epoch, None for never; sentences are for people."""

    project: str
    memory: str
    count: int
    types: dict[str, int]
    switch: str
    resting: str
    native: str
    backend: str
    reason: str
    faults: list[tuple[str, str, float]]
    spent: float
    limit: float
    last_extraction: float | None
    last_run: str
    captured: dict[str, int]
    last_dream: float | None
    dream_words: str
    next: str
    review: int
    problems: list[str]

    @property
    def captured_words(self) -> str:
        """What came of the turns of late: a hook that runs and finds nothing is seen here."""
        made, ends, lost = (self.captured[key] for key in ("changes", "ends", "without_transcript"))
        missing = f", {lost} of them without a transcript" if lost else ""
        told = f"{made} change{'' if made == 1 else 's'} from {self.captured['turns']} turns"
        return f"{told} ({ends} ends of turns noted{missing})"


def of(place: Place) -> Standing:
    now = time.time()
    chosen = choice.choose(place.settings, os.environ, now=now)
    left = budget.today(place.config, place.settings, now)
    entries = store.entries(place.memory)
    events = [event for name in newest(place.state, SESSIONS) for event in Journal(place.state, name).events()]
    at, run = _last(place, events)
    last, words, coming = _dream(place, now)
    types = Counter(memory.type or "untyped" for memory in store.scan(place.memory, COUNTED))
    return Standing(
        place.root, place.memory, len(entries),
        {kind: types[kind] for kind in (*store.TYPES, "untyped") if types[kind]},
        place.settings.switched_off(os.environ), resting.mode(place), _native(place), chosen.backend, chosen.reason,
        # A fault that is the reason of the choice is said there, and only there.
        [fault for fault in _faults(place.config, now) if fault[1] not in chosen.reason],
        left.spent, left.limit, at, run, _captured(events), last, words, coming, len(waiting.everywhere(place)),
        _problems(place),
    )  # fmt: skip


def record(found: Standing) -> dict[str, object]:
    """The stable keys of `status --json`."""
    told = {name: getattr(found, name) for name in (
        "project", "memory", "count", "types", "switch", "resting", "native", "backend", "reason", "spent", "limit",
        "last_extraction", "captured", "last_dream", "next", "review", "problems",
    )}  # fmt: skip
    faults = [{"backend": backend, "reason": reason, "since": since} for backend, reason, since in found.faults]
    return {**told, "faults": faults}


def _native(place: Place) -> str:
    """What the client's own memory does: where it loads the index, the hooks do not."""
    client = program.located(place.config, os.environ)
    if client is None:
        return "no client of Claude Code found here"
    name = f"Claude Code {client.version}".rstrip()
    if place.settings.switched_off(os.environ) in ("autoMemoryEnabled", "CLAUDE_CODE_DISABLE_AUTO_MEMORY"):
        return f"{name}: off"
    loads = delivery.native({"CLAUDECODE": "1"}, client.version)
    return f"{name} loads MEMORY.md itself" if loads else f"{name} does not load MEMORY.md: the hooks deliver it"


def _faults(config: str, now: float) -> list[tuple[str, str, float]]:
    """What did not work and has not worked since, within the last week."""
    found = [(backend, outage.known(config, backend)) for backend in outage.BACKENDS]
    return [(name, fault.reason, fault.since) for name, fault in found if fault and now - fault.since < 7 * outage.DAY]


def _captured(events: list[dict[str, object]]) -> dict[str, int]:
    counts = dict.fromkeys(("ends", "without_transcript", "runs", "turns", "changes"), 0)
    for event in events:
        changes, seen = event.get("changes"), event.get("turns")
        counts["ends"] += event.get("e") == "stop"
        counts["without_transcript"] += event.get("e") == "stop" and not event.get("transcript")
        if event.get("e") == "extract":
            counts["runs"] += 1
            counts["turns"] += seen if isinstance(seen, int) else 0
            counts["changes"] += len(changes) if isinstance(changes, list) else 0
    return counts


def _last(place: Place, events: list[dict[str, object]]) -> tuple[float | None, str]:
    runs = [(at, event) for event in events if event.get("e") == "extract" and isinstance(at := event.get("t"), float)]
    if not runs:
        return None, f"none yet (what went wrong is in {os.path.join(own_dir(place.config), 'log.jsonl')})"
    at, event = max(runs, key=lambda run: run[0])
    changes = event.get("changes")
    count = len(changes) if isinstance(changes, list) else 0
    told = f"{outage.clock(at)}, {event.get('backend')}, {count} change{'' if count == 1 else 's'}; memory.py why"
    return at, told


def _dream(place: Place, now: float) -> tuple[float | None, str, str]:
    """When it last was, in words, and what the next one waits for."""
    last = stamp.last_consolidated(place.memory, now)
    since = len(sessions.since(sessions.folders(place.config, place.state, place.root), last, ""))
    off = "disabled" if place.settings.switched_off(os.environ) else resting.mode(place)
    verdict = schedule.first_gates(place.settings, os.environ, off, place.memory, place.state, now, since)
    hours, enough = place.settings.option("dream.minHours"), place.settings.option("dream.minSessions")
    if isinstance(verdict, Run):
        coming = "due when the next turn ends"
    elif verdict.reason == "min_hours" and last is not None:
        coming = f"not before {outage.clock(last + hours * gates.HOUR)}, after {enough} sessions ({since} so far)"
    elif verdict.reason == "min_sessions":
        coming = f"after {enough} sessions ({since} so far)"
    else:
        coming = f"not by itself ({verdict.reason})"
    when = f"{outage.clock(last)} ({freshness.words(last, now)})" if last else "never yet"
    return last, f"{when}; next {coming}", coming


def _problems(place: Place) -> list[str]:
    """What is known to be wrong without looking closer than a status should."""
    found = list(place.settings.problems)
    for kind, row in failing.known(place.config).items():
        count = row.get("count")
        if isinstance(count, int) and count >= failing.IN_A_ROW:
            found.append(f"{kind} failed {count} times in a row ({row.get('cause')})")
    cut = over_limits(place.memory)
    return [*found, cut] if cut else found


def over_limits(memory: str) -> str:
    """What of the index is not loaded, in one sentence, or ""."""
    try:
        with open(os.path.join(memory, store.INDEX), "rb") as file:
            rows = file.read(index.READ_LIMIT).decode("utf-8", "replace").rstrip("\n").split("\n")
    except OSError:
        return ""
    left = len(rows) - index.loaded(rows)
    return f"{store.INDEX} is over its limits: the last {left} of {len(rows)} lines are not loaded" if left > 0 else ""
