"""What a hook noted is there afterwards: under parallel hooks, behind a torn line, and across compaction."""
from __future__ import annotations

import json
import multiprocessing
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib import journal
from lib.journal import Journal, State, fold

SESSION = "3f0c4b1e-9d43-4c57-9e3f-0d7f0b9c2a11"
PROCESSES = multiprocessing.get_context("fork")


def raw_lines(book: Journal) -> list[bytes]:
    return Path(book.path).read_bytes().splitlines(keepends=True)


def append_many(state: str, writer: int, count: int) -> None:
    book = Journal(state, SESSION)
    for number in range(count):
        book.append("recall", reason="shown", shown={f"{writer}-{number}.md": "v" * (number % 90)})


def together(*jobs: tuple[Any, tuple[object, ...]]) -> None:
    """Run the jobs as processes at the same time; each must end well."""
    running = [PROCESSES.Process(target=target, args=arguments) for target, arguments in jobs]
    for process in running:
        process.start()
    for process in running:
        process.join(60)
    assert [process.exitcode for process in running] == [0] * len(running)


def test_eight_processes_that_append_at_once_lose_nothing(tmp_path: Path) -> None:
    together(*[(append_many, (str(tmp_path), writer, 60)) for writer in range(8)])
    book = Journal(str(tmp_path), SESSION)
    assert all(line.endswith(b"\n") and len(line) <= journal.LINE_LIMIT for line in raw_lines(book))
    assert len(raw_lines(book)) == 8 * 60
    assert set(book.state().shown) == {f"{writer}-{number}.md" for writer in range(8) for number in range(60)}


def compact_often(state: str, times: int) -> None:
    journal.SIZE_LIMIT, journal.KEPT = 2_000, 5
    for _ in range(times):
        Journal(state, SESSION).compact()


def test_compaction_while_others_append_loses_nothing(tmp_path: Path) -> None:
    writers = [(append_many, (str(tmp_path), writer, 60)) for writer in range(6)]
    together(*writers, (compact_often, (str(tmp_path), 150)), (compact_often, (str(tmp_path), 150)))
    book = Journal(str(tmp_path), SESSION)
    assert set(book.state().shown) == {f"{writer}-{number}.md" for writer in range(6) for number in range(60)}
    assert os.listdir(book.folder) == [f"{SESSION}.jsonl"]


def test_the_first_append_makes_the_folder_for_its_owner_alone(tmp_path: Path) -> None:
    book = Journal(str(tmp_path / "state"), SESSION)
    assert (book.events(), vars(book.state())) == ([], vars(State()))
    book.append("stop", due=5)
    assert [event["e"] for event in book.events()] == ["stop"]
    assert os.stat(book.path).st_mode & 0o077 == 0
    assert os.stat(book.folder).st_mode & 0o077 == 0


def test_a_line_behind_a_torn_one_is_whole(tmp_path: Path) -> None:
    book = Journal(str(tmp_path), SESSION)
    book.append("stop", due=1)
    with open(book.path, "ab") as file:
        file.write(b'{"t": 1, "e": "stop", "due": 99')
    book.append("stop", due=2)
    assert [event.get("due") for event in book.events()] == [1, 2]
    assert raw_lines(book)[1] == b'{"t": 1, "e": "stop", "due": 99\n'


def test_foreign_lines_are_passed_over(tmp_path: Path) -> None:
    book = Journal(str(tmp_path), SESSION)
    os.makedirs(book.folder)
    foreign = [b"", b"null", b"[]", b"7", b'"stop"', b"\xff\xfe", b"\0" * 500, b"[" * 100_000, b"9" * 5_000, b"{"]
    Path(book.path).write_bytes(b"\n".join([*foreign, b'{"e": "stop", "due": 4}', b"{"]))
    assert book.events() == [{"e": "stop", "due": 4}]


def test_a_journal_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    book = Journal(str(tmp_path), SESSION)
    os.makedirs(book.folder)
    (tmp_path / "precious").write_text("mine")
    os.symlink(tmp_path / "precious", book.path)
    with pytest.raises(OSError):
        book.append("stop", due=1)
    assert (tmp_path / "precious").read_text() == "mine"


def test_a_short_write_is_no_silent_loss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = Journal(str(tmp_path), SESSION)
    book.append("stop", due=1)
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, data[:10]))
    with pytest.raises(OSError):
        book.append("stop", due=2)
    monkeypatch.undo()
    book.append("stop", due=3)
    assert [event.get("due") for event in book.events()] == [1, 3]


