"""The live conversation is what the client goes on with on `--resume`; each row here was seen to be sent by it."""
from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lib.host.chain import Chain
from lib.host.transcript import live_chain
from tests.support.rows import (
    SUMMARY,
    boundary,
    jsonl,
    kept,
    model,
    noted,
    person,
    result,
    row,
    summary,
    uid,
    use,
    write,
)

BASE = [person(1, None, "p1"), model(2, 1, "r1"), person(3, 2, "p2"), model(4, 3, "r2")]
BRANCH = [person(5, 2, "p2b"), model(6, 5, "r2b")]
MORE = [person(7, 6, "p3"), model(8, 7, "r3")]
ALL, OTHER = ["p1", "r1", "p2", "r2"], ["p1", "r1", "p2b", "r2b"]
FAULT: dict[str, Any] = {
    "isApiErrorMessage": True,
    "message": {"role": "assistant", "model": "<synthetic>", "content": [{"type": "text", "text": "API Error: 500"}]},
}
PARALLEL = [
    person(1, None, "p1"), model(2, 1, [use("t1")], reply="m"), model(3, 2, [use("t2")], reply="m"),
    result(4, 2, "t1", "one"), result(5, 3, "t2", "two"),
]  # fmt: skip


def older(*rows: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**r, "timestamp": "2026-11-30T09:00:00.000Z"} for r in rows]


