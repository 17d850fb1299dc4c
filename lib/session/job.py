"""The worker's part of the summary: which session is due, one update of it, and the note of how it went. Req: D1."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping

from lib.host import settings
from lib.host.paths import config_dir, slug, transcripts
from lib.journal import Journal, State, newest
from lib.session import archive, run

JOURNALS = 50  # looked at, newest first, for the folders of the project's transcripts
STAMP = "archive.looked"  # in the project's state; its time is that of the last look
ATTEMPTS = 3  # updates that began and did not end, before what was due is let go


def due(state_dir: str, sessions: Iterable[str]) -> tuple[str, State] | None:
    """The first session whose summary is due."""
    for session in sessions:
        state = Journal(state_dir, session).state()
        if state.progress.pending and state.transcript:
            return session, state
    return None


def attempt(state_dir: str, session: str, state: State, env: Mapping[str, str]) -> bool:
    """Update one summary; False when that failed and is to be tried again when the next turn ends."""
    journal, progress, started = Journal(state_dir, session), state.progress, time.monotonic()
    done = {"noted": progress.wanted, "tokens": progress.wanted_tokens, "calls": progress.wanted_calls}
    if progress.failures >= ATTEMPTS:
        journal.append("summary", backend="none", reason=f"given up after {ATTEMPTS} attempts", **done)
        return True
    journal.append("summarizing")
    config = settings.load(env, state.launch)
    # Only of the very turn that is summed up: a later one's words are not known to be about this.
    said = state.last_said if progress.wanted == progress.looked else ""
    source = run.Source(session, state.transcript, state.launch, config, env, said)
    try:
        report = run.update(source, progress.noted, progress.wanted)
    except (OSError, ValueError) as error:
        journal.append("summary_failed", reason=f"{type(error).__name__}: {error}"[:300])
        return False
    took = round((time.monotonic() - started) * 1000)
    journal.append(
        "summary", backend=report.backend, reason=report.reason[:300], turns=report.turns, ms=took, **done
    )
    return True


def archive_due(state_dir: str, env: Mapping[str, str], now: float) -> list[str]:
    """Once a day keep the project's transcripts that the client would soon delete; what was taken in. Req: E4."""
    states = [Journal(state_dir, session).state() for session in newest(state_dir, JOURNALS)]
    launch = next((state.launch for state in states if state.launch), "")
    config = settings.load(env, launch)
    stamp = os.path.join(state_dir, STAMP)
    if not launch or not config.option("archive.enabled") or _age(stamp, now) < archive.DAY:
        return []
    with open(stamp, "wb"):
        os.utime(stamp, (now, now))
    own = os.path.join(config_dir(env), "projects", slug(os.path.realpath(launch)))
    folders = dict.fromkeys([own, *filter(None, (transcripts(state.transcript) for state in states))])
    return archive.keep(state_dir, (path for folder in folders for path in _transcripts(folder)), config, now)


def _age(path: str, now: float) -> float:
    """Seconds; a time in the future was set by a wrong clock and counts as long ago."""
    try:
        age = now - os.stat(path).st_mtime
    except OSError:
        return now
    return age if age >= 0 else now


def _transcripts(folder: str) -> list[str]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    return [
        os.path.join(folder, name)
        for name in names
        if name.endswith(".jsonl") and not name.startswith("agent-") and not os.path.islink(os.path.join(folder, name))
    ]