# ---- lines

FILES = st.text(min_size=1, max_size=80).map(lambda text: f"{text}.md")
LONG = st.text(max_size=40).flatmap(lambda text: st.integers(0, 400).map(lambda times: text * times))
EVENTS = st.fixed_dictionaries(
    {"e": st.sampled_from(["stop", "recall", "extract", "failed"])},
    optional={
        "reason": LONG, "last_said": LONG, "due": st.integers(0, 10**12), "transcript": LONG, "launch": LONG,
        "why": st.dictionaries(FILES, LONG, max_size=5), "changes": st.lists(st.lists(LONG, max_size=3), max_size=60),
        "shown": st.dictionaries(FILES, st.just("0badcafe"), max_size=5),
        "usage": st.dictionaries(LONG, st.integers(), max_size=9),
        "marks": st.lists(st.text("0123456789abcdef-", min_size=13, max_size=13), max_size=150),
    },
)  # fmt: skip


@given(EVENTS)
def test_every_line_is_one_object_below_the_limit(event: dict[str, object]) -> None:
    line = journal.encode(event)
    assert len(line) <= journal.LINE_LIMIT < 4_096
    assert line.count(b"\n") == 1 and line.endswith(b"\n")
    back = json.loads(line)
    assert back["e"] == event["e"]
    assert back.get("due") == event.get("due")
    if not back.get("cut"):
        assert back == event


def test_what_was_shown_survives_a_line_that_is_too_long() -> None:
    names = [f"{'認' * 81}{n}.md" for n in range(5)]
    shown = dict.fromkeys(names, "0badcafe")
    event = {"t": 1.5, "e": "recall", "reason": "shown", "shown": shown, "why": dict.fromkeys(names, "証" * 120)}
    back = json.loads(journal.encode(event))
    assert fold([back]).shown == shown
    assert back["cut"] is True


def test_a_path_is_left_out_rather_than_shortened() -> None:
    back = json.loads(journal.encode({"e": "stop", "due": 7, "transcript": "/é" * 900, "last_said": "x" * 1_200}))
    assert (back["due"], back.get("transcript")) == (7, None)


# ---- fold

SMALL = st.integers(0, 900)
SESSIONS = st.fixed_dictionaries(
    {"e": st.just("session"), "source": st.sampled_from(["startup", "resume", "clear", "compact", ""])},
    optional={
        "at": SMALL, "launch": st.sampled_from(["/a", "/b"]), "transcript": st.sampled_from(["/t", ""]),
        "index": st.sampled_from(["delivered", "disabled"]),
    },
)  # fmt: skip
STOPS = st.fixed_dictionaries(
    {"e": st.just("stop")},
    optional={
        "due": SMALL, "cursor": SMALL, "last_said": st.sampled_from(["", "ok", "done"]), "transcript": st.just("/t"),
        "restarted": st.just(True), "reason": st.sampled_from(["run", "disabled", "frequency"]),
    },
)  # fmt: skip
SHOWN = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from("12"))
RECALLS = st.fixed_dictionaries(
    {"e": st.just("recall")}, optional={"shown": SHOWN, "reason": st.sampled_from(["shown", "disabled"])}
)
RUNS = st.fixed_dictionaries(
    {"e": st.just("extract"), "cursor": SMALL},
    optional={"since": SMALL, "handled": SMALL, "fingerprint": st.sampled_from(["9:a", "9:b"])},
)
PLAIN = st.fixed_dictionaries({"e": st.sampled_from(["memory_write", "mended", "job", "gate", "unheard-of"])})
MARKS = st.fixed_dictionaries({"e": st.just("marks"), "marks": st.lists(st.sampled_from("uvwxyz"))})
HISTORY = st.lists(st.one_of(SESSIONS, STOPS, RECALLS, RUNS, PLAIN, MARKS), max_size=60)


@given(HISTORY, st.integers(0, 20))
def test_a_compacted_journal_folds_to_the_same_state(
    tmp_path_factory: pytest.TempPathFactory, history: list[dict[str, object]], kept: int
) -> None:
    book = Journal(str(tmp_path_factory.mktemp("state")), SESSION)
    for event in history:
        fields = {key: value for key, value in event.items() if key != "e"}
        book.append(str(event["e"]), **fields)
    before = vars(book.state())
    assert before == vars(fold(history))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal, "SIZE_LIMIT", 0)
        patch.setattr(journal, "KEPT", kept + 1)
        book.compact()
        book.compact()
    assert vars(book.state()) == before


