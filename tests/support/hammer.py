"""Many processes at one lock, from a barrier, round after round; what each saw while it was inside.

Run as a program it is one contender: `python hammer.py MEMORY_DIR RECORD ROUNDS NAIVE READY_FD IN_FD OUT_FD`.
"""
from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LOCK = ".consolidate-lock"


class NaiveLock:
    """The mutant: judge, write the own PID, read it back. It lets several in."""

    def __init__(self, directory: str) -> None:
        self.path = os.path.join(directory, LOCK)

    def acquire(self) -> bool:
        try:
            with open(self.path, encoding="ascii") as file:
                os.kill(int(file.read()), 0)
            return False
        except (OSError, ValueError):
            pass
        with open(self.path, "w", encoding="ascii") as file:
            file.write(str(os.getpid()))
        with open(self.path, encoding="ascii") as file:
            return file.read() == str(os.getpid())

    def finish(self, ok: bool) -> None:
        pass


def dead_pid() -> int:
    """The PID of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-I", "-S", "-c", "pass"])
    process.wait()
    return process.pid


def hammer(directory: Path, contenders: int, rounds: int, *, naive: bool = False) -> list[int]:
    """The number of winners of each round; the lock belongs to a dead process when a round begins."""
    record = directory.parent / "inside"
    dead = str(dead_pid())
    pipes = [os.pipe() for _ in range(3)]
    (ready_r, ready_w), (in_r, in_w), (out_r, out_w) = pipes
    command = [sys.executable, str(Path(__file__)), str(directory), str(record), str(rounds), "1" if naive else "0"]
    theirs = (ready_w, in_r, out_r)
    started = [subprocess.Popen([*command, *map(str, theirs)], pass_fds=theirs) for _ in range(contenders)]
    winners = []
    try:
        for _ in range(rounds):
            _gather(ready_r, contenders)
            (directory / LOCK).write_text(dead)
            os.utime(directory / LOCK, (time.time() - 90_000,) * 2)
            record.write_bytes(b"")
            os.write(in_w, b"g" * contenders)  # all at once: each takes one
            _gather(ready_r, contenders)  # each has tried, and the winners are still inside
            winners.append(len(record.read_bytes().splitlines()))
            os.write(out_w, b"g" * contenders)
    finally:
        for descriptor in (end for pair in pipes for end in pair):
            os.close(descriptor)
        for process in started:
            process.wait(30)
    return winners


def _gather(descriptor: int, count: int) -> None:
    while count:
        count -= len(os.read(descriptor, count))


def contend(directory: str, record: str, rounds: int, naive: bool, ready: int, go_in: int, go_out: int) -> None:
    sys.path.insert(0, str(ROOT))
    from lib.dream.lock import ConsolidateLock

    for _ in range(rounds):
        lock = NaiveLock(directory) if naive else ConsolidateLock(directory)
        os.write(ready, b"r")
        if os.read(go_in, 1) != b"g":
            return
        won = lock.acquire()
        if won:
            inside = os.open(record, os.O_WRONLY | os.O_APPEND)
            os.write(inside, json.dumps(os.getpid()).encode() + b"\n")
            os.close(inside)
        os.write(ready, b"r")
        if os.read(go_out, 1) != b"g":
            return
        if won:
            lock.finish(False)


if __name__ == "__main__":
    contend(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "1", *map(int, sys.argv[5:8]))
