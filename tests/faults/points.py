"""Where a target can be disturbed and by what: every step of it that was written down, times the faults it may meet."""
from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.faults import tracing
from tests.faults.seam import GROWING, OPENING
from tests.faults.targets import Target
from tests.support.registered import Stage

SEAM = str(Path(__file__).with_name("seam.py"))
CHANGING = {
    "open+", "write", "fsync", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.utime", "os.truncate", "os.chmod",
    "fcntl.flock", "os.fork", "os.exec", "setsid", "waitpid", "subprocess.Popen", "sqlite3.connect", "fchmod",
}  # fmt: skip
NAMED = {
    "open", "open+", "import", "os.mkdir", "os.rename", "os.remove", "os.listdir", "os.scandir", "stat", "os.utime",
    "os.chmod", "sqlite3.connect", "chdir",
}  # fmt: skip
STEPS = {
    "KILL": CHANGING, "ENOSPC": GROWING, "EMFILE": OPENING | {"os.fork", "dup2"}, "EACCES": NAMED, "SHORT": {"write"},
}  # fmt: skip
EVERY = ("EIO", "MemoryError")  # may come with any step
SIZES = (0, 1, 20, 60, 100, 150, 250, 400, 700, 1_000, 2_000, 4_000, 8_000, 16_000, 40_000, 130_000)


@dataclass(frozen=True)
class Point:
    """`means` seam, calls, fsize or strace; the step's name and its number among all steps (strace: of that name)."""

    means: str
    fault: str
    step: str
    number: int

    def __str__(self) -> str:
        return f"{self.means} {self.fault} at {self.step} {self.number}"

    @property
    def kills(self) -> bool:
        return self.fault == "KILL"

    def command(self, target: Target, stage: Stage) -> list[str]:
        """The target's command line with the fault in it."""
        if self.means == "strace":
            plain, follow = target.command(stage), not target.event
            return tracing.injecting(plain, self.step, self.fault, self.number, follow=follow)
        fault = self.means if self.means in ("calls", "fsize") else self.fault
        return target.command(stage, SEAM, "-", fault, str(self.number))


def of_steps(names: Sequence[str]) -> list[Point]:
    """The points of the steps that the seam wrote down."""
    found = []
    for number, name in enumerate(names):
        faults = [fault for fault, steps in STEPS.items() if name in steps]
        found += [Point("seam", fault, name, number) for fault in (*faults, *EVERY)]
    return found


def of_calls(count: int) -> list[Point]:
    return [Point("calls", "MemoryError", "call", number) for number in range(count)]


def of_sizes() -> list[Point]:
    return [Point("fsize", "SHORT", "size", size) for size in SIZES]


def of_trace(record: str, target: Target) -> list[Point]:
    found = tracing.points(record, target.script, follow=not target.event)
    return [Point("strace", fault, call, number) for call, fault, number in found]


def thinned(found: Iterable[Point], most: int, draw: random.Random) -> list[Point]:
    """At most `most` of each means and fault, from everywhere among them; 0 = all."""
    groups: dict[tuple[str, str], list[Point]] = {}
    for point in found:
        groups.setdefault((point.means, point.fault), []).append(point)
    chosen: list[Point] = []
    for group in groups.values():
        chosen += draw.sample(group, min(most or len(group), len(group)))
    return chosen


def sampled(found: Iterable[Point], count: int, draw: random.Random) -> list[Point]:
    """`count` points, each means and fault in turn."""
    groups: dict[tuple[str, str], list[Point]] = {}
    for point in found:
        groups.setdefault((point.means, point.fault), []).append(point)
    lists = [draw.sample(group, len(group)) for group in groups.values()]
    draw.shuffle(lists)
    rounds = [points[turn] for turn in range(max(map(len, lists), default=0)) for points in lists if turn < len(points)]
    return rounds[:count]


