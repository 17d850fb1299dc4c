"""The worker's summaries: what is due is done once, what fails is tried again, and nothing is tried for ever."""
from __future__ import annotations

import os

import pytest

from lib import worker
from lib.journal import newest
from lib.session import job, run, schedule
from tests.session.conftest import Room
from tests.support.rows import model, person

LONG = "Fix the parser. " + "We talk about it. " * 2_000


def due(room: Room) -> None:
    room.say(person(1, None, LONG), model(2, 1, "Fixed."))
    assert schedule.look(room.call(), room.journal, room.journal.state())


def events(room: Room) -> list[object]:
    return [event["e"] for event in room.journal.events() if event["e"] not in ("look", "stop")]


def test_the_worker_does_what_is_due_once(room: Room) -> None:
    due(room)
    worker.work(str(room.state))
    assert room.file.read_text().count("- Fix the parser.") == 1
    assert events(room)[:2] == ["summarizing", "summary"]
    (done,) = [event for event in room.journal.events() if event["e"] == "summary"]
    assert (done["backend"], done["turns"], done["noted"]) == ("rules", 1, room.transcript.stat().st_size)
    worker.work(str(room.state))
    assert events(room).count("summary") == 1


def test_extraction_and_summary_each_have_a_cursor_of_their_own(room: Room) -> None:
    due(room)
    room.journal.append("stop", due=room.transcript.stat().st_size, transcript=str(room.transcript),
                        launch=str(room.project), reason="run")  # fmt: skip
    worker.work(str(room.state))
    assert events(room)[:4] == ["job", "marks", "extract", "summarizing"]
    state = room.journal.state()
    assert (state.pending, state.progress.pending) == (False, False)
    assert state.cursor == state.progress.noted == room.transcript.stat().st_size


def test_what_fails_is_told_tried_again_and_given_up_at_last(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    due(room)

    def full(*_: object) -> run.Report:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(run, "update", full)
    for _ in range(job.ATTEMPTS):
        worker.work(str(room.state))
        assert room.journal.state().progress.pending
    worker.work(str(room.state))
    assert events(room) == ["summarizing", "summary_failed"] * job.ATTEMPTS + ["summary"]
    assert "No space left" in str(room.journal.events()[-2]["reason"])
    assert not room.journal.state().progress.pending


def test_a_session_without_a_transcript_is_no_work(room: Room) -> None:
    room.journal.append("look", at=5, tokens=20_000, reason="run")
    assert job.due(str(room.state), newest(str(room.state), 5)) is None


def test_a_transcript_that_is_gone_is_a_failure_and_no_end(room: Room) -> None:
    due(room)
    os.unlink(room.transcript)
    worker.work(str(room.state))
    assert events(room) == ["summarizing", "summary_failed"]
