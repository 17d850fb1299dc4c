"""Disturb each hook, the worker's jobs and install.py at every step, and look at what is left and at the next run.

usage: python tests/faults/sweep.py [--quick] [--only NAME]... [--most N] [--seed N] [--jobs N]

--quick takes a sample of each target, under a minute; without it every step (hours on a slow machine; --most N takes at
most N of each kind of fault and target). Exit status: 0 = nothing was wrong, 1 = something was, each told in a line.
"""
from __future__ import annotations

import argparse
import collections
import concurrent.futures
import math
import os
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.faults import points, targets, tracing
from tests.faults.bench import Bench
from tests.faults.targets import Target

BOUND = 45.0  # seconds, after which --quick begins no further point
QUICK = 5  # points of a target of weight 1
SHOWN = 40  # failures of a target that are told


@dataclass
class Outcome:
    """What a sweep of one target found: (point, what was wrong) for each failure; points by kind of fault."""

    target: str
    possible: int = 0
    judged: collections.Counter[str] = field(default_factory=collections.Counter)
    failures: list[tuple[str, str]] = field(default_factory=list)
    followed: int = 0
    seconds: float = 0.0

    @property
    def row(self) -> str:
        total = sum(self.judged.values())
        return (f"{self.target:24} {self.possible:6} points {total:6} judged {self.followed:6} next runs "
                f"{len(self.failures):4} failures {self.seconds:7.1f} s")  # fmt: skip


def sweep(
    target: Target, folder: Path, *, quick: int = 0, most: int = 0, seed: int = 0, strace: bool = True,
    kinds: Sequence[str] = (), until: float = math.inf,
) -> Outcome:
    """Judge the points of one target (of some `kinds` of fault): a sample of `quick`, or at most `most` of each.

    At the moment `until` (monotonic) it stops, not before a first point.
    """
    started, draw = time.monotonic(), random.Random(f"{seed} {target.name}")
    outcome, bench = Outcome(target.name), Bench(target, folder)
    if wrong := bench.prepare():
        outcome.failures = [("undisturbed", problem) for problem in wrong]
        return outcome
    found = bench.points(strace=strace, calls=not quick)
    found = [point for point in found if not kinds or point.fault.rstrip("+") in kinds]
    outcome.possible = len(found)
    chosen = points.sampled(found, max(1, round(quick * target.weight)), draw) if quick else []
    for point in chosen or points.thinned(found, most, draw):
        if outcome.judged and time.monotonic() > until:
            break
        outcome.judged[point.fault.rstrip("+")] += 1
        outcome.failures += [(str(point), problem) for problem in bench.judge(point)]
    outcome.followed, outcome.seconds = bench.followed, time.monotonic() - started
    return outcome


def told(outcomes: Sequence[Outcome]) -> int:
    """Print each outcome and the sums; the exit status."""
    kinds = sum((outcome.judged for outcome in outcomes), collections.Counter())
    total = sum(kinds.values())
    print(f"\n{total} points judged: " + ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())))
    failed = sum(bool(outcome.failures) for outcome in outcomes)
    print(f"{failed} of {len(outcomes)} targets have failures" if failed else "nothing was wrong")
    return 1 if failed else 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Faults at every step of hooks, worker and installer.")
    parser.add_argument("--quick", action="store_true", help="a sample of each target")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="targets with this in their name")
    parser.add_argument("--most", type=int, default=0, metavar="N", help="of each kind of fault and target (0: all)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args(arguments)
    wanted = [one for one in targets.everything() if not chosen.only or any(part in one.name for part in chosen.only)]
    if not (strace := tracing.possible()):
        print(tracing.MISSING)
    outcomes, until = [], time.monotonic() + BOUND if chosen.quick else math.inf
    with tempfile.TemporaryDirectory(prefix="faults-") as base, concurrent.futures.ThreadPoolExecutor(
        max(1, chosen.jobs)
    ) as pool:
        running = [
            pool.submit(sweep, target, Path(base, str(number)), quick=QUICK if chosen.quick else 0, most=chosen.most,
                        seed=chosen.seed, strace=strace, until=until)
            for number, target in enumerate(wanted)
        ]  # fmt: skip
        for one in concurrent.futures.as_completed(running):
            outcome = one.result()
            outcomes.append(outcome)
            print(outcome.row, flush=True)
            for point, problem in outcome.failures[:SHOWN]:
                print(f"    {point}: {problem}", flush=True)
    return told(outcomes)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
