"""What a command starts and what it leaves running: counted by the kernel's own records, for any program."""
from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

TRACED = "trace=clone,clone3,fork,vfork"
PATIENCE = 60  # seconds for one traced run
_LINE = re.compile(r"^(\d+) +(.*)$")
_CALL = re.compile(r"(?:<\.\.\. )?(?:clone3?|v?fork)\b")
_RESULT = re.compile(r"= (\d+)$")


class Process(NamedTuple):
    """One living process: memory in MB, processor time in seconds since its start."""

    pid: int
    started: int  # ticks since the boot, so that a reused number is not taken for it
    name: str
    megabytes: float
    cpu: float


def children(trace: str) -> int:
    """How many processes the lines of `strace -f` tell of, the first one not counted; threads are no processes."""
    threads: set[str] = set()
    count = 0
    for line in trace.splitlines():
        found = _LINE.match(line.strip())
        if not found or not _CALL.match(found[2]):
            continue
        pid, call = found[1], found[2]
        if not call.startswith("<..."):
            threads.discard(pid)
            if "CLONE_THREAD" in call:
                threads.add(pid)
        result = _RESULT.search(call)
        if result and int(result[1]) > 0 and pid not in threads:
            count += 1
    return count


def started(argv: Sequence[str], stdin: bytes, env: Mapping[str, str]) -> int | None:
    """Processes that one run starts, its own included; None without strace."""
    if not (strace := shutil.which("strace")):
        return None
    with tempfile.NamedTemporaryFile("r") as trace:
        command = [strace, "-f", "-qq", "-e", TRACED, "-e", "signal=none", "-o", trace.name, *argv]
        process = subprocess.Popen(
            command, env=dict(env), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        try:
            process.communicate(stdin, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.terminate()  # strace lets go of a service that goes on running
            process.wait()
        return 1 + children(trace.read())


def living(mark: str) -> list[Process]:
    """The processes that were started with this line in their environment, ours and zombies left out."""
    found = [process for pid in _pids() if pid != os.getpid() and (process := _process(pid, mark.encode()))]
    return sorted(found)


def end(mark: str, seconds: float = 10.0) -> list[Process]:
    """End every one of them, by number, gently and then not; returns what was ended."""
    ended = living(mark)
    for sent in (signal.SIGTERM, signal.SIGKILL):
        for process in living(mark):
            try:
                os.kill(process.pid, sent)
            except ProcessLookupError:
                continue
        until = time.monotonic() + seconds
        while living(mark) and time.monotonic() < until:
            time.sleep(0.05)
    return ended


def _pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()] if os.path.isdir("/proc") else []


def _process(pid: int, mark: bytes) -> Process | None:
    folder = Path("/proc") / str(pid)
    try:
        if mark not in (folder / "environ").read_bytes().split(b"\0"):
            return None
        head, _, rest = (folder / "stat").read_text().rpartition(")")
        fields = rest.split()
        ticks = os.sysconf("SC_CLK_TCK")
        megabytes = int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 1024 / 1024
        used = (int(fields[11]) + int(fields[12])) / ticks
        return Process(pid, int(fields[19]), head.partition("(")[2], megabytes, used)
    except (OSError, ValueError, IndexError):
        return None
