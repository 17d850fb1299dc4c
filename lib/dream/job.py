"""The worker's part: all gates, and when they let it pass one consolidation of the project. Req: G1, J3."""

from __future__ import annotations

import datetime
import os
import time
from collections.abc import Mapping

from lib.dream import marks, run, schedule, sessions, stamp
from lib.dream.lock import ConsolidateLock
from lib.dream.scene import Report, Scene
from lib.host import paths, settings
from lib.host.call import resting
from lib.journal import Journal, Run, Skip, newest

LONGEST = 6 * 3600.0  # seconds between two attempts after failures
JOURNALS = 20  # looked at, newest first, for one that knows its folder


def due(state: str, env: Mapping[str, str], now: float) -> tuple[Scene, str] | None:
    """The scene of a consolidation that all gates let pass, with the session that is current; None for a no.

    A no that took a look at the sessions stands in the journal.
    """
    current, launch = _current(state)
    if not launch:
        return None
    config = settings.load(env, launch)
    memory = paths.memory_path(launch, env, config)
    off = "disabled" if config.switched_off(env) else resting(paths.config_dir(env), os.path.basename(state))
    if not os.path.isdir(memory):
        return None
    first = schedule.first_gates(config, env, off, memory, state, now)
    if isinstance(first, Skip):
        return None
    last = stamp.last_consolidated(memory, now)
    found = sessions.since(sessions.folders(paths.config_dir(env), state, launch), last, current)
    schedule.put_off(state, now + schedule.THROTTLE)
    verdict = schedule.first_gates(config, env, off, memory, state, now, len(found))
    if isinstance(verdict, Run) and ConsolidateLock(memory).taken():
        verdict = Skip("locked")
    if isinstance(verdict, Skip):
        Journal(state, current).append("dream", reason=verdict.reason, sessions=len(found))
        return None
    today = datetime.date.fromtimestamp(now)
    return Scene(memory, state, launch, config, env, today, current, tuple(found)), current


def attempt(scene: Scene, session: str, now: float) -> Report | None:
    """Run one consolidation and note it; after failures in a row the next look is put off for longer and longer."""
    journal, started = Journal(scene.state, session), time.monotonic()
    # Noted before: a run that never ends counts as one that failed.
    failures = _begin(scene.state, now)
    try:
        report = run.consolidate(scene)
    except OSError as error:
        journal.append("dream", ok=False, reason=f"{type(error).__name__}: {error}"[:300])
        return None
    if not report.ok and report.reason == "locked":
        marks.save(scene.state, marks.Marks(marks.load(scene.state).logs, failures))
    if report.ok:
        schedule.put_off(scene.state, now + schedule.THROTTLE)
    journal.append("dream", ms=round((time.monotonic() - started) * 1000), **report.row())
    return report


def _begin(state: str, now: float) -> int:
    known = marks.load(state)
    before = known.failures
    known.failures += 1
    schedule.put_off(state, now + min(LONGEST, schedule.THROTTLE * 4.0 ** min(before, 10)))
    marks.save(state, known)
    return before


def _current(state: str) -> tuple[str, str]:
    """The session that was heard of last, and the folder that the project's sessions were launched in."""
    known = newest(state, JOURNALS)
    for session in known:
        if launch := Journal(state, session).state().launch:
            return known[0], launch
    return "", ""