CASES: dict[str, tuple[list[Any], list[str]]] = {
    "nothing": ([], []),
    "one line": (BASE, ALL),
    "the branch written last": (BASE + BRANCH, OTHER),
    "though its clock says earlier": (BASE + older(*BRANCH), OTHER),
    "two leaves with equal time": (older(*BASE, *BRANCH), OTHER),
    "the branch the client noted": ([*BASE, *BRANCH, noted(4)], ALL),
    "and what was said on it since": ([*BASE, noted(4), person(7, 4, "p3")], [*ALL, "p3"]),
    "a note survives another branch": ([*BASE, noted(4), *BRANCH], ALL),
    "a note of an inner entry": ([*BASE, *BRANCH, noted(2)], OTHER),
    "a note that points nowhere": ([*BASE, noted(77), *BRANCH], OTHER),
    "a note from before a compaction": (
        [*BASE, *BRANCH, noted(4), boundary(9, 6), summary(10, 9), person(11, 10, "p3")], [SUMMARY, "p3"],
    ),
    "a prompt without an answer": ([*BASE, person(5, 4, "p3")], [*ALL, "p3"]),
    "a parent that never appears": ([BASE[0], BASE[1], person(3, 99, "p2"), model(4, 3, "r2")], ALL),
    "behind a branch": ([*BASE, *BRANCH, person(7, 99, "p3")], [*OTHER, "p3"]),
    "a parent that is progress": (
        [*BASE[:2], row("progress", 98, 2, data={}), person(3, 98, "p2"), model(4, 3, "r2")], ALL,
    ),
    "progress is no leaf": ([*BASE, *BRANCH, row("progress", 98, 4, data={})], OTHER),
    "a system entry is one": ([*BASE, *BRANCH, row("system", 98, 4, subtype="turn_duration")], ALL),
    "a cycle": ([person(1, 4, "p1"), *BASE[1:]], ALL),
    "an entry that is its own parent": ([*BASE, person(5, 5, "p3")], [*ALL, "p3"]),
    "two that are each other's": ([*BASE, person(5, 6, "p3"), model(6, 5, "r3")], [*ALL, "p3", "r3"]),
    "a second root": ([*BASE, person(7, None, "p3")], ["p3"]),
    "children before their parents": ([BASE[0], BASE[1], *BRANCH, BASE[2], BASE[3]], ALL),
    "everything twice": (BASE + BASE, ALL),
    "the first lines again at the end": (BASE + BASE[:2], ALL),
    "again without their parents": ([*BASE, person(3, None, "p2")], ALL),
    "again with other words": ([*BASE, person(3, 2, "changed")], ALL),
    "a sub-agent's lines in it": ([*BASE, person(5, 4, "side", isSidechain=True)], ALL),
    "a sub-agent's own file": ([{**r, "isSidechain": True} for r in BASE], ALL),
    "a compaction": ([*BASE, boundary(5, 4), summary(6, 5), person(7, 6, "p3")], [SUMMARY, "p3"]),
    "whose boundary points nowhere": ([*BASE, boundary(5, 77), summary(6, 5), person(7, 6, "p3")], [SUMMARY, "p3"]),
    "whose boundary has a parent": (
        [*BASE, {**boundary(5, 4), "parentUuid": uid(4)}, summary(6, 5), person(7, 6, "p3")], [SUMMARY, "p3"],
    ),
    "two compactions": (
        [*BASE, boundary(5, 4), summary(6, 5), person(7, 6, "p3"), boundary(9, 7), summary(10, 9, "second")],
        ["second"],
    ),
    "a compaction that was cut off": ([*BASE, boundary(5, 4)], ALL),
    "a rewind to before the compaction": ([*BASE, boundary(5, 4), summary(6, 5), *BRANCH[:0], person(9, 2, "p9")],
                                          ["p1", "r1", "p9"]),
    "messages that stay": (
        [*BASE, boundary(5, 4, kept(6, 3, 4)), summary(6, 5), person(7, 6, "p3")], [SUMMARY, "p2", "r2", "p3"],
    ),
    "only those that are listed": (
        [*BASE, boundary(5, 4, {**kept(6, 3, 4), "preservedMessages": {"anchorUuid": uid(6), "uuids": [uid(4)]}}),
         summary(6, 5), person(7, 6, "p3")], [SUMMARY, "r2", "p3"],
    ),
    "none when they do not hang together": (
        [*BASE, boundary(5, 4, kept(6, 88, 4)), summary(6, 5), person(7, 6, "p3")], [SUMMARY, "p3"],
    ),
    "a rewind into what stayed": (
        [*BASE, boundary(5, 4, kept(6, 3, 4)), summary(6, 5), person(7, 6, "p3"), person(9, 4, "p9")],
        [SUMMARY, "p2", "r2", "p9"],
    ),
    "a microcompaction leaves the words": (
        [*BASE, row("system", 5, 4, subtype="microcompact_boundary", microcompactMetadata={}), person(7, 5, "p3")],
        [*ALL, "p3"],
    ),
    "an API error": (
        [*BASE, person(5, 4, "p3"), model(6, 5, "API Error: 500", **FAULT), person(7, 6, "p4")],
        [*ALL, "p3", "p4"],
    ),
    "a meta entry and a hook's text": (
        [*BASE, person(5, 4, "meta", isMeta=True),
         row("attachment", 6, 5, attachment={"type": "hook_additional_context", "content": ["hook"]}),
         person(7, 6, "p3")], [*ALL, "p3"],
    ),
    "a word that was queued": (
        [*BASE, row("attachment", 5, 4, attachment={"type": "queued_command", "prompt": "q"}), model(6, 5, "r3")],
        [*ALL, "q", "r3"],
    ),
    "no identities at all": (
        [{"type": "user", "content": "p1"},
         {"type": "assistant", "content": "r1", "tool_uses": [{"name": "Read", "input": {"file_path": "/f"}}]}],
        ["p1", "r1"],
    ),
    "damage between": ([BASE[0], b'{"type": "user", "uu\n', b"\0\0\n", *BASE[1:]], ALL),
}  # fmt: skip


def said(chain: Chain) -> list[str]:
    return [message.text for message in chain if message.text]


@pytest.mark.parametrize(("rows", "expected"), CASES.values(), ids=CASES)
def test_the_client_would_go_on_with(tmp_path: Path, rows: list[Any], expected: list[str]) -> None:
    assert said(live_chain(str(write(tmp_path / "t.jsonl", *rows)))) == expected


def test_each_message_has_its_speaker_and_its_time(tmp_path: Path) -> None:
    rows = [*BASE, boundary(5, 4), summary(6, 5), person(7, 6, "p3"), model(8, 7, "r3")]
    chain = live_chain(str(write(tmp_path / "t.jsonl", *rows)))
    assert [(m.role, m.uuid, m.time) for m in chain] == [
        ("summary", uid(6), "2026-11-30T10:00:06.000Z"), ("human", uid(7), "2026-11-30T10:00:07.000Z"),
        ("assistant", uid(8), "2026-11-30T10:00:08.000Z"),
    ]  # fmt: skip
    assert (len(chain), chain.entries) == (3, 8)


