"""Readers see one state, writers do all or nothing, and a busy index is no damaged one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lib.recall.card import card_of
from lib.recall.tables import Index
from lib.recall.transaction import Damaged, discard, is_busy
from tests.recall.folder import HARBOUR
from tests.support.registered import ROOT


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


SOLE = """
import sys
sys.path.insert(0, sys.argv[1])
from lib.recall.tables import Index
assert not {"functools", "collections", "sqlite3"} & set(sys.modules), sorted(sys.modules)
index = Index(sys.argv[2], "/m")
for term in [str(number) for number in range(300)] * 2:
    assert index.frequency(term) == 0
index.close()
import functools, sqlite3
assert functools.lru_cache(maxsize=2)(len)("abc") == 3
assert sqlite3.connect(":memory:").execute("SELECT 1").fetchall() == [(1,)]
print("well")
"""


def test_the_engine_comes_without_functools_and_leaves_it_as_it_is_for_everybody_else(tmp_path: Path) -> None:
    command = [sys.executable, "-I", "-S", "-c", SOLE, str(ROOT), str(tmp_path / "i")]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert (ran.stdout, ran.stderr) == ("well\n", "")
