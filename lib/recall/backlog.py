"""A note that the saved index is behind: a prompt takes in a part only, the worker does the rest. Req: C1."""

from __future__ import annotations

import os

FILE = "recall.behind"
LONGEST = 4_096  # bytes of a path


def note(state: str, launch: str) -> bool:
    """Say that the index of the project started in `launch` is behind; False when that cannot be written."""
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(os.path.join(state, FILE), flags, 0o600)
    except OSError:
        return False
    try:
        data = os.fsencode(launch)[:LONGEST]
        if os.write(descriptor, data) < len(data):
            os.ftruncate(descriptor, 0)  # half a path is another one
            return False
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def waits(state: str) -> bool:
    return os.path.exists(os.path.join(state, FILE))


def take(state: str) -> str:
    """Where the project was started, "" when nothing is noted; the note is gone, whatever becomes of the work."""
    path = os.path.join(state, FILE)
    try:
        with open(path, "rb") as file:
            launch = os.fsdecode(file.read(LONGEST))
        os.unlink(path)
    except OSError:
        return ""
    return launch if os.path.isabs(launch) and "\0" not in launch else ""
