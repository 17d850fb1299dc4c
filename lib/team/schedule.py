"""When the team's job may run: two files in our state whose times are the earliest moments. Req: H1."""

from __future__ import annotations

import os

from lib.host.paths import TEAM_PULL, TEAM_PUSH

EVERY = 300.0  # seconds between two pulls
FIRST, LONGEST = 60.0, 6 * 3600.0  # seconds after a failure, doubled with each, up to the longest
IDLE = 600.0  # seconds until the next look where nothing is shared


def put_off(state: str, mark: str, until: float) -> None:
    """Not before `until`, in seconds since the epoch. OSError passes through."""
    path = os.path.join(state, mark)
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600))
    os.utime(path, (until, until))


def note_write(state: str, file: str, now: float) -> None:
    """A memory was written: one below memory/team goes out after the turn, where a team is set up.

    A store that asked for patience is not asked sooner for that.
    """
    if file.startswith(f"team{os.sep}") and moment(state, TEAM_PULL) >= 0 > moment(state, TEAM_PUSH):
        put_off(state, TEAM_PUSH, now)


def moment(state: str, mark: str) -> float:
    """The earliest moment, -1 when there is none."""
    try:
        return os.stat(os.path.join(state, mark)).st_mtime
    except OSError:
        return -1.0


def drop(state: str, mark: str) -> None:
    """There is no such moment any more."""
    try:
        os.unlink(os.path.join(state, mark))
    except FileNotFoundError:
        return


def pause(failures: int, asked: float) -> float:
    """Seconds until the next attempt after so many failures in a row; never sooner than the store `asked` for."""
    return max(asked, min(LONGEST, FIRST * 2.0 ** min(failures, 20)))
