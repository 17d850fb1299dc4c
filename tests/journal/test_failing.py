"""Failures are counted by kind and cause; the third in a row is told, once, until it changes."""
from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from lib.host.call import alarm
from lib.journal import failing


@pytest.fixture
def config(own_home: Path) -> str:
    return str(own_home / ".claude")


def fail(config: str, times: int, kind: str = "learning", cause: str = "full") -> None:
    for _ in range(times):
        failing.failed(config, kind, cause)


def test_three_in_a_row_are_told_once(config: str) -> None:
    fail(config, 2)
    assert alarm(config) == ""
    fail(config, 1)
    assert alarm(config) == "learning failed 3 times in a row (full)"
    fail(config, 4)
    assert alarm(config) == ""


def test_what_waits_counts_on(config: str) -> None:
    fail(config, 5)
    assert alarm(config) == "learning failed 5 times in a row (full)"


def test_a_success_between_makes_it_no_row_and_takes_back_what_was_not_told(config: str) -> None:
    fail(config, 2)
    failing.worked(config, "learning")
    fail(config, 2)
    assert alarm(config) == ""
    fail(config, 1)
    failing.worked(config, "learning")
    assert alarm(config) == "" and failing.known(config) == {}
    assert not (Path(config) / "memory-hooks" / failing.NAME).exists()


def test_it_is_told_again_when_the_cause_changes_or_it_worked_in_between(config: str) -> None:
    fail(config, 3)
    assert alarm(config)
    fail(config, 2, cause="denied")
    assert alarm(config) == ""
    fail(config, 1, cause="denied")
    assert alarm(config) == "learning failed 3 times in a row (denied)"
    failing.worked(config, "learning")
    fail(config, 3, cause="denied")
    assert alarm(config)


def test_kinds_are_counted_apart_and_told_together(config: str) -> None:
    fail(config, 3)
    fail(config, 3, kind="tidying up", cause="locked")
    assert alarm(config) == "learning failed 3 times in a row (full); tidying up failed 3 times in a row (locked)"


def test_a_cause_moves_no_cursor_and_stays_short(config: str) -> None:
    fail(config, 3, cause="\x1b[2J\u202e\n" + "x" * 5_000)
    told = alarm(config)
    assert told.isprintable() and len(told) < 400


def test_far_apart_is_not_in_a_row(config: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for at in (0.0, 10.0, 5_000.0, 5_010.0, 5_020.0):
        monkeypatch.setattr("time.time", lambda at=at: 1e9 + at)
        failing.failed(config, "the Stop hook", "x", gap=3_600.0)
        assert bool(alarm(config)) == (at == 5_020.0)


@pytest.mark.parametrize("torn", [b"", b"[]", b"{", b'{"learning": 3}', b'{"learning": {"count": "3", "t": null}}'])
def test_a_torn_count_begins_anew(config: str, torn: bytes) -> None:
    folder = Path(config) / "memory-hooks"
    folder.mkdir()
    (folder / failing.NAME).write_bytes(torn)
    fail(config, 3)
    assert alarm(config) == "learning failed 3 times in a row (full)"


def test_parallel_failures_lose_none(config: str) -> None:
    threads = [threading.Thread(target=fail, args=(config, 5)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failing.known(config)["learning"]["count"] == 20


def test_where_nothing_can_be_written_nothing_is_raised(tmp_path: Path) -> None:
    (tmp_path / "memory-hooks").write_text("a file")
    fail(str(tmp_path), 3)
    assert alarm(str(tmp_path)) == "" and os.listdir(tmp_path) == ["memory-hooks"]
