"""The worker's part: counts exactly, notes its no, tries again later and later; and the hooks start it."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from lib.dream import job, marks, run, schedule
from lib.dream.lock import ConsolidateLock
from lib.dream.marks import Marks
from tests.dream.conftest import Place
from tests.support.hammer import ROOT

HOUR = 3600.0


def due(place: Place, at: float | None = None) -> bool:
    place.scene()
    return job.due(str(place.state), os.environ, at or time.time()) is not None


def attempt(place: Place, at: float | None = None) -> bool:
    now = at or time.time()
    found = job.due(str(place.state), os.environ, now)
    if found is None:
        return False
    report = job.attempt(*found, now)
    return report is not None and report.ok


def last(place: Place) -> float | None:
    return ConsolidateLock(place.memory).last_consolidated()


def test_five_other_sessions_make_it_due_and_the_run_is_noted(place: Place) -> None:
    place.fill()
    place.scene()
    place.sessions(5)
    assert attempt(place)
    (row,) = place.rows()
    assert (row["ok"], row["backend"]) == (True, "rules") and row["changes"] and "ms" in row
    assert len(place.contents()) == 49
    assert not attempt(place, time.time() + 23 * HOUR)
    for n in range(5):
        os.utime(place.transcripts / f"s{n + 1}.jsonl", (time.time() + HOUR,) * 2)
    assert attempt(place, time.time() + 25 * HOUR)


def test_the_current_session_does_not_count_and_the_no_is_noted(place: Place) -> None:
    place.fill()
    place.sessions(4)
    assert not due(place)
    assert [(row["reason"], row["sessions"]) for row in place.rows()] == [("min_sessions", 4)]
    assert schedule.throttled(str(place.state), time.time())
    assert not schedule.throttled(str(place.state), time.time() + 601)


def test_within_ten_minutes_nobody_counts_again(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.fill()
    place.sessions(4)
    assert not due(place)
    place.sessions(9)
    monkeypatch.setattr("lib.dream.sessions.since", lambda *_: pytest.fail("counted"))
    assert not due(place)
    monkeypatch.undo()


def test_a_held_lock_is_a_no(place: Place) -> None:
    place.fill()
    place.sessions(6)
    assert ConsolidateLock(place.memory).acquire()
    assert not due(place)
    assert [row["reason"] for row in place.rows()] == ["locked"]


@pytest.mark.parametrize("what", ["no memory", "no journal"])
def test_where_there_is_nothing_there_is_nothing_due(place: Place, what: str) -> None:
    if what == "no memory":
        place.sessions(6)
    else:
        place.fill()
    assert not due(place) and not (place.state / schedule.NEXT).exists()


def test_after_failures_it_waits_longer_and_longer(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.fill()
    place.sessions(6)
    place.scene()
    now, waits = time.time(), []

    def fails(*_: Any, **__: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(run, "consolidate", fails)
    for _ in range(4):
        assert not attempt(place, now)
        until = os.stat(place.state / schedule.NEXT).st_mtime
        waits.append(round((until - now) / 60))
        now = until + 1
    assert waits == [10, 40, 160, 360]
    assert [row["reason"] for row in place.rows()] == ["OSError: [Errno 28] No space left on device"] * 4
    assert last(place) is None
    monkeypatch.undo()


def test_a_good_run_forgets_the_failures(place: Place) -> None:
    place.fill()
    place.sessions(6)
    place.scene()
    marks.save(str(place.state), Marks({"logs/2026/11/2026-11-30.md": 7}, 3))
    assert attempt(place)
    assert marks.load(str(place.state)) == Marks({"logs/2026/11/2026-11-30.md": 7}, 0)


DAMAGED = ["", "[]", "{", '{"logs": 3, "failures": "x"}', '{"logs": {}, "failures": -1}', "[" * 9999]


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_marks_are_fresh_marks(place: Place, damage: str) -> None:
    place.state.mkdir(parents=True)
    (place.state / marks.NAME).write_text(damage)
    assert marks.load(str(place.state)) == Marks()


# ---- as registered


def hook(place: Place, script: str, **fields: Any) -> None:
    transcript = str(place.transcripts / "s0.jsonl")
    payload = {"session_id": "s0", "cwd": str(place.project), "transcript_path": transcript, **fields}
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(ROOT / "hooks" / script), "1"], input=json.dumps(payload).encode(),
        capture_output=True, timeout=60, cwd=place.project,
        env={**os.environ, "CLAUDE_PROJECT_DIR": str(place.project)},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")


def wait_for(place: Place, seconds: float = 20.0) -> float | None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not (place.rows() and last(place)):
        time.sleep(0.05)
    return last(place)


@pytest.mark.parametrize(
    ("script", "fields"),
    [
        ("stop.py", {"hook_event_name": "Stop", "stop_hook_active": False}),
        ("session_start.py", {"hook_event_name": "SessionStart", "source": "startup"}),
    ],
)
def test_a_hook_starts_it_and_the_worker_does_it(place: Place, script: str, fields: dict[str, Any]) -> None:
    place.fill()
    place.scene()
    place.sessions(5, age=HOUR)
    hook(place, script, **fields)
    assert wait_for(place) is not None
    assert len(place.contents()) == 49


def test_a_sub_agents_end_starts_nothing(place: Place) -> None:
    place.fill()
    place.scene()
    place.sessions(5, age=HOUR)
    hook(place, "stop.py", hook_event_name="Stop", agent_id="a1", agent_type="reviewer")
    time.sleep(0.5)
    assert not (place.state / "worker.lock").exists() and last(place) is None


def test_kairos_writes_a_log_that_the_dream_distils_when_it_is_asked(place: Place) -> None:
    place.own = {"kairos": True, "backend": "rules"}
    place.scene()
    place.sessions(6)
    said = "Remember: always use pnpm here, npm corrupts the lockfile"
    entry = {"type": "user", "uuid": "u1", "sessionId": "s0", "timestamp": "2026-11-30T12:00:00Z",
             "message": {"role": "user", "content": said}}  # fmt: skip
    (place.transcripts / "s0.jsonl").write_text(json.dumps(entry) + "\n")
    hook(place, "stop.py", hook_event_name="Stop")
    end = time.monotonic() + 20
    while time.monotonic() < end and not list(place.memory.glob("logs/*/*/*.md")):
        time.sleep(0.05)
    (log,) = place.memory.glob("logs/*/*/*.md")
    assert "use-pnpm [feedback]: Always use pnpm here" in log.read_text()
    time.sleep(0.3)
    assert set(place.contents()) == {str(log.relative_to(place.memory))} and last(place) is None
    script = [sys.executable, str(ROOT / "memory.py"), "dream"]
    done = subprocess.run(script, cwd=place.project, capture_output=True, text=True, timeout=60, env={**os.environ})
    assert done.returncode == 0 and "create  use-pnpm.md" in done.stdout, done.stdout + done.stderr
    made = (place.memory / "use-pnpm.md").read_text()
    assert 'said_by: "user"' in made and "npm corrupts the lockfile" in made and 'originSessionId: "s0"' in made
    assert Path(place.memory / "MEMORY.md").read_text().count("(use-pnpm.md)") == 1