@pytest.mark.parametrize("follows", [4, 5])
def test_tools_that_ran_side_by_side_all_keep_their_results(tmp_path: Path, follows: int) -> None:
    chain = live_chain(str(write(tmp_path / "t.jsonl", *PARALLEL, model(6, follows, "r1"))))
    tools = [(tool.id, tool.name, tool.result, tool.failed) for message in chain for tool in message.tools]
    assert tools == [("t1", "Bash", "one", False), ("t2", "Bash", "two", False)]
    assert said(chain) == ["p1", "r1"]


def test_an_identity_of_a_tool_use_that_comes_again_is_another_use(tmp_path: Path) -> None:
    rows = [person(1, None, "p"), model(2, 1, [use("t")]), result(3, 2, "t", "one"),
            model(4, 3, [use("t")]), result(5, 4, "t", "two", failed=True), model(6, 5, "r")]  # fmt: skip
    chain = live_chain(str(write(tmp_path / "t.jsonl", *rows)))
    assert [(t.result, t.failed) for m in chain for t in m.tools] == [("one", False), ("two", True)]


def test_a_tool_without_a_result_has_none(tmp_path: Path) -> None:
    chain = live_chain(str(write(tmp_path / "t.jsonl", person(1, None, "p"), model(2, 1, [use("t", file_path="/f")]))))
    assert [(t.path, t.given, t.result) for t in chain[1].tools] == [("/f", {"file_path": "/f"}, None)]


@pytest.mark.parametrize("name", ["content-replacement", "content_replacement"])
def test_a_replaced_result_is_what_it_was_cut_down_to(tmp_path: Path, name: str) -> None:
    rows = [{"toolUseId": "t1", "replacement": "cut"}, {"toolUseId": "nowhere", "replacement": "x"}, 5]
    cut = {"type": name, "replacements": rows}
    chain = live_chain(str(write(tmp_path / "t.jsonl", *PARALLEL, cut)))
    assert [tool.result for message in chain for tool in message.tools] == ["cut", "two"]


@pytest.mark.parametrize("name", ["context-collapse-snapshot", "context_collapse_snapshot"])
def test_a_collapse_covers_what_came_before_it(tmp_path: Path, name: str) -> None:
    after = [person(7, 4, "p3")]
    path = tmp_path / "t.jsonl"
    collapsed = {"type": name, "summary": "so far"}
    assert said(live_chain(str(write(path, *BASE, collapsed, *after)))) == ["so far", "p3"]
    assert said(live_chain(str(write(path, *BASE, {"type": name}, *after)))) == ["p3"]
    assert said(live_chain(str(write(path, *BASE, {"type": name})))) == ALL
    assert said(live_chain(str(write(path, *BASE, {**collapsed, "lastArchivedUuid": uid(2)}, *after)))) == [
        "so far", "p2", "r2", "p3"]  # fmt: skip
    assert said(live_chain(str(write(path, *BASE, {**collapsed, "leafUuid": uid(77)}, *after)))) == [*ALL, "p3"]
    tree = row(name, 5, 4, summary="so far")
    assert said(live_chain(str(write(path, *BASE, tree, person(7, 5, "p3"))))) == ["so far", "p3"]


def snapshot(message: object, version: int, backup: str | None, kind: str = "file-history-snapshot") -> dict[str, Any]:
    backups = {"/a.py": {"backupFileName": backup, "version": version, "backupTime": f"t{version}"}}
    inner = {"messageId": uid(message), "trackedFileBackups": backups, "timestamp": "t"}
    return {"type": kind, "messageId": uid(message), "snapshot": inner, "isSnapshotUpdate": False}


def test_files_are_as_the_newest_snapshot_of_this_branch_has_them(tmp_path: Path) -> None:
    newest = snapshot(6, 3, "a@v3", "file_history_snapshot")
    rows = [*BASE, snapshot(1, 1, None), snapshot(3, 2, "a@v2"), *BRANCH, newest]
    path = tmp_path / "t.jsonl"
    file = live_chain(str(write(path, *rows))).files["/a.py"]
    assert (file.backup, file.version, file.time) == ("a@v3", 3, "t3")
    file = live_chain(str(write(path, *rows, noted(4)))).files["/a.py"]
    assert (file.backup, file.version, file.time) == ("a@v2", 2, "t2")


