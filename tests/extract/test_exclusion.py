"""Which tool calls count as a memory written by the main agent, whatever way the path is put."""
from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from lib.extract import exclusion
from lib.host import paths, transcript
from lib.host.call import Call
from lib.host.payload import Payload
from lib.host.transcript import Tool, Turn


@pytest.fixture
def memory(own_home: Path, tmp_path: Path) -> Path:
    folder = Path(paths.memory_path(str(tmp_path), dict(os.environ), {}))
    folder.mkdir(parents=True)
    return folder


def turn_with(tool: str, path: str) -> Turn:
    turn = Turn(0)
    turn.tools.append(Tool(tool, path))
    return turn


def wrote(tool: str, path: str, memory: Path, launch: Path) -> bool:
    return exclusion.wrote_memory(turn_with(tool, path), str(memory), str(launch))


@pytest.mark.parametrize("tool", ["Write", "Edit", "MultiEdit", "NotebookEdit"])
def test_each_writing_tool_counts(memory: Path, tmp_path: Path, tool: str) -> None:
    assert wrote(tool, str(memory / "a.md"), memory, tmp_path)


@pytest.mark.parametrize("tool", ["Read", "Grep", "Glob", "Bash", "write", "WriteFile", "", "mcp__x__Write", "Task"])
def test_no_other_tool_counts(memory: Path, tmp_path: Path, tool: str) -> None:
    assert not wrote(tool, str(memory / "a.md"), memory, tmp_path)


def test_paths_inside_count_however_they_are_written(memory: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(memory)
    relative = os.path.relpath(memory, tmp_path)
    inside = [
        memory / "new.md", memory / "MEMORY.md", memory / "team" / "deep.md", f"{memory}//a.md",
        f"{memory}/./a.md", f"{memory}/x/../a.md", f"{relative}/a.md", f"./{relative}/a.md", link / "a.md", "link/a.md",
        f"{memory}/é 😀.md",
    ]  # fmt: skip
    assert [path for path in inside if not wrote("Write", str(path), memory, tmp_path)] == []


def test_paths_outside_do_not_count(memory: Path, tmp_path: Path) -> None:
    sibling = Path(f"{memory}-evil")
    sibling.mkdir()
    (memory / "out").symlink_to(tmp_path)
    (memory / "out.md").symlink_to(tmp_path / "note.md")
    (memory / "loop.md").symlink_to("loop.md")
    outside = [
        "", "a.md", tmp_path / "a.md", sibling / "a.md", f"{memory}/../a.md", f"{memory}/x/../../a.md", memory,
        f"{memory}/", f"{memory}.md", memory / "out" / "a.md", memory / "out.md", f"{memory}/a\0.md", "/", "~/a.md",
        str(memory / "a.md").upper(), "/" + "x/" * 3_000, "x" * 70_000,
    ]  # fmt: skip
    assert [path for path in outside if wrote("Write", str(path), memory, tmp_path)] == []


def test_a_memory_directory_behind_a_link_is_the_same_directory(memory: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(memory)
    assert wrote("Write", str(memory / "a.md"), link, tmp_path)
    assert wrote("Write", str(link / "a.md"), link, tmp_path)


def test_without_a_memory_directory_nothing_counts(tmp_path: Path) -> None:
    assert not exclusion.inside("/a.md", "", str(tmp_path))
    assert not exclusion.wrote_memory(turn_with("Write", "a.md"), "", str(tmp_path))
    assert not exclusion.wrote_memory(Turn(0), str(tmp_path), str(tmp_path))


def entry(kind: str, content: object, **fields: Any) -> bytes:
    message = {"role": kind, "content": content}
    return json.dumps({"type": kind, "uuid": os.urandom(6).hex(), "message": message, **fields}).encode() + b"\n"


def use(tool: str, **given: str) -> list[dict[str, Any]]:
    return [{"type": "tool_use", "id": "t", "name": tool, "input": given}]


def exclusive(tmp_path: Path, memory: Path, *lines: bytes) -> list[bool]:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"".join(lines))
    turns = transcript.span(str(path)).turns
    return [exclusion.wrote_memory(turn, str(memory), str(tmp_path)) for turn in turns]


def test_a_memory_counts_for_its_own_turn_only(tmp_path: Path, memory: Path) -> None:
    file = str(memory / "a.md")
    lines = [
        entry("user", "one", promptId="1"), entry("assistant", use("Write", file_path=file)),
        entry("user", [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}], promptId="1"),
        entry("assistant", [{"type": "text", "text": "Saved."}]),
        entry("user", "two", promptId="2"), entry("assistant", use("Write", file_path=str(tmp_path / "b.md"))),
        entry("user", "three", promptId="3"), entry("assistant", use("NotebookEdit", notebook_path=file)),
    ]  # fmt: skip
    assert exclusive(tmp_path, memory, *lines) == [True, False, True]


