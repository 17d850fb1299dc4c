"""The Write and Edit tools: they stage, and an unread file keeps what it has."""

from __future__ import annotations

import os

import pytest

from lib.model.overlay import MAX_CHANGES
from lib.model.permission import Scope
from lib.model.reading import read
from lib.model.sandbox import Sandbox, ToolError
from lib.model.task import Change
from lib.model.writing import edit, write
from tests.model.conftest import Room

OLD = "---\nname: a\n---\none fact\n"


def test_a_new_file_is_staged_and_not_written(room: Room) -> None:
    sandbox = room.sandbox()
    assert write(sandbox, {"file_path": "new.md", "content": "fact\n"}) == "Created new.md (5 bytes)."
    assert sandbox.overlay.changes() == (Change("new.md", "fact\n", None),)
    assert os.listdir(room.memory) == ["a.md"]


def test_an_absolute_path_means_the_same_file(room: Room) -> None:
    sandbox = room.sandbox()
    write(sandbox, {"file_path": str(room.memory / "new.md"), "content": "fact"})
    assert sandbox.overlay.changes()[0].file == "new.md"


def test_an_existing_file_must_have_been_read_whole(room: Room) -> None:
    sandbox = room.sandbox()
    with pytest.raises(ToolError, match="Read it whole first"):
        write(sandbox, {"file_path": "a.md", "content": "other"})
    with pytest.raises(ToolError, match="whole before"):
        edit(sandbox, {"file_path": "a.md", "old_string": "one", "new_string": "two"})
    read(sandbox, {"file_path": "a.md", "limit": 2})
    with pytest.raises(ToolError):
        write(sandbox, {"file_path": "a.md", "content": "other"})
    read(sandbox, {"file_path": "a.md"})
    write(sandbox, {"file_path": "a.md", "content": "other"})
    assert sandbox.overlay.changes() == (Change("a.md", "other", OLD),)


def test_a_file_that_changed_after_it_was_read_must_be_read_again(room: Room) -> None:
    sandbox = room.sandbox()
    read(sandbox, {"file_path": "a.md"})
    (room.memory / "a.md").write_text("somebody else was here")
    with pytest.raises(ToolError, match="whole"):
        edit(sandbox, {"file_path": "a.md", "old_string": "else", "new_string": "x"})


def test_an_edit_replaces_the_one_occurrence_and_keeps_every_other_byte(room: Room) -> None:
    sandbox = room.sandbox()
    read(sandbox, {"file_path": "a.md"})
    edit(sandbox, {"file_path": "a.md", "old_string": "one fact", "new_string": "another"})
    edit(sandbox, {"file_path": "a.md", "old_string": "another", "new_string": "a third"})
    assert sandbox.overlay.changes() == (Change("a.md", "---\nname: a\n---\na third\n", OLD),)


def test_an_edit_that_comes_back_to_the_start_is_no_change(room: Room) -> None:
    sandbox = room.sandbox()
    read(sandbox, {"file_path": "a.md"})
    edit(sandbox, {"file_path": "a.md", "old_string": "one", "new_string": "two"})
    edit(sandbox, {"file_path": "a.md", "old_string": "two", "new_string": "one"})
    assert sandbox.overlay.changes() == ()


def test_an_edit_of_a_file_with_carriage_returns_keeps_them(room: Room) -> None:
    (room.memory / "b.md").write_bytes(b"one\r\ntwo\r\nthree")
    sandbox = room.sandbox()
    assert "\r" not in read(sandbox, {"file_path": "b.md"})
    edit(sandbox, {"file_path": "b.md", "old_string": "one\ntwo", "new_string": "1\n2"})
    assert sandbox.overlay.changes()[0].text == "1\r\n2\r\nthree"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("e", "x", "occurs 2 times"),
        ("not there", "x", "does not occur"),
        ("", "x", "empty"),
        ("one", "one", "same"),
        (5, "x", "old_string is missing"),
        ("one", None, "new_string is missing"),
        ("one", "a\0b", "cannot be stored"),
        ("one", "\ud800", "cannot be stored"),
        (OLD, "", "is empty"),
    ],
)
def test_an_edit_that_cannot_be_made_says_why(room: Room, old: object, new: object, said: str) -> None:
    sandbox = room.sandbox()
    read(sandbox, {"file_path": "a.md"})
    with pytest.raises(ToolError, match=said):
        edit(sandbox, {"file_path": "a.md", "old_string": old, "new_string": new})
    assert sandbox.overlay.changes() == ()


