"""One run of the client as a child of ours: alone, bounded in time and output, ended with its whole group. Req: J3, J4.

The child is noted with its PID and start time before anybody waits for it, so that a worker after a killed one ends
what that one left, and never a stranger who got the number.
"""

from __future__ import annotations

import json
import math
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lib.host import paths
from lib.memory import lock
from lib.model.task import Unavailable

NOTE = "child.json"
LOCK = "child.lock"
OUTPUT = 8_000_000  # bytes of stdout that are kept; a result is some kilobytes
ERRORS = 20_000
QUEUE_SECONDS = 60.0  # for the child of another project to end
GRACE = 2.0  # seconds between asking to end and ending
TICK = 0.02


@dataclass(frozen=True)
class Ended:
    """How a run ended; `status` is negative for a signal. `late`: over its deadline, `flood`: over its output."""

    status: int
    out: bytes
    err: bytes
    late: bool = False
    flood: bool = False


@dataclass(frozen=True)
class Start:
    """What to start: absolute program, its environment, folder, a file that it reads, and all its seconds."""

    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: str
    stdin: str
    seconds: float


def run(start: Start, config: str, each_tick: Callable[[], None] = lambda: None) -> Ended:
    """Run it to its end under the one lock that all projects share. Raises Unavailable when it could not start."""
    own = paths.own_dir(config)
    os.makedirs(own, mode=0o700, exist_ok=True)
    held = lock.acquire(os.path.join(own, LOCK), QUEUE_SECONDS)
    if held is None:
        raise Unavailable("the client is at work for another project", "deadline")
    try:
        end_left_over(config)
        return _alone(start, config, each_tick)
    finally:
        os.close(held)


def end_left_over(config: str) -> bool:
    """End the child that a killed worker left behind, by its recorded PID and start time; True when there was one."""
    path = os.path.join(paths.own_dir(config), NOTE)
    try:
        with open(path, "rb") as file:
            noted = json.loads(file.read(1000))
    except (OSError, ValueError):
        return False
    pid, started = (noted.get("pid"), noted.get("started")) if isinstance(noted, dict) else (None, None)
    if not isinstance(pid, int) or pid <= 1 or started is None or _started(pid) != started:
        os.unlink(path)
        return False
    _signal(pid, signal.SIGKILL)
    os.unlink(path)
    return True


def _alone(start: Start, config: str, each_tick: Callable[[], None]) -> Ended:
    seconds = min(start.seconds, _left_of_alarm())
    if seconds < 1:
        raise Unavailable("no time is left in this run", "deadline")
    try:
        with open(start.stdin, "rb") as prompt:
            child = subprocess.Popen(
                list(start.argv), env=dict(start.env), cwd=start.cwd, stdin=prompt, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, start_new_session=True, preexec_fn=_own_alarm(seconds),
            )  # fmt: skip
    except OSError as error:
        raise Unavailable(f"the client could not be started ({error.strerror}: {start.argv[0]})", "missing") from error
    note = os.path.join(paths.own_dir(config), NOTE)
    try:
        with open(note, "w", encoding="ascii") as file:
            json.dump({"pid": child.pid, "started": _started(child.pid)}, file)
        out, err, late, flood = _watched(child, time.monotonic() + seconds, each_tick)
    finally:
        _end(child)
        if os.path.exists(note):
            os.unlink(note)
    # On a busy machine the kernel's alarm may come before our own look at the clock.
    late = late or (hasattr(signal, "SIGALRM") and child.returncode == -signal.SIGALRM)
    return Ended(child.returncode, out, err, late, flood)


def _watched(
    child: subprocess.Popen[bytes], end: float, each_tick: Callable[[], None]
) -> tuple[bytes, bytes, bool, bool]:
    """stdout, stderr, and whether it ran over its deadline or its output. It is not waited for yet: see `_end`."""
    assert child.stdout is not None and child.stderr is not None
    told, errors = child.stdout.fileno(), child.stderr.fileno()
    kept = {told: bytearray(), errors: bytearray()}
    limits = {told: OUTPUT, errors: ERRORS}
    late = flood = ended = False
    with selectors.DefaultSelector() as waiting:
        for descriptor in kept:
            waiting.register(descriptor, selectors.EVENT_READ)
        while not (late or flood or ended):
            # Asked before the pipes are read, so that the last words of one that ended are read too; a grandchild
            # that holds a pipe open does not hold us.
            ended = _exited(child)
            ready = waiting.select(0 if ended else TICK) if waiting.get_map() else []
            if not ready and not ended and not waiting.get_map():
                time.sleep(TICK)
            while ready and not flood:
                for key, _ in ready:
                    piece = os.read(key.fd, 1 << 16)
                    if not piece:
                        waiting.unregister(key.fd)
                    room = limits[key.fd] - len(kept[key.fd])
                    kept[key.fd] += piece[: max(0, room)]
                    flood = flood or (key.fd == told and len(piece) > room)
                late = time.monotonic() >= end
                ready = waiting.select(0) if ended and not late and waiting.get_map() else []
            each_tick()
            late = late or (not ended and time.monotonic() >= end)
    return bytes(kept[told]), bytes(kept[errors]), late, flood


def _exited(child: subprocess.Popen[bytes]) -> bool:
    """Whether it ended, without reaping it: its PID stays its own until its group has been ended too."""
    if not hasattr(os, "waitid"):
        return child.poll() is not None
    return os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _end(child: subprocess.Popen[bytes]) -> None:
    """Leave nothing of the child's group and no zombie; it may ignore being asked."""
    if child.returncode is None and not _exited(child):
        _signal(child.pid, signal.SIGTERM)
        end = time.monotonic() + GRACE
        while not _exited(child) and time.monotonic() < end:
            time.sleep(TICK)
    if child.returncode is None:
        _signal(child.pid, signal.SIGKILL)  # what it left behind in its group goes with it
        child.wait()
    for pipe in (child.stdout, child.stderr):
        if pipe is not None:
            pipe.close()


def _signal(pid: int, number: int) -> None:
    """To the group that the child leads; the PID is not free for others while its group lives."""
    try:
        os.killpg(pid, number)
    except (ProcessLookupError, PermissionError):
        return


def _started(pid: int) -> float | None:
    import psutil

    try:
        return float(psutil.Process(pid).create_time())
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return None


def _left_of_alarm() -> float:
    """What the worker's own deadline leaves: it must be there to end its child."""
    left = signal.getitimer(signal.ITIMER_REAL)[0] if hasattr(signal, "getitimer") else 0.0
    return left - 2 * GRACE if left else 1e9


def _own_alarm(seconds: float) -> Callable[[], None] | None:
    """The kernel's deadline for the child: it survives exec and holds even when the worker is killed."""
    if not hasattr(signal, "alarm"):
        return None

    def set_alarm() -> None:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(math.ceil(seconds + 3 * GRACE))

    return set_alarm
