"""After a compaction, and only then, the summary is given back."""
from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from lib.session import delivery, summary
from tests.session.conftest import Room
from tests.support.rows import person

TEXT = summary.dump({"What was asked": ["Fix the parser."]})


def start(room: Room, page: int = 1, **fields: Any) -> str:
    call = room.call("SessionStart", **{"source": "compact", **fields})
    return delivery.after_compaction(call, room.journal, page)[0]


def written(room: Room, text: str = TEXT) -> None:
    room.say(person(1, None, "Fix the parser."))
    room.file.parent.mkdir(parents=True)
    room.file.write_text(text)


def test_every_page_is_given_it_and_one_notes_it(room: Room) -> None:
    written(room)
    texts = {start(room, page) for page in (1, 2, 3)}
    assert texts == {TEXT.partition("\n")[2].strip()}
    assert [(event["e"], event["reason"]) for event in room.journal.events()] == [("recap", "delivered")]


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "fork", "", "unknown"])
def test_at_every_other_start_it_is_not(room: Room, source: str) -> None:
    written(room)
    assert start(room, source=source) == ""
    assert room.journal.events() == []


def test_where_there_is_none_that_is_noted(room: Room) -> None:
    room.say(person(1, None, "hello"))
    assert start(room) == ""
    assert [(event["e"], event["reason"]) for event in room.journal.events()] == [("recap", "no_summary")]


def test_the_clients_own_summary_is_the_clients_affair(room: Room) -> None:
    written(room, "# Session Title\nthe client's own\n")
    assert start(room) == ""


def test_where_it_is_switched_off_there_is_none(room: Room) -> None:
    written(room)
    room.settings(memoryHooks={"session": {"enabled": False}})
    assert start(room) == ""


def test_an_update_that_is_being_made_is_waited_for(room: Room) -> None:
    written(room)
    room.journal.append("look", at=9, tokens=20_000, reason="run")
    newer = summary.dump({"What was asked": ["Fix the lexer."]})

    def finish() -> None:
        time.sleep(0.2)
        room.file.write_text(newer)
        room.journal.append("summary", noted=9, tokens=20_000)

    worker = threading.Thread(target=finish)
    worker.start()
    text = start(room)
    worker.join()
    assert "Fix the lexer." in text


def test_one_that_does_not_come_holds_nobody_up(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "PATIENCE", 0.1)
    written(room)
    room.journal.append("look", at=9, tokens=20_000, reason="run")
    assert "Fix the parser." in start(room)
