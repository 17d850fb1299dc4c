"""Timed runs of one process: wall time, peak memory, what it said and which modules it loaded."""
from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median


@dataclass
class Row:
    """One command to measure; `before` puts the world back as it was, outside the measured time."""

    name: str
    argv: Sequence[str]
    stdin: bytes
    env: Mapping[str, str]
    before: Callable[[], None]
    limit: float = 0.0  # times the baseline; 0 = not held to one
    speaks: bool = False  # True: a silent run means that the measurement is void
    seconds: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)  # seconds of the command and of every process it waited for

    @property
    def median(self) -> float:
        return median(self.seconds)

    @property
    def p95(self) -> float:
        return sorted(self.seconds)[min(len(self.seconds) - 1, round(0.95 * len(self.seconds)))]

    def run(self) -> None:
        """Run once and note the figures; raises RuntimeError when the run was void."""
        self.before()
        with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout:
            stdin.write(self.stdin)
            stdin.seek(0)
            moves = [(os.POSIX_SPAWN_DUP2, stdin.fileno(), 0), (os.POSIX_SPAWN_DUP2, stdout.fileno(), 1)]
            started = time.perf_counter()
            pid = os.posix_spawn(self.argv[0], list(self.argv), dict(self.env), file_actions=moves)
            _, status, used = os.wait4(pid, 0)
            self.seconds.append(time.perf_counter() - started)
            self.cpu.append(used.ru_utime + used.ru_stime)
            said = os.fstat(stdout.fileno()).st_size
        if status or (self.speaks and not said):
            raise RuntimeError(f"{self.name}: exit status {status}, {said} bytes said")

    def peak(self) -> float:
        """Peak memory of one run in MB, seen by a parent that is smaller than the hook (a child starts as its copy)."""
        self.before()
        ran = subprocess.run([*BARE[:1], *BARE[3:-1], SCALE, *self.argv], input=self.stdin, env=dict(self.env),
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)  # fmt: skip
        return int(ran.stderr.split()[-1]) / (1024 * 1024 if sys.platform == "darwin" else 1024)

    def modules(self) -> list[str]:
        """The names of the modules that one run imports beyond those the bare interpreter has, in order."""
        self.before()
        traced = [self.argv[0], "-X", "importtime", *self.argv[1:]]
        return [name for name in _imported(traced, self) if name not in _imported(BARE, self)]


SCALE = """
import os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
print(os.wait4(pid, 0)[2].ru_maxrss, file=sys.stderr)
"""
BARE = (sys.executable, "-X", "importtime", "-I", "-S", "-c", "pass")


def _imported(argv: Sequence[str], row: Row) -> list[str]:
    ran = subprocess.run(argv, input=row.stdin, env=dict(row.env), capture_output=True)
    lines = ran.stderr.decode().splitlines()
    return [line.split("|")[-1].strip() for line in lines if line.startswith("import time:")][1:]


def interleave(rows: Sequence[Row], rounds: int) -> None:
    """Run every row once a round, so that a busy minute of the machine meets all of them alike."""
    for _ in range(rounds):
        for row in rows:
            row.run()
