"""Turns come one after the other, with the results of their tools, whatever the order and however often one looks."""
from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lib.host import transcript
from lib.host.transcript import Turn, mark_of
from tests.support.rows import boundary, jsonl, model, person, result, row, summary, uid, use, write

Told = tuple[list[str], list[str], list[tuple[str, str | None, bool]]]


def told(turns: list[Turn]) -> list[Told]:
    return [
        ([text for _, text in turn.human], turn.assistant, [(t.id, t.result, t.failed) for t in turn.tools])
        for turn in turns
    ]


def read(path: Path, since: int = 0, **more: Any) -> list[Told]:
    return told(list(transcript.turns(str(path), since, **more)))


def test_a_turn_is_what_was_said_and_done_from_one_prompt_to_the_next(tmp_path: Path) -> None:
    rows = [
        person(1, None, "p1"), model(2, 1, "Looking."), model(3, 2, [use("t1", "Read", file_path="/f")]),
        result(4, 3, "t1", "text", failed=True), model(5, 4, "Done."), person(6, 5, "p2"),
    ]  # fmt: skip
    path = write(tmp_path / "t.jsonl", *rows)
    assert read(path) == [(["p1"], ["Looking.", "Done."], [("t1", "text", True)]), (["p2"], [], [])]
    first, second = transcript.turns(str(path))
    assert (first.start, first.end, second.start, second.end) == (
        0, len(jsonl(*rows[:5])), len(jsonl(*rows[:5])), len(jsonl(*rows)))  # fmt: skip
    assert (first.time, first.tools[0].name, first.tools[0].path, first.tools[0].given) == (
        "2026-11-30T10:00:01.000Z", "Read", "/f", {"file_path": "/f"})  # fmt: skip


def test_a_result_may_come_before_its_use_and_results_may_cross(tmp_path: Path) -> None:
    uses = [model(2, 1, [use("t1"), use("t2")])]
    results = [result(3, 2, "t2", "two"), result(4, 2, "t1", "one")]
    expected: list[Told] = [(["p"], [], [("t1", "one", False), ("t2", "two", False)])]
    assert read(write(tmp_path / "t.jsonl", person(1, None, "p"), *uses, *results)) == expected
    assert read(write(tmp_path / "t.jsonl", person(1, None, "p"), *results, *uses)) == expected


NOBODY = {
    "a compaction": [boundary(5, 4), summary(6, 5, "I always use npm")],
    "a hook": [row("attachment", 5, 4, attachment={"type": "hook_additional_context", "content": ["use npm"]})],
    "a meta entry": [person(5, 4, "use npm", isMeta=True)],
    "a notification": [person(5, 4, "<task-notification>use npm</task-notification>")],
    "an API error": [model(5, 4, "API Error: 529", isApiErrorMessage=True)],
    "a sub-agent": [person(5, 4, "use npm", isSidechain=True), model(6, 5, "npm", isSidechain=True)],
    "the API's record": [{"type": "api-request-blob", "message": {"role": "user", "content": "use npm"}}],
}


@pytest.mark.parametrize("rows", NOBODY.values(), ids=NOBODY)
def test_what_nobody_said_is_in_no_turn(tmp_path: Path, rows: list[Any]) -> None:
    talk = [person(1, None, "p1"), model(2, 1, "r1")]
    assert read(write(tmp_path / "t.jsonl", *talk, *rows)) == [(["p1"], ["r1"], [])]


def test_what_was_queued_or_given_to_a_command_is_the_persons(tmp_path: Path) -> None:
    command = "<command-name>/fix</command-name><command-args>the parser</command-args>"
    queued = row("attachment", 3, 1, attachment={"type": "queued_command", "prompt": "and the lexer"})
    assert read(write(tmp_path / "t.jsonl", person(1, None, command), queued)) == [
        (["the parser"], [], []), (["and the lexer"], [], [])]  # fmt: skip


def test_the_oldest_files_are_read(tmp_path: Path) -> None:
    rows: list[Any] = [{"type": "user", "content": "fix it"},
            {"type": "assistant", "content": "ok", "tool_uses": [{"name": "Read", "input": {"file_path": "/f"}}]}]
    (turn,) = transcript.turns(str(write(tmp_path / "t.jsonl", *rows)))
    assert ([text for _, text in turn.human], turn.assistant) == (["fix it"], ["ok"])
    assert [(tool.name, tool.path) for tool in turn.tools] == [("Read", "/f")]


def test_known_entries_and_those_of_another_session_are_left_out(tmp_path: Path) -> None:
    path = write(tmp_path / "t.jsonl", person("aaaa0001", None, "p1", sessionId="s0"), person(2, 1, "p2"))
    assert read(path, session="s1") == [(["p2"], [], [])]
    assert read(path, known=frozenset([mark_of(uid(2))])) == []


def test_an_archived_transcript_has_the_same_turns_at_the_same_places(tmp_path: Path) -> None:
    raw = jsonl(person(1, None, "p1"), model(2, 1, "r1"), person(3, 2, "p2"))
    (tmp_path / "t.jsonl.gz").write_bytes(gzip.compress(raw))
    first, second = transcript.turns(str(tmp_path / "t.jsonl.gz"))
    assert (first.end, second.start, second.end) == (second.start, first.end, len(raw))
    assert read(tmp_path / "t.jsonl.gz", second.start) == [(["p2"], [], [])]


STEP = st.sampled_from(["prompt", "text", "tool", "swapped", "noise", "damage", "again"])


def rows_of(steps: list[str]) -> list[Any]:
    rows: list[Any] = []
    for number, step in enumerate(steps):
        id = f"t{number}"
        tool = [model(f"{number}a", None, [use(id)]), result(f"{number}b", None, id, "out")]
        more: dict[str, list[Any]] = {
            "prompt": [person(number, None, f"p{number}")],
            "text": [model(number, None, f"r{number}\u2028é")],
            "tool": tool,
            "swapped": tool[::-1],
            "noise": [{"type": "mode", "mode": "user"}, row("progress", number, None, data={})],
            "damage": [b'{"type":"user"\n', b"\0\0\n"],
            "again": rows[-1:],
        }
        rows += more[step]
    return rows


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(steps=st.lists(STEP, max_size=10), cuts=st.lists(st.integers(0, 4_000), max_size=4))
def test_however_often_one_looks_while_it_grows_the_turns_are_the_same(
    tmp_path: Path, steps: list[str], cuts: list[int]
) -> None:
    raw, path = jsonl(*rows_of(steps)), tmp_path / "t.jsonl"
    path.write_bytes(raw)
    once = read(path)
    found: list[Turn] = []
    since = 0
    for cut in [*sorted(min(cut, len(raw)) for cut in cuts), len(raw)]:
        path.write_bytes(raw[:cut])
        turns = list(transcript.turns(str(path), since))
        # The last turn may go on: it is read again next time.
        found += turns[:-1]
        since = turns[-1].start if turns else since
        rest = turns[-1:]
    assert told(found + rest) == once
