"""The end of a turn: what is noted as due, what is settled, and what a new session looks after."""
from __future__ import annotations

import json
import os
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from lib.extract import run, schedule
from lib.host import paths, settings, transcript
from lib.host.call import Call
from lib.host.payload import Payload
from lib.journal import Journal, State

SESSION = "3f0c4b1e-9d43-4c57-9e3f-0d7f0b9c2a11"
OTHER = "77aa4b1e-9d43-4c57-9e3f-0d7f0b9c2a22"


@dataclass
class Desk:
    """One session of one project: its transcript grows, its hooks are called, its worker runs when told to."""

    project: Path
    session: str = SESSION
    env: dict[str, str] = field(default_factory=dict)
    now: float = 1_000_000_000.0

    @property
    def config(self) -> Path:
        return Path(os.environ["CLAUDE_CONFIG_DIR"])

    @property
    def transcript(self) -> Path:
        return self.config / "projects" / paths.slug(str(self.project)) / f"{self.session}.jsonl"

    @property
    def memory(self) -> Path:
        return Path(paths.memory_path(str(self.project), dict(os.environ), {}))

    def call(self, event: str = "Stop", **fields: Any) -> Call:
        payload = {
            "session_id": self.session, "transcript_path": str(self.transcript), "cwd": str(self.project),
            "hook_event_name": event, **fields,
        }  # fmt: skip
        return Call(event, Payload(payload), {**os.environ, **self.env}, self.now)

    @property
    def journal(self) -> Journal:
        return Journal(self.call().state, self.session)

    def write(self, raw: bytes) -> None:
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        with self.transcript.open("ab") as file:
            file.write(raw)

    def say(self, words: str, *, reply: str = "ok", **fields: Any) -> bytes:
        """One whole turn; the lines that were written."""
        lines = self.line("user", words, **fields) + self.line("assistant", [{"type": "text", "text": reply}])
        self.write(lines)
        return lines

    def write_memory(self, words: str, file: Path) -> None:
        use = [{"type": "tool_use", "id": "t", "name": "Write", "input": {"file_path": str(file)}}]
        self.write(self.line("user", words) + self.line("assistant", use))

    def line(self, kind: str, content: object, **fields: Any) -> bytes:
        entry = {
            "type": kind, "uuid": str(uuid.uuid4()), "sessionId": self.session, "cwd": str(self.project),
            "timestamp": "2026-11-30T05:28:25.368Z", "message": {"role": kind, "content": content}, **fields,
        }  # fmt: skip
        return json.dumps(entry).encode() + b"\n"

    def stop(self, **fields: Any) -> bool:
        return schedule.turn_ended(self.call("Stop", **fields), self.journal)

    def last(self) -> dict[str, Any]:
        return self.journal.events()[-1]

    def state(self) -> State:
        return self.journal.state()

    def work(self) -> list[str]:
        """What the worker would look at now: every prompt between the cursor and `due`; the journal moves on."""
        state = self.state()
        if not state.pending:
            return []
        start = run._start(state)
        known = frozenset(state.marks)
        span = transcript.span(state.transcript, start, state.due, session=self.session, known=known)
        said = [text for turn in span.turns for _, text in turn.human]
        marks = [transcript.mark_of(mark) for turn in span.turns for mark, _ in turn.human]
        self.journal.append("marks", marks=marks)
        mark = transcript.fingerprint(state.transcript)
        self.journal.append("extract", since=state.cursor, cursor=span.end, handled=state.due, fingerprint=mark)
        return said

    def settings(self, **own: Any) -> None:
        (self.config / "settings.json").write_text(json.dumps({settings.OWN: own}))


