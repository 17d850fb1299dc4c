"""What a run reports: what could not be written is told, the index too."""

from __future__ import annotations

from pathlib import Path

import pytest

from lib.extract.source import Report
from lib.memory import index, transaction
from lib.memory.transaction import Change

ROWS = [("CREATE", "a.md", ""), ("UPDATE", "b.md", "newer"), ("SKIP", "c.md", "known")]


def test_what_was_written_stays_as_it_was_reported() -> None:
    report = Report(changes=list(ROWS))
    report.refuse({"a.md": "", "b.md": ""})
    assert report.changes == ROWS


def test_what_was_not_written_is_dropped_with_the_reason() -> None:
    report = Report(changes=list(ROWS))
    report.refuse({"a.md": "", "b.md": "changed meanwhile", "c.md": "never asked"})
    assert report.changes == [ROWS[0], ("DROP", "b.md", "changed meanwhile"), ROWS[2]]


def test_an_index_that_could_not_be_mended_is_a_row_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> bool:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(index, "mend_locked", full)
    report = Report(changes=[("CREATE", "a.md", "")])
    report.refuse(transaction.apply(str(tmp_path), [Change("a.md", "---\nname: a\n---\nx", None)]))
    assert (tmp_path / "a.md").exists()
    created, (action, file, reason) = report.changes
    assert created == ("CREATE", "a.md", "")
    assert (action, file) == ("DROP", "MEMORY.md")
    assert "No space left on device" in reason and "next change" in reason
