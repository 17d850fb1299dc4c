"""Sessions of one project at once, with edits, deletions, verbs and killed workers: nothing is lost, nothing stays."""
from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.soak import Soak

pytestmark = pytest.mark.heavy


def test_seconds_of_many_sessions_lose_nothing(tmp_path: Path) -> None:
    tally = Soak(tmp_path, sessions=8, seed=1, pace=2.0).run(10.0)
    assert tally.faults == []
    assert tally.events["Stop"] >= 16 and len(tally.said) >= 4
