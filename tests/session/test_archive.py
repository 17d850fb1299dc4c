"""Transcripts that the client would soon delete are kept compressed, when asked for, within a size."""
from __future__ import annotations

import os
import random
import time
from pathlib import Path
from typing import Any

import pytest

from lib.host import transcript
from lib.session import archive, job
from tests.session.conftest import Room
from tests.support.rows import jsonl, model, person

DAY = 86_400.0
NOW = 1_800_000_000.0
ON = {"memoryHooks": {"archive": {"enabled": True, "maxMb": 1}}}


def old(room: Room, name: str, days: float, raw: bytes = b"") -> Path:
    path = room.transcript.parent / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(raw or jsonl(person(1, None, f"words of {name}"), model(2, 1, "ok")))
    os.utime(path, (NOW - days * DAY, NOW - days * DAY))
    return path


def keep(room: Room, *paths: Path, **settings: Any) -> list[str]:
    taken = archive.keep(str(room.state), map(str, paths), room.settings(**(settings or ON)), NOW)
    return [Path(path).stem for path in taken]


def held(room: Room) -> list[str]:
    return [Path(path).name.removesuffix(".jsonl.gz") for path in archive.files(str(room.state))]


def test_what_is_near_its_end_is_taken_and_reads_the_same(room: Room) -> None:
    near, fresh = old(room, "near", 26), old(room, "fresh", 24)
    assert keep(room, near, fresh) == ["near"]
    (kept,) = archive.files(str(room.state))
    assert [message.text for message in transcript.live_chain(kept)] == ["words of near", "ok"]
    assert os.stat(kept).st_mode & 0o077 == 0
    assert keep(room, near, fresh) == []
    assert near.exists()


def test_it_is_off_unless_asked_for(room: Room) -> None:
    assert keep(room, old(room, "near", 26), memoryHooks={}) == []
    assert not (room.state / "archive").exists()


@pytest.mark.parametrize(("period", "days", "taken"), [
    (60, 54, False), (60, 56, True), (4, 1.9, False), (4, 2.1, True), (0, 0.01, False), (0, 1, True), ("x", 26, True),
])  # fmt: skip
def test_the_clients_own_period_counts(room: Room, period: Any, days: float, taken: bool) -> None:
    assert bool(keep(room, old(room, "near", days), **ON, cleanupPeriodDays=period)) is taken


def test_one_that_went_on_is_taken_anew(room: Room) -> None:
    near = old(room, "near", 28)
    keep(room, near)
    old(room, "near", 27, jsonl(person(1, None, "more words")))
    assert keep(room, near) == ["near"]
    (kept,) = archive.files(str(room.state))
    assert [message.text for message in transcript.live_chain(kept)] == ["more words"]


def test_over_its_size_the_oldest_goes_and_does_not_come_back(room: Room) -> None:
    noise = [random.Random(n).randbytes(600_000) for n in range(3)]
    paths = [old(room, f"s{n}", 29 - n, noise[n]) for n in range(3)]
    keep(room, *paths)
    assert held(room) == ["s2"]
    small = old(room, "s9", 26.5)
    keep(room, *paths, small)
    assert held(room) == ["s2", "s9"]


def test_a_link_is_not_followed(room: Room, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    path = room.transcript.parent / "link.jsonl"
    path.parent.mkdir(parents=True)
    path.symlink_to(tmp_path / "secret")
    room.journal.append("stop", launch=str(room.project), transcript=str(room.transcript))
    room.settings(**ON)
    assert job.archive_due(str(room.state), os.environ, time.time() + 90 * DAY) == []


def test_the_worker_looks_once_a_day(room: Room) -> None:
    near = old(room, "near", 26)
    old(room, "agent-1", 26)
    room.settings(**ON)
    assert job.archive_due(str(room.state), os.environ, NOW) == []
    room.journal.append("stop", launch=str(room.project), transcript=str(room.transcript))
    assert job.archive_due(str(room.state), os.environ, NOW) == [str(near)]
    late = old(room, "late", 27)
    assert job.archive_due(str(room.state), os.environ, NOW + DAY / 2) == []
    assert job.archive_due(str(room.state), os.environ, NOW + DAY) == [str(late)]