def test_compaction_keeps_every_mark_and_every_shown_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "SIZE_LIMIT", 1_000)
    monkeypatch.setattr(journal, "KEPT", 2)
    book = Journal(str(tmp_path), SESSION)
    names = [f"{'認証方式' * 15}-{n}.md" for n in range(100)]
    for name in names:
        book.append("recall", shown={name: "0badcafe"})
    marks = [f"{n:013d}" for n in range(1_000)]
    for at in range(0, len(marks), 150):
        book.append("marks", marks=marks[at : at + 150])
    for _ in range(3):
        book.append("gate", reason="not_main_agent")
    book.compact()
    assert set(book.state().shown) == set(names)
    assert book.state().marks == marks
    assert max(map(len, raw_lines(book))) <= journal.LINE_LIMIT
    assert [event["e"] for event in book.events()][-2:] == ["gate", "gate"]


def test_a_small_journal_and_a_missing_one_are_left_as_they_are(tmp_path: Path) -> None:
    book = Journal(str(tmp_path), SESSION)
    book.compact()
    book.append("stop", due=1)
    before = Path(book.path).read_bytes()
    book.compact()
    assert Path(book.path).read_bytes() == before


def state_of(*events: dict[str, object]) -> State:
    return fold(list(events))


def test_work_is_pending_until_it_was_handled() -> None:
    stop: dict[str, object] = {"e": "stop", "due": 100}
    assert not state_of().pending
    assert state_of(stop).pending
    assert not state_of(stop, {"e": "extract", "cursor": 100, "handled": 100}).pending
    # a torn last line: the cursor stays before it, the run is done all the same
    assert not state_of(stop, {"e": "extract", "cursor": 90, "handled": 100}).pending
    assert state_of(stop, {"e": "extract", "cursor": 90, "handled": 100}, {"e": "stop", "due": 120}).pending
    assert state_of({"e": "memory_write"}).pending
    assert not state_of({"e": "memory_write"}, {"e": "mended"}).pending


def test_the_beginning_of_a_session_sets_the_cursor_once() -> None:
    assert state_of({"e": "session", "at": 50}, {"e": "session", "at": 900}).cursor == 50
    assert state_of({"e": "extract", "cursor": 70}, {"e": "session", "at": 900}).cursor == 70


def test_a_run_that_ends_late_does_not_move_the_cursor_back() -> None:
    # While the worker read up to 100, memory was switched off and a turn up to 200 was settled.
    run: dict[str, object] = {"e": "extract", "since": 0, "cursor": 100, "handled": 100}
    assert state_of({"e": "stop", "due": 100}, {"e": "stop", "cursor": 200}, run).cursor == 200
    marks: dict[str, object] = {"e": "marks", "marks": ["m"]}
    assert state_of({"e": "stop", "cursor": 200}, marks).cursor == 200


def test_a_run_over_a_shorter_file_does_move_the_cursor_back() -> None:
    earlier: dict[str, object] = {"e": "extract", "cursor": 900, "handled": 900}
    restart: dict[str, object] = {"e": "stop", "due": 40, "restarted": True}
    state = state_of({"e": "stop", "due": 900}, earlier, restart)
    assert (state.pending, state.due, state.cursor) == (True, 40, 0)
    run: dict[str, object] = {"e": "extract", "since": 0, "cursor": 40, "handled": 40}
    state = state_of({"e": "stop", "due": 900}, earlier, restart, run)
    assert (state.pending, state.cursor) == (False, 40)


def test_turns_and_beginnings_are_counted_from_the_last_run() -> None:
    stops: list[dict[str, object]] = [{"e": "stop"}, {"e": "stop"}, {"e": "job"}]
    assert (fold(stops).stops, fold(stops).failures) == (2, 1)
    moved = fold([*stops, {"e": "extract", "cursor": 5}, {"e": "stop"}])
    assert (moved.stops, moved.failures) == (1, 0)


