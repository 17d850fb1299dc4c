"""What was worked with lately is read from the transcript's end alone, whatever stands there."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.recall import recent


def use(name: str, compact: bool = True, **given_: str) -> str:
    block = {"type": "tool_use", "id": "toolu_1", "name": name, "input": given_}
    entry = {"type": "assistant", "message": {"role": "assistant", "content": [block]}}
    return json.dumps(entry, separators=(",", ":") if compact else None)


def says(text: str) -> str:
    return json.dumps({"type": "user", "message": {"role": "user", "content": text}}, separators=(",", ":"))


def transcript(folder: Path, *lines: str) -> str:
    path = folder / "t.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("compact", [True, False])
def test_the_last_tools_and_files_come_newest_first(tmp_path: Path, compact: bool) -> None:
    lines = [use("Read", compact, file_path="/p/a.py"), says("go on"), use("Bash", compact, command="make")]
    lines += [use("Edit", compact, file_path="/p/b.ts"), use("Read", compact, file_path="/p/a.py"), says("next")]
    assert recent.used(transcript(tmp_path, *lines)) == (["Read", "Edit", "Bash"], ["/p/a.py", "/p/b.ts"])


def test_a_quoted_tool_call_is_none(tmp_path: Path) -> None:
    assert recent.used(transcript(tmp_path, says(use("Evil", file_path="/etc/passwd")))) == ([], [])


def test_only_the_end_is_read(tmp_path: Path) -> None:
    lines = [use("Old", file_path="/p/old.py"), says("x" * recent.TAIL), use("New", file_path="/p/new.py")]
    assert recent.used(transcript(tmp_path, *lines)) == (["New"], ["/p/new.py"])


def test_no_more_than_a_few_of_each(tmp_path: Path) -> None:
    tools, files = recent.used(transcript(tmp_path, *(use(f"T{n}", file_path=f"/p/{n}.py") for n in range(40))))
    assert (tools[0], files[0], len(tools), len(files)) == ("T39", "/p/39.py", recent.MOST, recent.MOST)


def test_what_is_no_transcript_tells_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    odd: list[Any] = ["", "relative.jsonl", str(tmp_path), str(tmp_path / "none"), str(tmp_path / "pipe"), "/a\0b"]
    assert [recent.used(path) for path in odd] == [([], [])] * len(odd)


@given(st.binary(max_size=600))
def test_any_bytes_are_read(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    path = tmp_path_factory.mktemp("t") / "t.jsonl"
    path.write_bytes(raw + b'"type":"tool_use"' + raw)
    tools, files = recent.used(str(path))
    assert all(isinstance(name, str) for name in tools + files)