@pytest.mark.parametrize("odd", [None, 5, [], {"trackedFileBackups": 5}, {"trackedFileBackups": {"/a": 5}}])
def test_a_snapshot_of_another_shape_says_nothing(tmp_path: Path, odd: Any) -> None:
    rows = [*BASE, {"type": "file-history-snapshot", "messageId": uid(1), "snapshot": odd}]
    assert live_chain(str(write(tmp_path / "t.jsonl", *rows))).files == {}


def test_attribution_and_title_are_told(tmp_path: Path) -> None:
    rows = [{"type": "summary", "summary": "old", "leafUuid": uid(9)}, *BASE,
            {"type": "attribution-snapshot", "messageId": uid(2), "fileStates": {"/a": {"claudeContribution": 3}}},
            {"type": "custom-title", "customTitle": "mine"}, {"type": "ai-title", "aiTitle": "guessed"}]  # fmt: skip
    chain = live_chain(str(write(tmp_path / "t.jsonl", *rows)))
    assert (chain.title, chain.attribution) == ("mine", {"/a": {"claudeContribution": 3}})


def test_an_archived_transcript_reads_the_same(tmp_path: Path) -> None:
    raw = jsonl(*BASE, *BRANCH)
    (tmp_path / "t.jsonl.gz").write_bytes(gzip.compress(raw))
    assert said(live_chain(str(tmp_path / "t.jsonl.gz"))) == OTHER


def test_damage_is_counted_and_a_missing_file_is_the_callers_affair(tmp_path: Path) -> None:
    path = write(tmp_path / "t.jsonl", b"{torn\n", *BASE, b"[1]\n")
    assert live_chain(str(path)).skipped == 2
    with pytest.raises(FileNotFoundError):
        live_chain(str(tmp_path / "none.jsonl"))


NAMES = st.integers(1, 6)
ENTRY = st.one_of(
    st.builds(person, NAMES, NAMES | st.none(), st.sampled_from(["a", "b"]), isSidechain=st.booleans()),
    st.builds(model, NAMES, NAMES | st.none(), st.sampled_from(["c", ""]), reply=st.sampled_from(["m", "n"])),
    st.builds(lambda n, p: model(n, p, [use("t")]), NAMES, NAMES),
    st.builds(lambda n, p: result(n, p, "t", "out"), NAMES, NAMES),
    st.builds(lambda n, p, a, h: boundary(n, p, kept(a, h, h)), NAMES, NAMES, NAMES, NAMES),
    st.builds(summary, NAMES, NAMES | st.none()), st.builds(noted, NAMES),
    st.sampled_from([b"\n", b"{\n", b"[]\n", {"type": "context_collapse_snapshot", "summary": "s"}]),
)  # fmt: skip
QUIET = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)


@QUIET
@given(rows=st.lists(ENTRY, max_size=10))
def test_whatever_hangs_on_whatever_each_entry_is_there_at_most_once(tmp_path: Path, rows: list[Any]) -> None:
    chain = live_chain(str(write(tmp_path / "t.jsonl", *rows)))
    there = [message.uuid for message in chain if message.uuid]
    assert len(there) == len(set(there))
    tree = [entry for entry in rows if isinstance(entry, dict) and "uuid" in entry]
    once = said(live_chain(str(write(tmp_path / "t.jsonl", *tree))))
    assert said(live_chain(str(write(tmp_path / "t.jsonl", *tree, *tree)))) == once


@QUIET
@given(choices=st.lists(st.integers(0, 8), max_size=12))
def test_the_newest_leaf_leads_back_over_exactly_its_ancestors(tmp_path: Path, choices: list[int]) -> None:
    rows = [person(1, None, "1")]
    parents = {1: 0}
    for number, choice in enumerate(choices, 2):
        parents[number] = 1 + choice % (number - 1)
        rows.append(person(number, parents[number], str(number)))
    line, here = [], len(rows)
    while here:
        line.append(str(here))
        here = parents[here]
    assert said(live_chain(str(write(tmp_path / "t.jsonl", *rows)))) == line[::-1]
