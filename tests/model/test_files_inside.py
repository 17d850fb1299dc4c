"""Reading and walking without leaving the root."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from lib.model.files_inside import read_inside, walk
from tests.model.conftest import Room


def test_a_file_is_read_up_to_the_limit(room: Room) -> None:
    assert read_inside(str(room.project), "sub/deep.md", 4) == b"deep"


@pytest.mark.parametrize(
    "name", ["link_out", "dir_out/secret.txt", "link_in", "../outside/secret.txt", "", "sub", "none"]
)
def test_no_link_parent_or_folder_is_opened(room: Room, name: str) -> None:
    with pytest.raises(OSError):
        read_inside(str(room.project), name, 100)


def test_a_pipe_does_not_hold_the_reader_up(room: Room) -> None:
    os.mkfifo(room.project / "pipe")
    with pytest.raises(OSError):
        read_inside(str(room.project), "pipe", 100)


def test_a_folder_swapped_for_a_link_meanwhile_lets_nothing_out(room: Room) -> None:
    swapped, aside = room.project / "swapped", room.project / "aside"
    swapped.mkdir()
    (swapped / "secret.txt").write_text("mine")
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            swapped.rename(aside)
            swapped.symlink_to(room.outside)
            swapped.unlink()
            aside.rename(swapped)

    attacker = threading.Thread(target=swap)
    attacker.start()
    seen = set()
    try:
        for _ in range(3000):
            try:
                seen.add(read_inside(str(room.project), "swapped/secret.txt", 100))
            except OSError:
                continue
    finally:
        stop.set()
        attacker.join()
    assert b"TOPSECRET\n" not in seen


def test_a_walk_names_regular_files_and_follows_no_link(room: Room) -> None:
    os.mkfifo(room.project / "pipe")
    (room.project / ".git").mkdir()
    (room.project / ".git/HEAD").write_text("x")
    (room.project / "node_modules").mkdir()
    (room.project / "node_modules/x.js").write_text("x")
    assert list(walk(str(room.project))) == [str(room.project / "app.py"), str(room.project / "sub/deep.md")]


def test_a_walk_that_starts_at_a_file_names_it_and_at_a_link_nothing(room: Room) -> None:
    assert list(walk(str(room.project / "app.py"))) == [str(room.project / "app.py")]
    assert list(walk(str(room.project / "link_out"))) == []
    assert list(walk(str(room.project / "none"))) == []


def test_a_walk_ends_in_a_large_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lib.model.files_inside.MAX_ENTRIES", 50)
    for folder in range(20):
        (tmp_path / str(folder)).mkdir()
        for name in range(20):
            (tmp_path / str(folder) / str(name)).write_text("")
    assert len(list(walk(str(tmp_path)))) <= 60