@pytest.fixture
def desk(own_home: Path, tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_turn_of_the_person_is_due_up_to_the_files_end(desk: Desk) -> None:
    desk.say("use pnpm")
    assert desk.stop(last_assistant_message="Done.") is True
    noted = desk.last()
    assert (noted["e"], noted["reason"], noted["due"]) == ("stop", "run", desk.transcript.stat().st_size)
    assert (noted["transcript"], noted["launch"]) == (str(desk.transcript), str(desk.project))
    assert noted["last_said"] == "Done."
    assert desk.work() == ["use pnpm"]
    assert desk.work() == []


def test_the_same_stop_twice_is_one_run(desk: Desk) -> None:
    desk.say("use pnpm")
    assert [desk.stop(), desk.stop()] == [True, True]
    assert desk.work() == ["use pnpm"]
    assert desk.work() == []
    # and once more after the run: nothing new was said
    assert desk.stop() is False
    assert desk.last()["reason"] == "no_human_text"
    assert desk.work() == []


def test_a_stop_on_the_hooks_own_continuation_is_an_ordinary_one(desk: Desk) -> None:
    desk.say("use pnpm")
    assert desk.stop(stop_hook_active=True) is True
    assert desk.work() == ["use pnpm"]
    assert desk.stop(stop_hook_active=True) is False


def test_a_sub_agents_end_moves_nothing(desk: Desk) -> None:
    desk.say("use pnpm")
    for fields in ({"agent_id": "a1"}, {"agent_id": "a1", "agent_type": "reviewer"}):
        assert desk.stop(**fields) is False
        assert desk.last()["reason"] == "not_main_agent"
    assert (desk.state().cursor, desk.state().due, desk.state().stops) == (-1, -1, 0)
    assert desk.stop() is True
    assert desk.work() == ["use pnpm"]


def test_turns_that_wait_for_their_number_are_looked_at_together(desk: Desk) -> None:
    desk.settings(extract={"everyTurns": 3})
    answers = []
    for words in ("one", "two", "three", "four", "five", "six"):
        desk.say(words)
        answers.append((desk.stop(), desk.last()["reason"], desk.work()))
    assert answers == [
        (False, "frequency", []), (False, "frequency", []), (True, "run", ["one", "two", "three"]),
        (False, "frequency", []), (False, "frequency", []), (True, "run", ["four", "five", "six"]),
    ]  # fmt: skip


@pytest.mark.parametrize("way", ["environment", "setting", "enabled", "extract"])
def test_turns_that_ended_while_memory_was_off_are_never_looked_at(desk: Desk, way: str) -> None:
    desk.say("first")
    desk.stop()
    assert desk.work() == ["first"]
    desk.say("between you and me")
    if way == "environment":
        desk.env = {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}
    elif way == "setting":
        (desk.config / "settings.json").write_text('{"autoMemoryEnabled": false}')
    else:
        desk.settings(**({"enabled": False} if way == "enabled" else {"extract": {"enabled": False}}))
    assert desk.stop() is False
    assert desk.last()["reason"] == "disabled"
    desk.env = {}
    (desk.config / "settings.json").write_text("{}")
    desk.say("third")
    assert desk.stop() is True
    assert desk.work() == ["third"]


def test_a_run_that_ends_late_does_not_reopen_a_turn_that_was_off(desk: Desk) -> None:
    desk.say("first")
    desk.stop()
    before = desk.state()
    desk.say("between you and me")
    desk.env = {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}
    desk.stop()
    desk.env = {}
    desk.journal.append("extract", since=before.cursor, cursor=before.due, handled=before.due)
    desk.say("third")
    desk.stop()
    assert desk.work() == ["third"]


def test_a_turn_with_the_main_agents_own_memory_is_settled(desk: Desk) -> None:
    desk.write_memory("remember pnpm", desk.memory / "pnpm.md")
    assert desk.stop() is False
    assert desk.last()["reason"] == "memory_tool"
    desk.say("second")
    assert desk.stop() is True
    assert desk.work() == ["second"]


def test_a_turn_without_the_persons_words_is_settled(desk: Desk) -> None:
    desk.write(desk.line("user", "<task-notification>done</task-notification>") + desk.line("assistant", "ok"))
    assert desk.stop() is False
    assert desk.last()["reason"] == "no_human_text"
    assert desk.state().cursor == desk.transcript.stat().st_size


def test_the_last_words_may_come_after_the_hook(desk: Desk) -> None:
    desk.write(desk.line("user", "use pnpm"))
    assert desk.stop(last_assistant_message="Will do.") is True
    assert desk.work() == ["use pnpm"]
    desk.write(desk.line("assistant", [{"type": "text", "text": "Will do."}]))
    desk.say("second")
    assert desk.stop() is True
    assert desk.work() == ["second"]


def test_a_half_written_line_is_read_once_it_is_whole(desk: Desk) -> None:
    desk.say("first")
    late = desk.line("user", "second")
    desk.write(late[:40])
    desk.stop()
    assert desk.work() == ["first"]
    assert desk.state().cursor == desk.transcript.stat().st_size - 40
    desk.write(late[40:])
    assert desk.stop() is True
    assert desk.work() == ["second"]
    assert desk.stop() is False


def test_a_line_that_stays_torn_keeps_no_worker_busy(desk: Desk) -> None:
    desk.say("first")
    desk.write(desk.line("user", "second")[:40])
    desk.stop()
    desk.work()
    assert not desk.state().pending


def test_lines_that_are_copied_to_the_end_are_no_news(desk: Desk) -> None:
    lines = desk.say("first") + desk.say("second")
    desk.stop()
    assert desk.work() == ["first", "second"]
    desk.write(lines)
    assert desk.stop() is False
    assert desk.last()["reason"] == "no_human_text"
    desk.write(lines)
    desk.say("third")
    desk.stop()
    assert desk.work() == ["third"]


def test_a_file_that_shrank_is_read_from_its_beginning_and_repeats_are_left_out(desk: Desk) -> None:
    first = desk.say("first")
    desk.say("x" * 90_000)
    desk.stop()
    desk.work()
    desk.transcript.write_bytes(first)
    desk.say("second")
    assert desk.stop() is True
    assert desk.work() == ["second"]
    desk.say("third")
    assert desk.stop() is True
    assert desk.work() == ["third"]


@pytest.mark.parametrize("more", [0, 5_000])
def test_another_file_of_the_same_name_is_read_from_its_beginning(desk: Desk, more: int) -> None:
    desk.say("first " * 50)
    desk.stop()
    desk.work()
    size = desk.transcript.stat().st_size
    words = "another file"
    line = desk.line("user", words)
    desk.transcript.write_bytes(line + b" " * (size + more - len(line) - 1) + b"\n")
    assert desk.stop() is True
    assert desk.work() == [words]
    assert desk.stop() is False


def test_turns_settled_in_the_new_file_stay_settled(desk: Desk) -> None:
    desk.say("first " * 50)
    desk.stop()
    desk.work()
    desk.transcript.write_bytes(b"")
    desk.say("between you and me")
    desk.env = {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}
    desk.stop()
    desk.env = {}
    desk.say("second")
    desk.stop()
    assert desk.work() == ["second"]


def test_a_resumed_session_goes_on_where_it_was(desk: Desk) -> None:
    desk.say("first")
    desk.stop()
    desk.work()
    desk.journal.append("session", source="resume", at=desk.transcript.stat().st_size)
    desk.say("second")
    desk.stop()
    assert desk.work() == ["second"]


def test_what_was_said_before_we_were_installed_is_not_looked_at(desk: Desk) -> None:
    desk.say("years ago")
    desk.journal.append("session", source="resume", at=desk.transcript.stat().st_size)
    desk.say("today")
    desk.stop()
    assert desk.work() == ["today"]


def test_lines_of_the_session_that_was_forked_are_not_this_ones(desk: Desk) -> None:
    old = Desk(desk.project, OTHER)
    desk.write(old.line("user", "said in the old session"))
    desk.say("said here")
    desk.stop()
    assert desk.work() == ["said here"]


def test_a_changed_folder_stays_in_one_project(desk: Desk) -> None:
    deep = desk.project / "pkg" / "sub"
    deep.mkdir(parents=True)
    desk.say("first")
    assert desk.call(cwd=str(deep)).state == desk.call().state
    assert desk.stop(cwd=str(deep)) is True
    assert (desk.last()["launch"], desk.work()) == (str(desk.project), ["first"])


def test_a_transcript_that_is_missing_is_a_quiet_no(desk: Desk) -> None:
    assert desk.stop() is False
    assert (desk.last()["reason"], desk.state().cursor) == ("no_human_text", -1)
    assert not desk.transcript.exists() and not desk.transcript.parent.exists()


def test_a_transcript_that_moved_beside_its_folder_is_found(desk: Desk) -> None:
    desk.say("first")
    beside = desk.transcript.parent.parent / "-worktree" / desk.transcript.name
    beside.parent.mkdir()
    desk.transcript.rename(beside)
    assert desk.stop() is True
    assert desk.work() == ["first"]


def test_a_huge_transcript_is_not_read_in_the_hook(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.say("first")
    os.truncate(desk.transcript, 600_000_000)

    def read(*_: object, **__: object) -> None:
        raise AssertionError("the transcript was read")

    monkeypatch.setattr(transcript, "lines", read)
    monkeypatch.setattr(transcript, "span", read)
    assert desk.stop() is True
    assert desk.state().due == 600_000_000


def test_behind_a_huge_file_only_what_is_new_is_read(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.write(b"")
    os.truncate(desk.transcript, 600_000_000)
    desk.journal.append("session", source="resume", at=600_000_000)
    asked: list[tuple[int, int | None]] = []
    real = transcript.lines

    def lines(path: str, start: int = 0, stop: int | None = None) -> Any:
        asked.append((start, stop))
        return real(path, start, stop)

    monkeypatch.setattr(transcript, "lines", lines)
    desk.say("today")
    assert desk.stop() is True
    assert asked == [(600_000_000, desk.transcript.stat().st_size)]


def test_a_written_memory_makes_work_for_the_worker_whatever_the_gate_says(desk: Desk) -> None:
    desk.journal.append("memory_write", file="pnpm.md")
    desk.write_memory("remember pnpm", desk.memory / "pnpm.md")
    assert desk.stop() is True
    assert desk.last()["reason"] == "memory_tool"
    assert desk.stop(agent_id="a1") is False
    desk.env = {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}
    assert desk.stop() is False


def test_long_last_words_are_shortened(desk: Desk) -> None:
    desk.say("first")
    desk.stop(last_assistant_message="word " * 5_000)
    assert 400 <= len(desk.state().last_said) <= schedule.SAID


# ---- what other sessions left


@pytest.fixture
def left(desk: Desk) -> Desk:
    """An earlier session of the project: turn one ended, then two more did not; long ago."""
    earlier = Desk(desk.project, OTHER)
    earlier.say("one")
    earlier.stop()
    earlier.work()
    earlier.say("two")
    earlier.write(earlier.line("user", "[Request interrupted by user]"))
    earlier.say("three")
    os.utime(earlier.transcript, (desk.now - 10_000, desk.now - 10_000))
    return earlier


def test_turns_without_a_stop_are_picked_up_once(desk: Desk, left: Desk) -> None:
    assert schedule.pick_up(desk.call("SessionStart")) is True
    assert left.work() == ["two", "three"]
    assert schedule.pick_up(desk.call("SessionStart")) is False
    assert left.work() == []


def test_a_session_that_still_moves_is_left_alone(desk: Desk, left: Desk) -> None:
    os.utime(left.transcript, (desk.now - 5, desk.now - 5))
    assert schedule.pick_up(desk.call("SessionStart")) is False
    assert left.work() == []


def test_a_session_does_not_pick_up_itself(desk: Desk, left: Desk) -> None:
    left.now = desk.now
    assert schedule.pick_up(left.call("SessionStart", source="resume")) is False


def test_a_transcript_that_is_gone_is_passed_over(desk: Desk, left: Desk) -> None:
    left.transcript.unlink()
    assert schedule.pick_up(desk.call("SessionStart")) is False


def test_nothing_is_picked_up_while_memory_is_off(desk: Desk, left: Desk) -> None:
    desk.env = {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}
    assert schedule.pick_up(desk.call("SessionStart")) is False
    desk.env = {}
    desk.settings(extract={"enabled": False})
    assert schedule.pick_up(desk.call("SessionStart")) is False
    assert left.work() == []


def test_turns_that_were_left_while_memory_was_off_are_not_picked_up(desk: Desk, left: Desk) -> None:
    left.journal.append("recall", reason="disabled")
    assert schedule.pick_up(desk.call("SessionStart")) is False
    assert left.work() == []


def test_what_was_due_when_its_worker_died_is_picked_up(desk: Desk, left: Desk) -> None:
    left.stop()
    assert schedule.pick_up(desk.call("SessionStart")) is True
    assert left.work() == ["two", "three"]


def test_a_project_without_journals_has_nothing_to_pick_up(desk: Desk) -> None:
    assert schedule.pick_up(desk.call("SessionStart")) is False
