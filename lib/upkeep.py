"""The worker's jobs that belong to no turn: the exchange with the team, the consolidation. Req: G1, H1."""

from __future__ import annotations

import os
import signal
import time

from lib import boundary
from lib.agents.seat import journals
from lib.dream import job as dream
from lib.host import paths, replacement
from lib.journal import Journal, aging, failing, newest
from lib.memory.store import TEAM
from lib.recall import postings, shared
from lib.recall.delivery import INDEX_FILE
from lib.team import job as team

SESSIONS = 20  # journals that are looked at, newest first
EXCHANGE = 120  # seconds; a remote that does not answer must not hold up the rest for longer


def exchange(state: str, deadline: int) -> None:
    """Send and take what is new when that is due; it has a deadline of its own, what comes after has `deadline`."""
    now = time.time()
    try:
        if due := team.due(state, os.environ, now):
            give(EXCHANGE)
            team.attempt(due, os.environ, now)
            postings.refresh(os.path.join(due.memory, TEAM), os.path.join(state, shared.INDEX_FILE))
            give(deadline)
    except OSError as error:
        _say(f"team: {type(error).__name__}: {error}")


def consolidate(state: str, deadline: int) -> None:
    """Consolidate the project's memories when all gates let it pass; it has a deadline of its own."""
    now = time.time()
    try:
        if due := dream.due(state, os.environ, now):
            give(deadline)
            report = dream.attempt(*due, now)
            if report is None or report.reason != "locked":
                problem = "see memory.py why" if report is None else report.refused or report.reason
                counted("tidying up", state, "" if report and report.ok else problem)
            postings.refresh(due[0].memory, os.path.join(state, INDEX_FILE))
    except OSError as error:
        _say(f"dream: {type(error).__name__}: {error}")


def sweep(state: str) -> None:
    """Remove what killed writers left of this project's state and of what all share; keep the journals short."""
    now = time.time()
    for folder in (state, journals(state)):
        aging.drop_old(folder, now)
        for name in newest(folder, SESSIONS):
            Journal(folder, name).compact()
    replacement.sweep(state, now)
    replacement.sweep(paths.own_dir(paths.config_dir(os.environ)), now, below=False)


def counted(what: str, state_dir: str, problem: str, times: int = 1) -> None:
    """One end of a job of this project, good ("") or bad: what fails again and again is said to the person."""
    config = paths.config_dir(os.environ)
    kind = f"{what} in the project {os.path.basename(state_dir)}"
    if problem:
        failing.failed(config, kind, problem, times=times)
    else:
        failing.worked(config, kind)


def give(seconds: int) -> None:
    """From now on the kernel ends the process after so many seconds."""
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


def _say(what: str) -> None:
    boundary.note(paths.config_dir(os.environ), "worker", what)
