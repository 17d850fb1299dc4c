"""The lock under faults that the kernel injects: killed or refused at each system call that writes."""
from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lib.dream.lock import ConsolidateLock
from tests.support.hammer import ROOT, dead_pid

CALLS = "write,fsync,rename,renameat,renameat2,unlink,unlinkat,utimensat,flock"
SCRIPT = """
import os, sys
sys.path.insert(0, {root!r})
import lib.dream.lock as module
module.PATIENCE = 0.2
lock = module.ConsolidateLock({directory!r})
os.write(2, b"begin")
if lock.acquire():
    lock.fenced(lambda: None)
    lock.finish({ok})
"""


def traced(*options: str) -> list[str]:
    return ["strace", "-f", "-qq", "-o", os.devnull, *options]


def can_trace() -> bool:
    if shutil.which("strace") is None:
        return False
    return subprocess.run([*traced("-e", "trace=none"), "true"], capture_output=True).returncode == 0


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    if not can_trace():
        pytest.skip("strace is not here or may not trace: the faults of the file seam are tested all the same")
    folder = tmp_path / "memory"
    folder.mkdir()
    return folder


def stamped(memory: Path) -> float:
    path = memory / ".consolidate-lock"
    path.write_text(str(dead_pid()))
    os.utime(path, (time.time() - 90_000,) * 2)
    return path.stat().st_mtime


def run(memory: Path, call: str, fault: str, number: int, ok: bool = True) -> int:
    """The exit status of a holding whose `number`-th use of a system call meets the fault."""
    script = SCRIPT.format(root=str(ROOT), directory=str(memory), ok=ok)
    command = [*traced("-e", f"trace={CALLS}", "-e", f"inject={call}:{fault}:when={number}")]
    done = subprocess.run(
        [*command, sys.executable, "-I", "-B", "-c", script], capture_output=True, timeout=60
    )
    return done.returncode


@pytest.mark.heavy
@pytest.mark.parametrize("ok", [True, False])
def test_killed_at_any_call_the_schedule_stands_and_the_next_one_gets_in(memory: Path, ok: bool) -> None:
    killed = 0
    for call in CALLS.split(","):
        for number in range(1, 30):
            was = stamped(memory)
            status = run(memory, call, "signal=KILL", number, ok)
            lock = ConsolidateLock(memory)
            last = lock.last_consolidated()
            assert last == was or (ok and last is not None and last > time.time() - 60), (call, number)
            assert lock.acquire(), (call, number)
            assert lock.last_consolidated() == last and lock.finish(False)
            assert not list(memory.glob(".consolidate-lock-*"))
            if status == 0:
                break
            assert status in (-signal.SIGKILL, 128 + signal.SIGKILL)
            killed += 1
    assert killed >= 12


@pytest.mark.heavy
def test_refused_at_any_call_there_is_an_answer_and_never_an_exception(memory: Path) -> None:
    for call in CALLS.split(","):
        for number in range(2 if call == "write" else 1, 5):  # the first write is the script's own
            was = stamped(memory)
            assert run(memory, call, "error=ENOSPC", number) == 0, (call, number)
            lock = ConsolidateLock(memory)
            last = lock.last_consolidated()
            assert last == was or (last is not None and last > time.time() - 60), (call, number)
            assert lock.acquire() and lock.finish(False), (call, number)
