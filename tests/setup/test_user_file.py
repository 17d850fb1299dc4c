from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from lib.setup import user_file
from lib.setup.problems import FileProblem


def test_a_missing_file_reads_as_no_data_and_is_made_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "settings.json"
    was = user_file.read(str(path))
    assert was.data is None
    user_file.write(was, b"{}")
    assert path.read_bytes() == b"{}"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664])
def test_the_mode_is_kept(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"old")
    path.chmod(mode)
    user_file.write(user_file.read(str(path)), b"new")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", mode)


def test_a_link_to_a_link_stays_and_the_last_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    target = tmp_path / "dotfiles" / "claude.json"
    target.write_bytes(b"old")
    (tmp_path / "middle").symlink_to("dotfiles/claude.json")
    path = tmp_path / "settings.json"
    path.symlink_to("middle")
    user_file.write(user_file.read(str(path)), b"new")
    assert (os.readlink(path), os.readlink(tmp_path / "middle")) == ("middle", "dotfiles/claude.json")
    assert target.read_bytes() == b"new"
    assert os.listdir(tmp_path / "dotfiles") == ["claude.json"]


def test_a_dangling_link_gets_its_target(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.symlink_to(tmp_path / "later.json")
    user_file.write(user_file.read(str(path)), b"new")
    assert path.is_symlink()
    assert (tmp_path / "later.json").read_bytes() == b"new"


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "loop").symlink_to("loop")
    for name, said in (("folder", "no regular file"), ("fifo", "no regular file"), ("loop", "leads back to itself")):
        with pytest.raises(FileProblem, match=said):
            user_file.read(str(tmp_path / name))


def test_a_failing_replace_leaves_the_original_and_no_temporary_file(tmp_path: Path) -> None:
    def refused(source: str, target: str) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "settings.json"
    path.write_bytes(b"old")
    with pytest.raises(
        FileProblem, match=r"settings\.json cannot be written: No space left on device; nothing was changed"
    ):
        user_file.write(user_file.read(str(path)), b"new", refused)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["settings.json"]


@pytest.mark.parametrize(("failures", "works"), [(1, True), (7, True), (8, False)])
def test_a_file_held_for_moments_is_tried_again_a_bounded_number_of_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failures: int, works: bool
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    pauses: list[float] = []
    left = [failures]

    def held(source: str, target: str) -> None:
        if left[0]:
            left[0] -= 1
            raise PermissionError(13, "held")
        os.replace(source, target)

    (tmp_path / "new").write_bytes(b"new")
    if works:
        user_file._patiently(held, str(tmp_path / "new"), str(tmp_path / "old"), pauses.append)
        assert (tmp_path / "old").read_bytes() == b"new"
        assert len(pauses) == failures
    else:
        with pytest.raises(PermissionError):
            user_file._patiently(held, str(tmp_path / "new"), str(tmp_path / "old"), pauses.append)
    assert sum(pauses) < 2


def test_a_file_that_somebody_else_wrote_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"old")
    was = user_file.read(str(path))
    path.write_bytes(b"theirs")
    for data in (b"new", None):
        with pytest.raises(FileProblem, match="changed by another program"):
            user_file.write(was, data)
    assert path.read_bytes() == b"theirs"
    assert os.listdir(tmp_path) == ["settings.json"]


def test_a_mark_is_read_over(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"\xef\xbb\xbf{}")
    was = user_file.read(str(path))
    assert (was.bom, was.text) == (True, "{}")


def test_bytes_that_are_no_utf_8_are_named_by_line(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b'{\n "a": "\xfc"}')
    with pytest.raises(FileProblem, match=r"settings\.json, line 2, byte 8: b'\\xfc' is not UTF-8"):
        _ = user_file.read(str(path)).text
    path.write_bytes("{}".encode("utf-16"))
    with pytest.raises(FileProblem, match="UTF-16"):
        _ = user_file.read(str(path)).text
