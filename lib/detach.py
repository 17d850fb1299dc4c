"""Start the project's worker so that nobody waits for it and nothing of the host's stays open. Req: B1, J4."""

from __future__ import annotations

import os
import sys

from lib.memory import lock

WORKER_LOCK = "worker.lock"
HANDED = 3  # the descriptor on which a worker is given its lock
_SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker.py")
_DESCRIPTORS = 256  # closed in the child where they cannot be listed: a host waits for the end of its pipes


def start(state: str) -> bool:
    """Start a worker for a project's state folder unless one is at work; call it after the journal has the event.

    A worker at work looks at the journals once more after it let go of its lock, so what was noted before is not lost.
    The new one is handed the lock, where there is a fork: of many turns that end at once one starts a worker.
    """
    os.makedirs(state, mode=0o700, exist_ok=True)
    held = lock.acquire(os.path.join(state, WORKER_LOCK))
    if held is None:
        return False
    command = [_interpreter(), "-I", _SCRIPT, state]
    try:
        if hasattr(os, "fork"):
            _fork([*command, str(HANDED)], held)
            return True
    finally:
        os.close(held)
    _spawn(command)
    return True


def handed(state: str, descriptor: int) -> bool:
    """Whether this descriptor of ours is the project's lock, held since before this process began."""
    try:
        there, ours = os.stat(os.path.join(state, WORKER_LOCK)), os.fstat(descriptor)
        os.set_inheritable(descriptor, False)  # nothing that the worker starts may keep the lock
    except OSError:
        return False
    return (there.st_ino, there.st_dev) == (ours.st_ino, ours.st_dev)


def waits(state: str, mark: str, now: float) -> bool:
    """Whether a job that has such a file in the project's state may start: its time is the earliest moment."""
    try:
        return os.stat(os.path.join(state, mark)).st_mtime <= now
    except OSError:
        return False


def _interpreter() -> str:
    """Ours, which install.py chose; a plugin's hooks run under any Python, and the worker needs packages."""
    if "--plugin" not in sys.argv:
        return sys.executable
    from lib.host import plugin

    return plugin.worker_python() or sys.executable


def _fork(command: list[str], held: int) -> None:
    """Fork twice: the worker is nobody's child and has a session of its own. Cheaper than importing subprocess."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    try:
        os.setsid()
        if os.fork():
            os._exit(0)
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        if held == HANDED:
            os.set_inheritable(held, True)
        else:
            os.dup2(held, HANDED)
        _close_the_hosts()
        os.chdir(os.path.dirname(_SCRIPT))  # the host's folder may be removed while the worker runs
        os.execv(command[0], command)
    finally:
        os._exit(1)


def _close_the_hosts() -> None:
    """Close every descriptor beyond the streams and the lock, those that the host left open for us included."""
    try:
        highest = max(map(int, os.listdir("/proc/self/fd")))
    except (OSError, ValueError):
        highest = 0
    os.closerange(HANDED + 1, max(_DESCRIPTORS, highest + 1))


def _spawn(command: list[str]) -> None:
    import subprocess

    flags = 0x00000008 | 0x00000200 | 0x08000000  # detached, own process group, no window
    nothing = subprocess.DEVNULL
    subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing, close_fds=True, creationflags=flags)
