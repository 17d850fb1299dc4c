"""Readers see one state, writers do all or nothing, and a busy index is no damaged one."""

from __future__ import annotations

from pathlib import Path

import pytest

from lib.recall.card import card_of
from lib.recall.tables import Index
from lib.recall.transaction import Damaged, discard, is_busy
from tests.recall.folder import HARBOUR


def test_a_reader_sees_one_state_and_a_writer_waits_for_it(tmp_path: Path) -> None:
    reader, writer = Index(str(tmp_path / "i"), "/m"), Index(str(tmp_path / "i"), "/m")
    with reader.reading():
        assert reader.frequency("typst") == 0
        with pytest.raises(Damaged) as caught, writer.transaction():
            writer.replace([], [card_of("a.md", HARBOUR["tickets"].encode())])
        assert is_busy(caught.value)
        assert reader.frequency("typst") == 0
    reader.close()
    writer.close()


def test_a_file_that_is_no_index_is_not_busy(tmp_path: Path) -> None:
    (tmp_path / "i").write_bytes(b"no database" * 999)
    with pytest.raises(Damaged) as caught:
        Index(str(tmp_path / "i"), "/m")
    assert not is_busy(caught.value)


def test_discarding_takes_the_file_and_its_journal_and_nothing_else(tmp_path: Path) -> None:
    for name in ("i", "i-journal", "j"):
        (tmp_path / name).write_text("x")
    discard(str(tmp_path / "i"))
    discard(str(tmp_path / "i"))
    assert [file.name for file in tmp_path.iterdir()] == ["j"]
    (tmp_path / "d").mkdir()
    discard(str(tmp_path / "d"))
    assert (tmp_path / "d").is_dir()
