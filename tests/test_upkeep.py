"""What the worker does for no turn in particular keeps the state small, whatever the turns came to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lib import upkeep
from lib.agents.seat import journals
from lib.journal import SIZE_LIMIT, Journal


@pytest.mark.parametrize("whose", ["a session's", "a sub-agent's run's"])
def test_a_journal_with_nothing_due_is_kept_short_too(own_home: Path, tmp_path: Path, whose: str) -> None:
    state = str(tmp_path / "state")
    book = Journal(state if whose == "a session's" else journals(state), "s1")
    while not os.path.exists(book.path) or os.path.getsize(book.path) <= SIZE_LIMIT:
        book.append("recall", reason="none_sure", left={"a.md": "x" * 2_000})
    before = book.state()
    upkeep.sweep(state)
    assert os.path.getsize(book.path) < SIZE_LIMIT
    assert book.state().cursor == before.cursor
