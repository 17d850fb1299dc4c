"""One writer at a time in a memory directory: a kernel lock on a file that is never removed. Design rule 8."""

from __future__ import annotations

import contextlib
import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = ".memory.lock"
PATIENCE = 5.0  # seconds; a writer holds it for milliseconds, and the kernel frees a dead one's


@contextlib.contextmanager
def held(directory: str, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the directory's lock; TimeoutError when another writer keeps it for longer than `patience` seconds."""
    os.makedirs(directory, mode=0o700, exist_ok=True)
    descriptor = acquire(os.path.join(directory, NAME), patience)
    if descriptor is None:
        raise TimeoutError(f"{directory} is being written by another process for more than {patience} s")
    try:
        yield
    finally:
        os.close(descriptor)


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
