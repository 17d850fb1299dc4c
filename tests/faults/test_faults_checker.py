"""The sweep's judgement: a writer that thinks of faults passes, each that does not is caught with the right words."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults import naive, points, sweep, targets
from tests.faults.points import Point
from tests.faults.targets import Target
from tests.support.registered import ROOT, Stage

SCRIPT = str(ROOT / "tests" / "faults" / "naive.py")


def writer(way: str, event: str = "") -> Target:
    """A target that is no part of the product: it writes two memories and the index in this way."""

    def follow(stage: Stage) -> str:
        subprocess.run([sys.executable, "-I", SCRIPT, way, str(stage.memory)], check=True, capture_output=True)
        return targets.otter(stage)

    return Target(way, targets.furnished, SCRIPT, lambda stage: [way, str(stage.memory)], follow, event)


def test_a_writer_that_thinks_of_faults_passes(tmp_path: Path) -> None:
    outcome = sweep.sweep(writer("whole"), tmp_path, most=1, strace=False)
    assert outcome.failures == [] and sum(outcome.judged.values()) >= 8


@pytest.mark.parametrize(
    ("way", "event", "kind", "words"),
    [
        ("in place", "", "KILL", "neither the old nor the new"),
        ("in place", "", "SHORT", "neither the old nor the new"),
        ("untidy", "", "ENOSPC", ".tmp was left behind"),
        ("appending", "", "SHORT", "has two lines"),
        ("loud", "Stop", "EACCES", "exit status 1"),
    ],
)  # fmt: skip
def test_one_that_does_not_is_caught(tmp_path: Path, way: str, event: str, kind: str, words: str) -> None:
    outcome = sweep.sweep(writer(way, event), tmp_path, most=8, strace=False, kinds=[kind])
    assert any(words in problem for _, problem in outcome.failures), outcome.failures


def test_steps_are_the_same_in_each_run_and_only_fitting_faults_meet_them() -> None:
    found = points.of_steps(["import", "open+", "write", "read"])
    assert {point.fault for point in found if point.step == "read"} == {"EIO", "MemoryError"}
    at_write = {point.fault for point in found if point.step == "write"}
    assert at_write == {"KILL", "ENOSPC", "SHORT", "EIO", "MemoryError"}
    assert "KILL" not in {point.fault for point in found if point.step == "import"}
    assert Point("seam", "EMFILE", "import", 0) in found


def test_the_naive_writers_do_what_they_claim(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    naive.renamed(path, "abc", tidy=True)
    naive.appended(path, "d")
    assert path.read_text() == "abcd" and list(tmp_path.iterdir()) == [path]