def test_what_a_sub_agent_writes_is_not_the_main_agents(tmp_path: Path, memory: Path) -> None:
    write = use("Write", file_path=str(memory / "a.md"))
    lines = [entry("user", "one"), entry("assistant", write, isSidechain=True, agentId="a1")]
    assert exclusive(tmp_path, memory, *lines) == [False]


def test_a_write_that_is_only_talked_about_does_not_count(tmp_path: Path, memory: Path) -> None:
    said = json.dumps(use("Write", file_path=str(memory / "a.md")))
    lines = [entry("user", said), entry("assistant", [{"type": "text", "text": said}])]
    assert exclusive(tmp_path, memory, *lines) == [False]


@pytest.mark.parametrize("given", [None, [], "x", {}, {"file_path": None}, {"file_path": 7}, {"file_path": ["x"]}])
def test_a_tool_use_of_another_shape_does_not_count(tmp_path: Path, memory: Path, given: object) -> None:
    block = [{"type": "tool_use", "name": "Write", "input": given}]
    assert exclusive(tmp_path, memory, entry("user", "one"), entry("assistant", block)) == [False]


# ---- the same question at PostToolUse


def call(tmp_path: Path, tool: object, given: object, **fields: object) -> Call:
    payload = {"session_id": "s", "cwd": str(tmp_path), "tool_name": tool, "tool_input": given, **fields}
    env = {**os.environ, "CLAUDE_PROJECT_DIR": str(tmp_path)}
    return Call("PostToolUse", Payload(payload), env, 0.0)


def test_the_written_memory_is_named_within_its_directory(tmp_path: Path, memory: Path) -> None:
    named = {
        "a.md": str(memory / "a.md"), "team/b.md": f"{memory}/x/../team/b.md", "MEMORY.md": str(memory / "MEMORY.md"),
        "c.md": os.path.relpath(memory / "c.md", tmp_path),
    }  # fmt: skip
    for file, path in named.items():
        assert exclusion.memory_written(call(tmp_path, "Write", {"file_path": path})) == file
    assert exclusion.memory_written(call(tmp_path, "NotebookEdit", {"notebook_path": str(memory / "n.md")})) == "n.md"


def test_a_relative_path_is_the_agents_present_folder(tmp_path: Path, memory: Path) -> None:
    drifted = call(tmp_path, "Edit", {"file_path": "a.md"}, cwd=str(memory))
    assert exclusion.memory_written(drifted) == "a.md"


@pytest.mark.parametrize("path", ["note.txt", "/etc/passwd.md", "", None, 7])
def test_another_file_is_no_memory(tmp_path: Path, memory: Path, path: object) -> None:
    assert exclusion.memory_written(call(tmp_path, "Write", {"file_path": path})) == ""


def test_a_file_beside_the_memories_or_a_tool_that_reads_is_none(tmp_path: Path, memory: Path) -> None:
    assert exclusion.memory_written(call(tmp_path, "Write", {"file_path": str(memory / "a.txt")})) == ""
    assert exclusion.memory_written(call(tmp_path, "Read", {"file_path": str(memory / "a.md")})) == ""
    assert exclusion.memory_written(call(tmp_path, ["Write"], {"file_path": str(memory / "a.md")})) == ""


def test_switched_off_means_not_noted(tmp_path: Path, memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")
    assert exclusion.memory_written(call(tmp_path, "Write", {"file_path": str(memory / "a.md")})) == ""
