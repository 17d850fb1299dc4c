from __future__ import annotations

import stat
from pathlib import Path

import pytest

from lib.setup import record
from lib.setup.record import Record

FULL = Record(["a ü", "b"], {"hooks": None, "hooks/Stop": "[ ]"}, "w", "r", True, True)


def test_a_record_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    record.save(str(tmp_path), FULL)
    assert record.load(str(tmp_path)) == FULL
    record.forget(str(tmp_path))
    assert record.load(str(tmp_path)) == Record()
    record.forget(str(tmp_path))


@pytest.mark.parametrize(
    "raw",
    [b"", b"null", b"[]", b"{", b'{"commands": 7, "before": [], "written": 1, "bom": "yes"}', b"\xff", b"[" * 9999],
)
def test_a_damaged_record_is_an_empty_one(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "memory-hooks").mkdir()
    (tmp_path / "memory-hooks/install.json").write_bytes(raw)
    assert record.load(str(tmp_path)) == Record()


def test_a_kept_copy_is_private_and_comes_back_only_undamaged(tmp_path: Path) -> None:
    name = record.keep(str(tmp_path), b"data")
    assert record.kept(str(tmp_path), name) == b"data"
    (copy,) = (tmp_path / "memory-hooks/backup").iterdir()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stat.S_IMODE(copy.parent.stat().st_mode) == 0o700
    copy.write_bytes(b"other")
    assert record.kept(str(tmp_path), name) is None
    copy.unlink()
    assert record.kept(str(tmp_path), name) is None


def test_no_file_has_an_empty_digest_and_is_not_kept(tmp_path: Path) -> None:
    assert record.keep(str(tmp_path), None) == ""
    assert list(tmp_path.iterdir()) == []
