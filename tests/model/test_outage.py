"""A fault is noted once, ends by itself or by success, and is never a reason to try in a loop."""
from __future__ import annotations

import os
from pathlib import Path

import pytest

from lib.model import outage

NOW = 1_800_000_000.0
HOUR, DAY = 3600.0, 86_400.0


@pytest.fixture
def config(own_home: Path) -> str:
    return str(own_home / ".claude")


@pytest.mark.parametrize(("kind", "pause"), [("auth", DAY), ("old", DAY), ("limit", HOUR), ("network", 0.0)])
def test_the_kind_decides_how_long_a_backend_is_left_alone(config: str, kind: str, pause: float) -> None:
    made = outage.failed(config, "claude", kind, "it failed", NOW)
    assert made.until - NOW == pause
    assert made.lasts(NOW + 1) is (pause > 1)
    assert not made.lasts(NOW + pause)
    assert outage.known(config, "claude") == made
    assert outage.known(config, "anthropic") is None


def test_passing_faults_count_only_in_a_row(config: str) -> None:
    assert not outage.failed(config, "claude", "network", "x", NOW).lasts(NOW + 1)
    assert not outage.failed(config, "claude", "overloaded", "x", NOW + 1).lasts(NOW + 2)
    outage.worked(config, "claude")
    assert outage.known(config, "claude") is None
    pauses = [outage.failed(config, "claude", "deadline", "x", NOW + n).lasts(NOW + n + 1) for n in range(4)]
    assert pauses == [False, False, True, True]


def test_a_limit_that_tells_when_it_ends_is_believed_within_a_week(config: str) -> None:
    assert outage.failed(config, "claude", "limit", f"limit reached|{int(NOW) + 7200}", NOW).until == NOW + 7200
    assert outage.failed(config, "claude", "limit", "limit reached|9999999999", NOW).until == NOW + 7 * DAY


@pytest.mark.parametrize("text", ["", "[]", "nonsense", '{"claude": 7}', '{"claude": {"kind": "auth"}}', "[" * 100_000])
def test_a_damaged_note_is_no_note(config: str, text: str) -> None:
    os.makedirs(os.path.join(config, "memory-hooks"), exist_ok=True)
    Path(config, "memory-hooks", outage.NAME).write_text(text)
    assert outage.known(config, "claude") is None
    outage.failed(config, "claude", "auth", "x", NOW)
    assert outage.known(config, "claude") is not None
