"""The Grep and Glob tools."""

from __future__ import annotations

import pytest

from lib.model.sandbox import ToolError
from lib.model.searching import MATCHES, glob, grep
from tests.model.conftest import Room


def test_glob_lists_files_of_the_project_when_no_path_is_given(room: Room) -> None:
    assert glob(room.sandbox(), {"pattern": "**/*"}) == f"{room.project}/app.py\n{room.project}/sub/deep.md"
    assert glob(room.sandbox(), {"pattern": "*.py"}) == f"{room.project}/app.py"
    assert glob(room.sandbox(), {"pattern": "*.rs"}) == "No file matches."


def test_glob_and_grep_see_staged_files_and_staged_texts(room: Room) -> None:
    sandbox = room.sandbox()
    sandbox.overlay.stage("new.md", "staged needle", None)
    sandbox.overlay.stage("a.md", "changed", "old")
    assert glob(sandbox, {"pattern": "*.md", "path": str(room.memory)}) == f"{room.memory}/a.md\n{room.memory}/new.md"
    assert grep(sandbox, {"pattern": "needle", "path": str(room.memory)}) == f"{room.memory}/new.md"
    assert grep(sandbox, {"pattern": "one fact", "path": str(room.memory)}) == "No match."
    assert grep(sandbox, {"pattern": "staged", "path": "new.md"}) == f"{room.memory}/new.md"


def test_grep_finds_files_or_lines(room: Room) -> None:
    assert grep(room.sandbox(), {"pattern": "PORT|deep"}) == f"{room.project}/app.py\n{room.project}/sub/deep.md"
    lines = grep(room.sandbox(), {"pattern": r"=\s\d+", "output_mode": "content"})
    assert lines == f"{room.project}/app.py:2:PORT = 8080"


def test_grep_narrows_by_glob_case_and_literal(room: Room) -> None:
    sandbox = room.sandbox()
    assert grep(sandbox, {"pattern": "port", "glob": "*.md"}) == "No match."
    assert grep(sandbox, {"pattern": "port [=]", "ignore_case": True}) == f"{room.project}/app.py"
    assert grep(sandbox, {"pattern": "PORT", "ignore_case": True, "literal": True}) == f"{room.project}/app.py"
    (room.project / "odd.txt").write_text("a.*b")
    assert grep(sandbox, {"pattern": "a.*b", "literal": True}) == f"{room.project}/odd.txt"


def test_links_credentials_binaries_and_dependencies_are_not_searched(room: Room) -> None:
    for name in (".env", "key.pem", "node_modules/x.js", ".git/x"):
        (room.project / name).parent.mkdir(exist_ok=True)
        (room.project / name).write_text("TOPSECRET")
    (room.project / "b.bin").write_bytes(b"\0TOPSECRET")
    assert grep(room.sandbox(), {"pattern": "TOPSECRET"}) == "No match."
    assert ".env" not in glob(room.sandbox(), {"pattern": "*"})


@pytest.mark.parametrize(
    ("tool_input", "said"),
    [
        ({"pattern": "("}, "no regular expression"),
        ({"pattern": "a{99999999999}"}, "no regular expression"),
        ({"pattern": "(" * 400}, "no regular expression"),
        ({"pattern": ""}, "empty"),
        ({"pattern": "x", "path": "/etc"}, "outside the folders"),
        ({"pattern": "x", "path": "nowhere/at/all"}, ""),
        ({"pattern": "x", "output_mode": "everything"}, "output_mode"),
        ({"pattern": "x", "glob": 5}, "glob is missing"),
    ],
)
def test_a_search_that_cannot_be_made_says_why(room: Room, tool_input: dict[str, object], said: str) -> None:
    if said:
        with pytest.raises(ToolError, match=said):
            grep(room.sandbox(), tool_input)
    else:
        assert grep(room.sandbox(), tool_input) == "No match."


def test_a_pattern_that_would_run_for_years_is_ended(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lib.model.searching.CPU_SECONDS", 0.2)
    (room.project / "a.txt").write_text("a" * 60)
    assert "took too long" in grep(room.sandbox(), {"pattern": "(a+)+$x", "path": str(room.project / "a.txt")})


def test_results_are_bounded(room: Room) -> None:
    (room.project / "many.txt").write_text("hit\n" * 1000 + "hit " + "x" * 9000)
    lines = grep(room.sandbox(), {"pattern": "hit", "output_mode": "content"}).split("\n")
    assert len(lines) == MATCHES + 1 and lines[-1].startswith("(stopped at")
    for number in range(MATCHES + 5):
        (room.project / f"{number}.log").write_text("")
    assert "(more than" in glob(room.sandbox(), {"pattern": "*.log"})


def test_the_last_half_line_of_a_cut_file_is_not_shown(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lib.model.searching.FILE_BYTES", 10)
    (room.project / "cut.txt").write_text("12345\n6789hidden")
    sandbox = room.sandbox()
    monkeypatch.setattr(type(sandbox), "bytes_of", lambda self, path, limit=10: b"12345\n6789"[:limit])
    assert grep(sandbox, {"pattern": "6789", "path": str(room.project / "cut.txt")}) == "No match."
