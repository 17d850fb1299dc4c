"""The Read tool."""

from __future__ import annotations

import pytest

from lib.model.reading import read
from lib.model.sandbox import ToolError
from tests.model.conftest import Room


def test_lines_come_numbered_from_one(room: Room) -> None:
    shown = read(room.sandbox(), {"file_path": str(room.project / "app.py")})
    assert shown == "     1\timport os\n     2\tPORT = 8080\n     3\t"


@pytest.mark.parametrize("offset", [2, "2", 2.0])
def test_offset_and_limit_choose_lines(room: Room, offset: object) -> None:
    (room.project / "l.txt").write_text("one\ntwo\nthree\nfour")
    shown = read(room.sandbox(), {"file_path": str(room.project / "l.txt"), "offset": offset, "limit": 2})
    assert shown == "     2\ttwo\n     3\tthree\n(1 more lines; go on with offset 4)"


def test_a_file_that_is_read_whole_may_be_changed(room: Room) -> None:
    sandbox = room.sandbox()
    read(sandbox, {"file_path": "a.md"})
    assert sandbox.overlay.read_whole("a.md", (room.memory / "a.md").read_text())


def test_parts_that_cover_the_file_make_it_read_whole(room: Room) -> None:
    text = "\n".join(str(n) for n in range(9))
    (room.memory / "b.md").write_text(text)
    sandbox = room.sandbox()
    read(sandbox, {"file_path": "b.md", "limit": 5})
    assert not sandbox.overlay.read_whole("b.md", text)
    read(sandbox, {"file_path": "b.md", "offset": 6})
    assert sandbox.overlay.read_whole("b.md", text)


def test_a_cut_line_is_not_the_whole_file(room: Room) -> None:
    text = "short\n" + "x" * 5000 + "\nend"
    (room.memory / "b.md").write_text(text)
    sandbox = room.sandbox()
    assert "line cut, 5000 characters" in read(sandbox, {"file_path": "b.md"})
    assert not sandbox.overlay.read_whole("b.md", text)


def test_a_large_file_is_cut_where_it_says(room: Room) -> None:
    text = "\n".join("x" * 100 for _ in range(1000))
    (room.memory / "b.md").write_text(text)
    sandbox = room.sandbox()
    shown = read(sandbox, {"file_path": "b.md"})
    assert len(shown) < 45_000
    assert "(cut here; go on with offset " in shown
    assert not sandbox.overlay.read_whole("b.md", text)


def test_a_staged_text_is_what_is_read(room: Room) -> None:
    sandbox = room.sandbox()
    sandbox.overlay.stage("new.md", "staged", None)
    assert read(sandbox, {"file_path": "new.md"}) == "     1\tstaged"
    assert read(sandbox, {"file_path": str(room.memory / "new.md")}) == "     1\tstaged"


def test_an_empty_file_says_so(room: Room) -> None:
    (room.project / "empty").write_text("")
    assert read(room.sandbox(), {"file_path": str(room.project / "empty")}) == "(the file is empty)"


@pytest.mark.parametrize(
    ("tool_input", "said"),
    [
        ({}, "file_path is missing"),
        ({"file_path": 5}, "file_path is missing"),
        ({"file_path": "none.md"}, "no file 'none.md'"),
        ({"file_path": "a.md", "offset": "x"}, "offset must be a whole number"),
        ({"file_path": "a.md", "limit": []}, "limit must be a whole number"),
        ({"file_path": "a.md", "limit": float("inf")}, "limit must be a whole number"),
        ({"file_path": "/etc/passwd"}, "outside the folders"),
    ],
)
def test_a_call_that_cannot_be_served_says_why(room: Room, tool_input: dict[str, object], said: str) -> None:
    with pytest.raises(ToolError, match=said):
        read(room.sandbox(), tool_input)


def test_folders_and_binary_files_are_no_text(room: Room) -> None:
    (room.project / "b.bin").write_bytes(b"a\0b")
    for name, said in (("sub", "a folder"), ("b.bin", "not a text file")):
        with pytest.raises(ToolError, match=said):
            read(room.sandbox(), {"file_path": str(room.project / name)})


def test_text_that_is_not_utf_8_is_shown_but_never_counts_as_read(room: Room) -> None:
    (room.memory / "b.md").write_bytes(b"caf\xe9")
    sandbox = room.sandbox()
    assert read(sandbox, {"file_path": "b.md"}) == "     1\tcaf\ufffd"
    assert not sandbox.overlay.read_whole("b.md", "caf\ufffd")
