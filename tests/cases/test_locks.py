"""The consolidation's lock with a holder that cannot be seen from here."""
from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from lib.dream import identity
from lib.dream.lock import ConsolidateLock
from tests.dream.test_lock import put
from tests.support.hammer import dead_pid


@pytest.mark.parametrize(
    ("machine", "age", "free"),
    [("another", 0.0, False), ("another", 3_500.0, False), ("another", 3_700.0, True), ("", 0.0, True)],
)
def test_a_holder_elsewhere_is_believed_for_an_hour_whatever_its_number_means_here(
    tmp_path: Path, machine: str, age: float, free: bool
) -> None:
    memory, pid = tmp_path / "memory", dead_pid()
    memory.mkdir()
    put(memory, str(pid), age)
    here = identity.own()
    record = {**here, "pid": pid, "machine": machine or here["machine"], "token": "t", "at": time.time() - age}
    (memory / ".consolidate-lock.record").write_text(json.dumps(record))
    assert ConsolidateLock(memory).acquire() is free
