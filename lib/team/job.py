"""The worker's part: which project has something to exchange with its team, a round of it, how it went. Req: H1."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from lib.host import paths, replacement, settings
from lib.host.paths import TEAM_PULL, TEAM_PUSH
from lib.journal import Journal, newest
from lib.team import choice, opening, place, reconciliation, schedule
from lib.team.choice import Choice
from lib.team.problems import StoreProblem

REPORT = "report.json"
JOURNALS = 20  # looked at, newest first, for one that knows its folder
NAMED = 20  # keys that a row of the journal names


@dataclass(frozen=True)
class Due:
    """A project whose round is due: its folder, memories and state, the session that is current."""

    launch: str
    memory: str
    state: str
    session: str
    choice: Choice


@dataclass(frozen=True)
class Report:
    """How the last round went: when (seconds, epoch), `reason` "" when well, failures in a row, last success."""

    at: float = 0.0
    reason: str = ""
    failures: int = 0
    succeeded: float = 0.0
    pulled: int = 0
    pushed: int = 0


def due(state: str, env: Mapping[str, str], now: float) -> Due | None:
    """The round that is due in a project's state, None for no. Two file times are looked at where there is no team."""
    moments = [schedule.moment(state, mark) for mark in (TEAM_PULL, TEAM_PUSH)]
    if moments[0] < 0 or not any(0 <= moment <= now for moment in moments):
        return None
    known = newest(state, JOURNALS)
    launch = next((launch for session in known if (launch := Journal(state, session).state().launch)), "")
    if not launch:
        return None
    config = settings.load(env, launch)
    chosen = choice.in_force(place.state_folder(state), config)
    memory = paths.memory_path(launch, env, config)
    if config.switched_off(env) or not chosen.on or not memory:
        for mark in (TEAM_PULL, TEAM_PUSH):
            if schedule.moment(state, mark) >= 0:
                schedule.put_off(state, mark, now + schedule.IDLE)
        return None
    return Due(launch, memory, state, known[0], chosen)


def attempt(work: Due, env: Mapping[str, str], now: float) -> Report:
    """One round, noted in the journal; after failures in a row the next is put off for longer and longer."""
    started = time.monotonic()
    before = report(work.state)
    # Noted before: a run that never ends counts as one that failed.
    _note(work.state, Report(now, "it did not come to its end", before.failures + 1, before.succeeded))
    _put_off(work.state, now + schedule.pause(before.failures, 0.0))
    row: dict[str, object]
    try:
        folder = place.state_folder(work.state)
        store = opening.opened(work.choice, paths.project_root(work.launch), folder, env)
        done = reconciliation.run(store, work.memory, work.state, opening.origin(work.choice), now)
    except (StoreProblem, OSError) as problem:
        wait = problem.wait if isinstance(problem, StoreProblem) else 0.0
        _put_off(work.state, now + schedule.pause(before.failures, wait))
        after = Report(now, str(problem)[:300], before.failures + 1, before.succeeded)
        row = {"ok": False, "reason": after.reason}
    else:
        after = settled(work.state, done, now)
        row = {"ok": True, "reason": "", "pulled": done.pulled, "pushed": done.pushed[:NAMED],
               "held": dict(list(done.held.items())[:NAMED]), "yielded": done.yielded[:NAMED]}  # fmt: skip
    _note(work.state, after)
    row["ms"] = int((time.monotonic() - started) * 1000)
    if after.reason != before.reason or any(row.get(key) for key in ("pulled", "pushed", "yielded")):
        Journal(work.state, work.session).append("team", **row)
    return after


def settled(state: str, done: reconciliation.Outcome, now: float) -> Report:
    """What follows from a round that came to its end; what was written here meanwhile goes with the next turn."""
    schedule.put_off(state, TEAM_PULL, now + schedule.EVERY)
    if done.again or done.more:
        schedule.put_off(state, TEAM_PUSH, now + (schedule.FIRST if done.again else 0))
    else:
        schedule.drop(state, TEAM_PUSH)
    after = Report(now, "", 0, now, done.pulled, len(done.pushed))
    _note(state, after)
    return after


def report(state: str) -> Report:
    """How the last round went; nothing readable counts as none yet."""
    try:
        with open(os.path.join(state, "team", REPORT), "rb") as file:
            raw = json.loads(file.read(65_536))
        return Report(
            float(raw["at"]), str(raw["reason"]), int(raw["failures"]), float(raw["succeeded"]), int(raw["pulled"]),
            int(raw["pushed"]),
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return Report()


def _put_off(state: str, until: float) -> None:
    for mark in (TEAM_PULL, TEAM_PUSH):
        if schedule.moment(state, mark) >= 0:
            schedule.put_off(state, mark, until)


def _note(state: str, made: Report) -> None:
    replacement.put(os.path.join(place.state_folder(state), REPORT), json.dumps(asdict(made)).encode())