def test_an_edit_of_a_file_that_does_not_exist_says_to_write_it(room: Room) -> None:
    with pytest.raises(ToolError, match="create it with Write"):
        edit(room.sandbox(), {"file_path": "none.md", "old_string": "a", "new_string": "b"})


@pytest.mark.parametrize("path", ["MEMORY.md", "memory.md", "team/MEMORY.md"])
def test_the_index_is_not_the_models_to_write(room: Room, path: str) -> None:
    with pytest.raises(ToolError, match="kept by the program"):
        write(room.sandbox(), {"file_path": path, "content": "x"})


@pytest.mark.parametrize(
    "content",
    [
        "",
        " \n",
        "x" * 70_000,
        "fact\n[rest of the file unchanged]",
        "# A\n... rest of file unchanged ...",
        "(existing content)",
        "<!-- the rest of the memory stays unchanged -->",
        "… unchanged …",
        "fact\n[...existing content here...]",
    ],
)
def test_empty_oversized_and_placeholder_texts_are_refused(room: Room, content: str) -> None:
    sandbox = room.sandbox()
    with pytest.raises(ToolError):
        write(sandbox, {"file_path": "new.md", "content": content})
    assert sandbox.overlay.changes() == ()


@pytest.mark.parametrize(
    "content", ["The API stays unchanged until May.", "# Rest\nOther teams do the same", "existing content"]
)
def test_ordinary_words_are_no_placeholder(room: Room, content: str) -> None:
    assert write(room.sandbox(), {"file_path": "new.md", "content": content}).startswith("Created")


@pytest.mark.parametrize("name", ["A.md", "\uff21.md"])
def test_a_name_that_could_be_taken_for_an_existing_one_is_refused(room: Room, name: str) -> None:
    with pytest.raises(ToolError, match=r"existing a\.md"):
        write(room.sandbox(), {"file_path": name, "content": "x"})


def test_two_new_names_that_could_be_one_are_refused_too(room: Room) -> None:
    sandbox = room.sandbox()
    write(sandbox, {"file_path": "caf\u00e9.md", "content": "x"})
    with pytest.raises(ToolError, match="could be taken"):
        write(sandbox, {"file_path": "cafe\u0301.md", "content": "x"})


def test_a_file_too_large_to_be_seen_whole_is_left_alone(room: Room) -> None:
    (room.memory / "big.md").write_text("x\n" * 40_000)
    sandbox = room.sandbox()
    with pytest.raises(ToolError, match="cannot be read"):
        write(sandbox, {"file_path": "big.md", "content": "small"})


def test_a_file_that_is_not_utf_8_is_left_alone(room: Room) -> None:
    (room.memory / "b.md").write_bytes(b"caf\xe9")
    with pytest.raises(ToolError, match="not UTF-8"):
        write(room.sandbox(), {"file_path": "b.md", "content": "x"})


def test_the_check_of_the_caller_reaches_the_model(room: Room) -> None:
    scope: Scope = room.scope
    sandbox = Sandbox.of(scope, lambda file, text: f"{file} has no description." if "description" not in text else "")
    with pytest.raises(ToolError, match=r"new\.md has no description"):
        write(sandbox, {"file_path": "new.md", "content": "x"})
    write(sandbox, {"file_path": "new.md", "content": "description"})
    assert len(sandbox.overlay.changes()) == 1


def test_a_run_changes_a_bounded_number_of_files(room: Room) -> None:
    sandbox = room.sandbox()
    for number in range(MAX_CHANGES):
        write(sandbox, {"file_path": f"n{number}.md", "content": "x"})
    with pytest.raises(ToolError, match="Too many"):
        write(sandbox, {"file_path": "one-more.md", "content": "x"})
    write(sandbox, {"file_path": "n1.md", "content": "y"})
    assert len(sandbox.overlay.changes()) == MAX_CHANGES
