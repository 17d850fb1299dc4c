"""The hooks count what is new, note it in one line, and say when a summary is due."""
from __future__ import annotations

from typing import Any

import pytest

from lib.journal import Journal
from lib.session import schedule
from tests.session.conftest import Room
from tests.support.rows import model, person, use

LONG = "We talk about it. " * 2_000  # 12,000 tokens
HALF = "We talk about it. " * 900  # 5,400 tokens


def look(room: Room, **fields: Any) -> bool:
    return schedule.look(room.call(**fields), room.journal, room.journal.state())


def reasons(room: Room) -> list[object]:
    return [event.get("reason") for event in room.journal.events() if event["e"] == "look"]


def summarized(room: Room) -> None:
    progress = room.journal.state().progress
    room.journal.append(
        "summary", noted=progress.wanted, tokens=progress.wanted_tokens, calls=progress.wanted_calls
    )


def test_a_session_is_summed_up_by_its_thresholds(room: Room) -> None:
    room.say(person(1, None, "hello"), model(2, 1, "hi"))
    assert not look(room)
    size = room.say(person(3, 2, LONG))
    assert look(room)
    assert room.journal.state().progress.wanted == size
    assert room.journal.state().progress.pending
    summarized(room)
    assert not room.journal.state().progress.pending
    room.say(person(4, 3, "more"), model(5, 4, "ok"))
    assert not look(room)
    room.say(person(6, 5, HALF), model(7, 6, [use("t1")]))
    assert not look(room)
    room.say(person(8, 7, "go on"), model(9, 8, [use("t2"), use("t3")]))
    assert look(room)
    summarized(room)
    room.say(person(10, 9, HALF), model(11, 10, "no tools"))
    assert look(room)
    assert reasons(room) == ["below_init", "run", "below_update", "busy", "run", "run"]


def test_what_was_counted_is_not_counted_again(room: Room) -> None:
    room.say(person(1, None, HALF))
    assert not look(room)
    assert not look(room)
    assert reasons(room) == ["below_init"]
    tokens = room.journal.state().progress.tokens
    room.say(person(2, 1, HALF))
    assert look(room)
    assert room.journal.state().progress.tokens == 2 * tokens


def test_a_torn_line_is_counted_when_it_is_whole(room: Room) -> None:
    whole = room.say(person(1, None, "one"))
    line = b'{"type":"user","uuid":"u","message":{"content":"' + b"a" * 60_000
    with open(room.transcript, "ab") as file:
        file.write(line)
    assert not look(room)
    assert room.journal.state().progress.looked == whole
    with open(room.transcript, "ab") as file:
        file.write(b'"}}\n')
    assert look(room)


def test_a_transcript_that_shrank_is_counted_anew(room: Room) -> None:
    room.say(person(1, None, LONG))
    assert look(room)
    summarized(room)
    room.transcript.write_bytes(b"")
    room.say(person(1, None, "hello"))
    assert not look(room)
    progress = room.journal.state().progress
    assert (progress.noted, progress.tokens < 100, progress.looked) == (-1, True, room.transcript.stat().st_size)


def test_of_a_session_that_goes_on_only_what_is_new_is_read(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    at = room.say(*(person(n, None, "word " * 50) for n in range(600)))
    room.journal.append("session", source="resume", at=at)
    monkeypatch.setattr(schedule, "GLANCE", 2_000)
    assert room.journal.state().progress.tokens == at // 20
    room.say(person(1, None, "word " * 50))
    assert look(room)
    (event,) = [event for event in room.journal.events() if event["e"] == "look"]
    assert (event["tokens"], event["calls"]) == (114, 0)


def test_of_much_only_the_end_is_read(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "GLANCE", 2_000)
    room.say(*(person(n, None, "word " * 50) for n in range(200)))
    found = schedule.count(str(room.transcript), 0, room.transcript.stat().st_size)
    assert found.tokens > 3_000
    assert found.calls == 3
    assert found.end == room.transcript.stat().st_size


OFF: list[tuple[dict[str, Any], dict[str, str], dict[str, Any]]] = [
    ({"autoMemoryEnabled": False}, {}, {}), ({"memoryHooks": {"session": {"enabled": False}}}, {}, {}),
    ({}, {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}, {}), ({}, {}, {"agent_id": "a1"}),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "env", "fields"), OFF)
def test_where_it_is_off_nothing_is_noted(
    room: Room, settings: dict[str, Any], env: dict[str, str], fields: dict[str, Any]
) -> None:
    room.settings(**settings)
    room.say(person(1, None, LONG))
    assert not schedule.look(room.call(env=env, **fields), room.journal, room.journal.state())
    assert room.journal.events() == []


@pytest.mark.parametrize(("settings", "env"), [
    ({"autoCompactEnabled": False}, {}), ({}, {"DISABLE_AUTO_COMPACT": "1"}), ({}, {"DISABLE_COMPACT": "true"}),
])  # fmt: skip
def test_without_compaction_there_is_no_summary(room: Room, settings: dict[str, Any], env: dict[str, str]) -> None:
    room.settings(**settings)
    room.say(person(1, None, LONG))
    assert not schedule.look(room.call(env=env), room.journal, room.journal.state())
    assert reasons(room) == ["auto_compact_off"]


def test_compaction_is_noted_and_starts_what_is_due(room: Room) -> None:
    room.say(person(1, None, "hello"))
    assert not schedule.before_compaction(room.call("PreCompact", trigger="manual"), room.journal)
    room.say(person(2, 1, LONG))
    assert schedule.before_compaction(room.call("PreCompact", trigger="auto"), room.journal)
    told = [(event["e"], event.get("trigger")) for event in room.journal.events()]
    assert told == [("compact", "manual"), ("look", None), ("compact", "auto"), ("look", None)]
    assert not schedule.before_compaction(room.call("PreCompact", agent_id="a1"), room.journal)


def test_a_hook_that_comes_while_the_worker_writes_loses_nothing(room: Room) -> None:
    room.say(person(1, None, LONG))
    assert look(room)
    before = room.journal.state().progress
    done = {"noted": before.wanted, "tokens": before.wanted_tokens, "calls": before.wanted_calls}
    later = room.say(person(2, 1, LONG))
    room.journal.append("look", at=later, tokens=12_000, calls=4, reason="run")
    room.journal.append("summary", **done)
    progress = room.journal.state().progress
    assert (progress.pending, progress.wanted, progress.calls, progress.wanted_calls) == (True, later, 4, 4)


def test_a_compacted_journal_has_come_as_far(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.say(person(1, None, LONG))
    assert look(room)
    summarized(room)
    room.say(person(2, 1, HALF), model(3, 2, [use("t")]))
    look(room)
    room.journal.append("summarizing")
    before = room.journal.state().progress
    monkeypatch.setattr("lib.journal.SIZE_LIMIT", 10)
    monkeypatch.setattr("lib.journal.KEPT", 1)
    room.journal.compact()
    assert len(Journal(str(room.state), room.transcript.stem).events()) < 9
    assert room.journal.state().progress == before
    assert before.failures == 1 and before.tokens > before.noted_tokens > 0