@pytest.mark.parametrize("source", ["clear", "compact"])
def test_after_compaction_the_model_knows_nothing_that_was_shown(source: str) -> None:
    shown: dict[str, object] = {"e": "recall", "shown": {"a.md": "1"}}
    state = state_of(shown, {"e": "session", "source": source})
    assert (state.shown, state.compacted) == ({}, True)
    assert state_of(shown, {"e": "session", "source": "resume"}).shown == {"a.md": "1"}


def test_the_last_words_are_those_of_the_turn_that_is_due() -> None:
    said = state_of({"e": "stop", "due": 5, "last_said": "old"}, {"e": "stop", "due": 9, "picked_up": True})
    assert said.last_said == ""


KEYS = ["e", "due", "handled", "cursor", "shown", "marks", "stops", "source", "at", "since", "last_said", "restarted"]
ODD: list[object] = [None, True, -5, 1.5, "x", [], ["x", 3], {}, {"a": 1}, "stop", "recall", "session", "extract"]


@given(st.lists(st.dictionaries(st.sampled_from(KEYS), st.sampled_from(ODD), max_size=6)))
def test_no_event_raises(history: list[dict[str, object]]) -> None:
    assert isinstance(fold(history).pending, bool)


def test_the_newest_sessions_come_first(tmp_path: Path) -> None:
    for number, name in enumerate(["a", "b", "c"]):
        book = Journal(str(tmp_path), name)
        book.append("stop")
        os.utime(book.path, (number, number))
    (tmp_path / "journal" / "d.jsonl.7.tmp").write_text("left by a killed worker")
    assert journal.newest(str(tmp_path), 2) == ["c", "b"]
    assert journal.newest(str(tmp_path / "nowhere"), 2) == []


def began(state: Path, session: str, then: float, event: str = "session") -> None:
    book = Journal(str(state), session)
    book.append(event)
    os.utime(book.path, (then, then))


def test_the_sessions_that_began_last_are_the_newest_ones_however_many_there_are(tmp_path: Path) -> None:
    for number in range(40):
        began(tmp_path, f"s{number}", 1_000.0 + number, "session" if number % 2 else "stop")
    assert journal.recent(str(tmp_path), 5) == journal.newest(str(tmp_path), 5) == ["s39", "s38", "s37", "s36", "s35"]
    began(tmp_path, "s3", 5_000.0)  # goes on
    began(tmp_path, "s4", 6_000.0, "stop")  # a turn more of an old one that is not among the last
    assert journal.recent(str(tmp_path), 2) == ["s3", "s39"]
    looked = [line for line in (tmp_path / journal.RECENT).read_text().split("\n") if line]
    assert looked == [*(f"s{number}" for number in range(40)), "s3"]


@pytest.mark.parametrize("listed", [None, b"", b"a\n", b"\xff\x00\n../../x\n\n", b"gone\n" * 900, b"x" * 9_000])
def test_a_list_that_names_too_few_is_not_relied_on(tmp_path: Path, listed: bytes | None) -> None:
    for number, session in enumerate(["a", "b", "c"]):
        began(tmp_path, session, 1_000.0 + number)
    path = tmp_path / journal.RECENT
    if listed is None:
        path.unlink()
    else:
        path.write_bytes(listed)
    assert journal.recent(str(tmp_path), 3) == ["c", "b", "a"]
    assert journal.recent(str(tmp_path / "nowhere"), 3) == []


def test_the_list_of_sessions_stays_small_and_does_without_a_disk(tmp_path: Path) -> None:
    began(tmp_path, "a", 1_000.0)
    path = tmp_path / journal.RECENT
    path.write_bytes(b"some-session\n" * 30_000)
    began(tmp_path, "b", 2_000.0)
    assert path.read_bytes() == b"\nb\n"
    path.unlink()
    path.mkdir()
    began(tmp_path, "c", 3_000.0)
    assert journal.recent(str(tmp_path), 2) == ["c", "b"]


def test_compaction_brings_a_journal_of_long_events_under_its_limit(tmp_path: Path) -> None:
    book = Journal(str(tmp_path), SESSION)
    for number in range(journal.SIZE_LIMIT // 3_000 + 20):
        book.append("recall", reason="shown", number=number, left={"a.md": "x" * 3_000})
    assert os.path.getsize(book.path) > journal.SIZE_LIMIT
    last = book.events()[-1]
    book.compact()
    assert os.path.getsize(book.path) < journal.SIZE_LIMIT
    assert book.events()[-1] == last
