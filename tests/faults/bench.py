"""One target on a machine that is put back before each fault, and the judgement of what a fault left."""
from __future__ import annotations

import hashlib
import os
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tests.faults import invariants, points, tracing
from tests.faults.invariants import Looks
from tests.faults.points import Point
from tests.faults.targets import Machine, Target
from tests.support.registered import Ran

SECONDS = 60.0  # for one run, then it hangs
KILLED = (-9, 137)
# What differs from run to run and means nothing: times, durations, process numbers, hashes.
NOISE = re.compile(rb'"(t|ms|at|cursor_t)": ?[0-9.]+|\b[0-9]{9,}(\.[0-9]+)?\b|\b[0-9a-f]{12,64}\b|\b\d+\.tmp')


class Bench:
    """`prepare` first; then `judge` each point. `checked` counts the points that were judged."""

    def __init__(self, target: Target, folder: Path) -> None:
        self.target = target
        self.live, self.kept = folder / "live", folder / "kept"
        self.stage = Machine(self.live / "home", self.live / "project")
        self.before = self.after = Looks({})
        self.names: set[str] = set()
        self.sound: set[str] = set()  # what faults left, from where the next run was seen to do its work
        self.checked = self.followed = 0

    def prepare(self) -> list[str]:
        """Build the machine and see what an undisturbed run makes of it; what is wrong with that already."""
        self.live.mkdir(parents=True)
        self.target.build(self.stage)
        self.stage.settle(60.0)
        subprocess.run(["cp", "-a", str(self.live), str(self.kept)], check=True)
        self.before = Looks.of(self.stage)
        wrong = []
        if harm := self._harm(self._run(self.target.command(self.stage)), kills=False, plain=True):
            wrong.append(f"undisturbed: {harm}")
        self.stage.settle(60.0)
        self.after = Looks.of(self.stage)
        missing = self.target.follow(self.stage)
        self.names = invariants.names(self.stage)
        # Where the disturbed run did nothing at all, the next one leaves what it leaves.
        self.reset()
        missing = missing or self.target.follow(self.stage)
        self.names |= invariants.names(self.stage)
        return [*wrong, *([f"undisturbed: {missing} is missing"] if missing else [])]

    def reset(self) -> None:
        subprocess.run(["rm", "-rf", str(self.live)], check=True)
        subprocess.run(["cp", "-a", str(self.kept), str(self.live)], check=True)

    def points(self, *, strace: bool, calls: bool = True) -> list[Point]:
        """Every point that the target has here; without `calls` and `strace` the look is quicker and sees less."""
        found = points.of_sizes() + points.of_steps(self._recorded("none"))
        if calls:
            found += points.of_calls(len(self._recorded("count-calls")))
        if strace:
            self.reset()
            record = self.live.parent / "record"
            self._run(tracing.recording(self.target.command(self.stage), record, follow=not self.target.event))
            self.stage.settle(60.0)
            found += points.of_trace(record.read_text(errors="replace"), self.target)
        return found

    def _recorded(self, what: str) -> list[str]:
        self.reset()
        record = self.live.parent / "record"
        record.unlink(missing_ok=True)
        self._run(self.target.command(self.stage, points.SEAM, str(record), what, "0"))
        self.stage.settle(60.0)
        return record.read_text().split()

    def judge(self, point: Point) -> list[str]:
        """Everything that is wrong after this fault."""
        self.reset()
        self.checked += 1
        try:
            ran = self._run(point.command(self.target, self.stage))
        except subprocess.TimeoutExpired:
            self.stage.settle(0.0)
            return ["it hangs"]
        found = [self._harm(ran, kills=point.kills, plain=False), *self._settled()]
        found += invariants.torn(Looks.of(self.stage), self.before, self.after)
        found += invariants.indexed(self.stage, mended=False) + invariants.journalled(self.stage)
        found = [problem for problem in found if problem]
        left = self._digest()
        if not found and left in self.sound:
            return []
        self.followed += 1
        found += self._afterwards()
        if not found:
            self.sound.add(left)
        return found

    def _afterwards(self) -> list[str]:
        """What is wrong once one more run came an hour later, which nothing disturbed."""
        self._age()
        try:
            missing = self.target.follow(self.stage)
        except AssertionError as problem:
            return [f"next run: {problem}"]
        found = [f"next run: {missing} is missing"] if missing else []
        looks: tuple[Callable[[], list[str]], ...] = (
            lambda: invariants.left_over(invariants.names(self.stage), self.names),
            lambda: invariants.indexed(self.stage, mended=True), lambda: invariants.journalled(self.stage),
            lambda: invariants.unlocked(self.stage), lambda: invariants.remembered(self.stage),
        )  # fmt: skip
        return found + [f"next run: {problem}" for look in looks for problem in look()]

    def _age(self) -> None:
        """An hour passes for what writers left half-done: nobody can still be at it."""
        then = time.time() - 3_600
        for path in [*self.live.rglob("*.tmp"), *self.live.rglob("tmp_*"), *self.live.rglob("*.git/**/*.lock")]:
            os.utime(path, (then, then), follow_symlinks=False)

    def _settled(self) -> list[str]:
        try:
            self.stage.settle(60.0)
        except AssertionError as problem:
            return [str(problem)]
        return []

    def _run(self, command: list[str]) -> Ran:
        done = subprocess.run(
            command, input=self.target.stdin(self.stage), capture_output=True, timeout=SECONDS,
            env=self.target.environment(self.stage), cwd=self.stage.project, start_new_session=True,
        )  # fmt: skip
        return Ran(self.target.event, done.returncode, done.stdout, done.stderr)

    def _harm(self, ran: Ran, *, kills: bool, plain: bool) -> str:
        if kills and ran.status in KILLED:
            return f"killed, and stderr: {ran.err[:200]!r}" if ran.err else ""
        if self.target.event:
            return ran.harm()
        # 120: the interpreter's own, where not even the last words could be written.
        if ran.status not in ((0,) if plain else (0, 1, 120)):
            return f"exit status {ran.status}: {ran.err[-300:]!r}"
        if b"Traceback" in ran.err and self.target.talks:
            return f"a traceback: {ran.err[-300:]!r}"
        return ""

    def _digest(self) -> str:
        """What the fault left, without what differs from run to run."""
        total = hashlib.sha256()
        for path in sorted(self.live.rglob("*")):
            name = path.relative_to(self.live).as_posix()
            if path.is_dir() or name.endswith(("log.jsonl", "failing.json")):
                continue
            total.update(NOISE.sub(b"", invariants.VARYING.sub("*", name).encode()) + b"\0")
            if "/history.git/objects/" not in name and path.is_file():
                total.update(NOISE.sub(b"", path.read_bytes()))
        return total.hexdigest()
