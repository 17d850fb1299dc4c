"""What the hooks and the worker stand on: the disk, the state, and whether the work gets done. Reads only. Req: J2."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

from lib.cli import resting
from lib.cli.finding import Row
from lib.cli.place import Place
from lib.host import paths
from lib.journal import Journal, failing, newest
from lib.model import ledger

SESSIONS = 50  # journals looked at for other projects, newest first
ROOM = 50_000_000  # bytes that must be free
LATE = 900.0  # seconds after which work that waits was not begun, or was cut off


def disk(place: Place) -> Iterator[Row]:
    """Whether what we write can be written."""
    for root in _sharing(place):
        yield Row("shared folder", f"{root} has the same memory directory", "shared-folder")
    for what, folder in (("memory directory", place.memory), ("state", place.state)):
        if not os.path.lexists(folder):
            yield Row(what, f"{folder} (not there yet)")
        elif not os.path.isdir(folder) or not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            yield Row(what, folder, "not-writable")
        else:
            free = shutil.disk_usage(folder).free
            full = f"{folder}: {free / 1e6:.0f} MB free" if free < ROOM else ""
            yield Row(what, full or folder, "disk-full" if full else "")
    try:
        ledger.ready(place.config)
        yield Row("ledger", "can be written")
    except OSError as error:
        yield Row("ledger", f"cannot be written ({error.strerror}): no model is asked", "not-writable",
                  f"mend {error.filename}")  # fmt: skip


def _sharing(place: Place) -> list[str]:
    """Other projects whose sessions were noted in this one's state: their slugs are the same."""
    launches = {Journal(place.state, session).state().launch for session in newest(place.state, SESSIONS)}
    roots = {paths.project_root(launch) for launch in launches if os.path.isabs(launch) and os.path.isdir(launch)}
    return sorted(roots - {place.root})


def workers(place: Place, now: float) -> Iterator[Row]:
    """What failed in a row and has not worked since, and what nobody came for."""
    bad = False
    for kind, row in failing.known(place.config).items():
        count = row.get("count")
        if isinstance(count, int) and count >= failing.IN_A_ROW:
            bad = True
            yield Row("worker", f"{kind} failed {count} times in a row ({row.get('cause')})", "worker-failing")
    waits = max((age for session in newest(place.state, SESSIONS) if (age := _waiting(place, session, now)) > LATE),
                default=0.0)  # fmt: skip
    if waits and not resting.mode(place):
        bad = True
        yield Row("worker", f"a turn that ended {waits / 60:.0f} minutes ago was not looked at", "worker-absent")
    if not bad:
        yield Row("worker", "nothing fails in a row, nothing is late")


def _waiting(place: Place, session: str, now: float) -> float:
    """Seconds since a session with work due was last heard of; 0 when nothing of it waits."""
    journal = Journal(place.state, session)
    state = journal.state()
    if state.off or not state.pending:
        return 0.0
    try:
        return now - os.stat(journal.path).st_mtime
    except OSError:
        return 0.0
