"""One writer at a time in a memory directory: a kernel lock on a file that is never removed. Design rule 8."""

from __future__ import annotations

import os
import time

NAME = ".memory.lock"
PATIENCE = 5.0  # seconds; a writer holds it for milliseconds, and the kernel frees a dead one's


class held:
    """Hold the directory's lock; TimeoutError when another writer keeps it for longer than `patience` seconds."""

    def __init__(self, directory: str, patience: float = PATIENCE) -> None:
        self._directory = directory
        self._patience = patience
        self._descriptor = -1

    def __enter__(self) -> None:
        os.makedirs(self._directory, mode=0o700, exist_ok=True)
        descriptor = acquire(os.path.join(self._directory, NAME), self._patience)
        if descriptor is None:
            raise TimeoutError(f"another process has been writing {self._directory} for more than {self._patience} s")
        self._descriptor = descriptor

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)


def acquire(path: str, patience: float = 0.0) -> int | None:
    """A descriptor that holds the lock file until it is closed, or None while somebody else does."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(path, flags, 0o600)
    deadline = time.monotonic() + patience
    while not _try(descriptor):
        if time.monotonic() >= deadline:
            os.close(descriptor)
            return None
        time.sleep(0.01)
    return descriptor


def _try(descriptor: int) -> bool:
    try:
        import fcntl
    except ImportError:
        import msvcrt

        locking, mode = getattr(msvcrt, "locking"), getattr(msvcrt, "LK_NBLCK")  # noqa: B009 - absent on POSIX
        try:
            locking(descriptor, mode, 1)
        except OSError:
            return False
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
