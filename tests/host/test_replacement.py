"""A small file of ours is the old one or the new one, and what a killed writer left does not stay."""
from __future__ import annotations

import os
from pathlib import Path

import pytest

from lib.host import replacement

NOW = 2_000_000_000.0


def test_the_file_is_replaced_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    replacement.put(str(path), b"one")
    replacement.put(str(path), b"two")
    assert path.read_bytes() == b"two" and path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["state.json"]


@pytest.mark.parametrize("step", ["write", "fsync", "replace", "close"])
def test_a_refusal_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, step, full)
        with pytest.raises(OSError, match="No space"):
            replacement.put(str(path), b"new")
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["state.json"]


def test_short_writes_are_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, bytes(data[:3])))
    replacement.put(str(tmp_path / "state.json"), b"a longer text")
    assert (tmp_path / "state.json").read_bytes() == b"a longer text"


def test_what_was_left_long_ago_goes_and_nothing_else(tmp_path: Path) -> None:
    objects = tmp_path / "history.git" / "objects" / "pack"
    objects.mkdir(parents=True)
    old = [tmp_path / "dream.json.77.tmp", objects / "tmp_pack_a1b2c3", tmp_path / "held" / "x.json.9.tmp",
           tmp_path / "history.git" / "HEAD.lock"]  # fmt: skip
    stays = [tmp_path / "dream.json", objects / "pack-77.pack", tmp_path / "tmp_notes", tmp_path / "worker.lock",
             tmp_path / "young.json.8.tmp"]  # fmt: skip
    (tmp_path / "held").mkdir()
    for path in [*old, *stays]:
        path.write_bytes(b"x")
        os.utime(path, (NOW - 3_600,) * 2)
    os.utime(stays[-1], (NOW - 5,) * 2)
    replacement.sweep(str(tmp_path), NOW, below=False)
    assert [path.exists() for path in old] == [False, True, True, True]
    replacement.sweep(str(tmp_path), NOW)
    assert not any(path.exists() for path in old) and all(path.exists() for path in stays)


def test_a_folder_that_is_not_there_and_a_link_to_nowhere_are_no_error(tmp_path: Path) -> None:
    replacement.sweep(str(tmp_path / "not-there"), NOW)
    (tmp_path / "link.tmp").symlink_to(tmp_path / "gone")
    replacement.drop(str(tmp_path / "not-there"))
    replacement.sweep(str(tmp_path), NOW)
    assert os.listdir(tmp_path) == []
