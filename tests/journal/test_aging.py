"""Old journals go, once nothing in them is due; no writer loses a line to it."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from lib.journal import Journal, aging

NOW = 1_800_000_000.0
OLD = NOW - (aging.DAYS + 1) * 86_400


def journal(state: Path, session: str, at: float, *events: dict[str, object]) -> Journal:
    made = Journal(str(state), session)
    for event in events or ({"event": "session"},):
        made.append(str(event["event"]), **{key: value for key, value in event.items() if key != "event"})
    os.utime(made.path, (at, at))
    return made


def names(state: Path) -> set[str]:
    return {path.stem for path in (state / "journal").glob("*.jsonl")}


def test_only_what_is_old_and_settled_goes(tmp_path: Path) -> None:
    journal(tmp_path, "old", OLD)
    journal(tmp_path, "young", NOW - 86_400)
    due = {"event": "stop", "due": 10, "transcript": "/t.jsonl", "launch": "/p", "reason": "run"}
    assert journal(tmp_path, "waits", OLD, due).state().pending
    assert aging.drop_old(str(tmp_path), NOW) == 1
    assert names(tmp_path) == {"young", "waits"}


@pytest.mark.parametrize("what", ["no folder", "link", "folder"])
def test_whatever_lies_there_is_let_alone(tmp_path: Path, what: str) -> None:
    outside = tmp_path / "outside.jsonl"
    outside.write_text('{"e": "session"}\n')
    os.utime(outside, (OLD, OLD))
    place = tmp_path / "state" / "journal"
    if what != "no folder":
        place.mkdir(parents=True)
    if what == "link":
        (place / "s.jsonl").symlink_to(outside)
    if what == "folder":
        (place / "s.jsonl").mkdir()
        os.utime(place / "s.jsonl", (OLD, OLD))
    assert aging.drop_old(str(tmp_path / "state"), NOW) == 0
    assert outside.exists() and (what == "no folder" or os.path.lexists(place / "s.jsonl"))


def test_a_writer_at_the_same_moment_loses_nothing(tmp_path: Path) -> None:
    for _ in range(20):
        made = journal(tmp_path, "old", OLD)
        writer = threading.Thread(target=made.append, args=("recall",), kwargs={"reason": "shown"})
        writer.start()
        aging.drop_old(str(tmp_path), NOW)
        writer.join()
        assert [event["e"] for event in made.events()][-1] == "recall"
        os.unlink(made.path)
