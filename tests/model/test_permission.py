"""What an agent may do with a tool."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from lib.model.permission import Decision, Scope, can_use_tool
from tests.model.conftest import Room

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "paths.json"


def ask(room: Room, name: str, **tool_input: object) -> Decision:
    return can_use_tool(name, tool_input, scope=room.scope)


def test_reading_is_allowed_inside_the_roots_only(room: Room) -> None:
    assert ask(room, "Read", file_path=str(room.project / "app.py")).allowed
    assert ask(room, "Grep", pattern="x", path=str(room.project)).allowed
    assert ask(room, "Grep", pattern="x").allowed
    assert ask(room, "Glob", pattern="**/*.py").allowed
    assert not ask(room, "Read", file_path=str(room.outside / "secret.txt")).allowed
    assert not ask(room, "Grep", pattern="x", path=str(room.outside)).allowed
    assert not ask(room, "Glob", pattern="*", path="/").allowed


@pytest.mark.parametrize("pattern", ["/etc/*", "../*", "sub/../../*", "~/*", "..\\*", "", None, 7, "x" * 2000])
def test_a_glob_that_asks_for_another_folder_is_refused(room: Room, pattern: object) -> None:
    assert not ask(room, "Glob", pattern=pattern).allowed


def test_a_pattern_to_search_for_may_hold_anything(room: Room) -> None:
    assert ask(room, "Grep", pattern="../../etc").allowed


@pytest.mark.parametrize("name", ["Write", "Edit"])
def test_writing_is_allowed_in_the_memory_directory_only(room: Room, name: str) -> None:
    assert ask(room, name, file_path=str(room.memory / "new.md")).allowed
    for path in (room.project / "app.py", room.project / "x.md", room.outside / "x.md", room.memory / "x.py"):
        assert not ask(room, name, file_path=str(path)).allowed
    assert not ask(room, name).allowed


@pytest.mark.parametrize(
    "name",
    [
        "MultiEdit",
        "NotebookEdit",
        "Agent",
        "Task",
        "WebFetch",
        "WebSearch",
        "mcp__fs__write_file",
        "read",
        "READ",
        "Write ",
        "",
        "Kill",
        "TodoWrite",
    ],
)
def test_everything_else_is_refused_with_a_reason(room: Room, name: str) -> None:
    decision = ask(room, name, file_path=str(room.memory / "a.md"), command="ls")
    assert not decision.allowed
    assert decision.reason.endswith(".") and "\n" not in decision.reason


@pytest.mark.parametrize("sent", [None, [], "x", 5, {"file_path": {}}, {"path": []}, {"file_path": None}])
def test_an_input_of_a_wrong_shape_is_refused_and_raises_nothing(room: Room, sent: Any) -> None:
    for name in ("Read", "Grep", "Glob", "Edit", "Write"):
        assert not can_use_tool(name, sent, scope=room.scope).allowed


def test_a_scope_without_folders_allows_nothing() -> None:
    for name in ("Read", "Edit", "Write"):
        assert not can_use_tool(name, {"file_path": "a.md"}, scope=Scope("", ())).allowed


@pytest.mark.skipif(not CASES.is_file(), reason=f"the shared path cases are not at {CASES}")
def test_every_shared_path_case_gets_its_verdict(tmp_path: Path) -> None:
    base = tmp_path.resolve()
    memory = base / "memory"
    (memory / "team").mkdir(parents=True)
    (memory / "dir.md").mkdir()
    (base / "outside").mkdir()
    (base / "outside/file.md").write_text("x")
    (memory / "a.md").write_text("x")
    (memory / "link.md").symlink_to(base / "outside/file.md")
    (memory / "dangling.md").symlink_to(base / "outside/none.md")
    (memory / "inlink.md").symlink_to("a.md")
    (memory / "linkdir").symlink_to(base / "outside")
    os.link(base / "outside/file.md", memory / "hard.md")
    os.mkfifo(memory / "fifo.md")
    (base / "memlink").symlink_to(memory)
    scope = Scope(str(memory), (str(memory),))
    wrong = []
    for case in json.loads(CASES.read_text()):
        path = case["path"].replace("$B", str(base)) if isinstance(case["path"], str) else case["path"]
        for name in ("Write", "Edit"):
            decision = can_use_tool(name, {"file_path": path}, scope=scope)
            if decision.allowed != (case["verdict"] == "allow"):
                wrong.append((name, path, case["why"], decision.reason))
    assert wrong == []
