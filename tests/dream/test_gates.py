"""The gates say no in their order and by their names; the cheap half looks at two times and counts names."""
from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from lib.dream import gates, schedule, sessions, stamp
from lib.host import paths, settings
from lib.host.call import Call
from lib.host.payload import Payload
from lib.journal import Journal, Run

NOW = 1_800_000_000.0
HOUR = 3600.0
NOES: list[tuple[str, dict[str, Any]]] = [
    ("kairos", {"kairos": True}),
    ("remote", {"remote": True}),
    ("disabled", {"off": "disabled"}),
    ("dream_off", {"dream": False}),
    ("min_hours", {"last": NOW - 23.9 * HOUR}),
    ("min_sessions", {"sessions": 4}),
    ("scan_throttled", {"throttled": True}),
    ("locked", {"locked": True}),
]


def decide(**facts: Any) -> str:
    return gates.decide(**{"now": NOW, "last": NOW - 24 * HOUR, "sessions": 5, **facts}).reason


def test_nothing_against_it_is_a_run() -> None:
    assert isinstance(gates.decide(now=NOW, last=NOW - 24 * HOUR, sessions=5), Run)
    assert decide() == "" == decide(last=None)


@pytest.mark.parametrize("at", range(len(NOES)))
def test_each_no_has_its_name_and_comes_before_all_later_ones(at: int) -> None:
    assert decide(**NOES[at][1]) == NOES[at][0]
    together: dict[str, Any] = {}
    for _, facts in NOES[at:]:
        together.update(facts)
    assert decide(**together) == NOES[at][0]


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"sessions": 2, "min_sessions": 2}, ""), ({"sessions": 1, "min_sessions": 2}, "min_sessions"),
        ({"last": NOW - 3 * HOUR, "min_hours": 2}, ""), ({"last": NOW - HOUR, "min_hours": 2}, "min_hours"),
        ({"min_hours": 0, "last": NOW}, ""), ({"sessions": 0, "min_sessions": 0}, ""), ({"sessions": None}, ""),
        ({"sessions": None, "throttled": True}, "scan_throttled"),
    ],
)  # fmt: skip
def test_the_numbers_are_the_persons(facts: dict[str, Any], reason: str) -> None:
    assert decide(**facts) == reason


# ---- how many sessions


def transcript(folder: Path, name: str, age: float) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}\n")
    os.utime(path, (NOW - age, NOW - age))
    return path


def test_sessions_count_by_their_transcripts_time_without_the_current_one_and_sub_agents(tmp_path: Path) -> None:
    here, there = tmp_path / "-p", tmp_path / "-p-worktree"
    changed = [transcript(here, f"s{n}.jsonl", n * 10.0) for n in range(3)]
    transcript(here, "old.jsonl", 5000)
    transcript(here, "current.jsonl", 0)
    transcript(here, "agent-a1.jsonl", 0)
    transcript(here, "s0/subagents/agent-a2.jsonl", 0)
    transcript(here, "notes.txt", 0)
    (here / "folder.jsonl").mkdir()
    (here / "link.jsonl").symlink_to(changed[0])
    moved = transcript(there, "s1.jsonl", 1)  # the same session in a worktree's folder
    other = transcript(there, "w.jsonl", 2)
    found = sessions.since([str(here), str(there), str(tmp_path / "none")], NOW - 1000, "current")
    assert found == [str(path) for path in (changed[0], moved, other, changed[2])]
    assert len(sessions.since([str(here)], None, "")) == 5


def test_the_folders_are_the_launch_folders_and_those_that_journals_name(tmp_path: Path) -> None:
    state = str(tmp_path / "state")
    Journal(state, "s1").append("stop", transcript="/c/projects/-w/s1.jsonl", launch="/w")
    assert sessions.folders("/c", state, "/p/x") == ["/c/projects/-p-x", "/c/projects/-w"]


# ---- in a hook


def call(tmp_path: Path, *, transcripts: int, env: dict[str, str] | None = None, **own: Any) -> Call:
    project = tmp_path / "project"
    project.mkdir(exist_ok=True)
    config = Path(os.environ["CLAUDE_CONFIG_DIR"])
    (config / "settings.json").write_text(json.dumps({"memoryHooks": own.pop("own", {}), **own}))
    folder = config / "projects" / paths.slug(str(project))
    for n in range(transcripts):
        transcript(folder, f"s{n}.jsonl", 0)
    (folder / "memory").mkdir(parents=True, exist_ok=True)
    fields = {"session_id": "s0", "cwd": str(project), "transcript_path": str(folder / "s0.jsonl")}
    made = Call("Stop", Payload(fields), {**os.environ, **(env or {})}, time.time())
    os.makedirs(made.state, exist_ok=True)
    return made


def test_a_hook_starts_the_worker_only_when_it_may_be_due(tmp_path: Path) -> None:
    assert schedule.due(call(tmp_path, transcripts=6))


def test_too_few_transcripts_start_nothing(tmp_path: Path) -> None:
    assert not schedule.due(call(tmp_path, transcripts=5))


@pytest.mark.parametrize(
    "given",
    [
        {"own": {"kairos": True}}, {"env": {"CLAUDE_CODE_REMOTE": "1"}}, {"env": {"CLAUDE_CODE_REMOTE": "true"}},
        {"autoDreamEnabled": False}, {"autoMemoryEnabled": False}, {"own": {"enabled": False}},
        {"env": {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}}, {"own": {"dream": {"minSessions": 9}}},
    ],
    ids=str,
)  # fmt: skip
def test_switches_and_numbers_keep_a_hook_from_it(tmp_path: Path, given: dict[str, Any]) -> None:
    assert not schedule.due(call(tmp_path, transcripts=6, **given))


def test_remote_that_is_off_is_not_remote(tmp_path: Path) -> None:
    assert schedule.due(call(tmp_path, transcripts=6, env={"CLAUDE_CODE_REMOTE": "0"}))


def test_the_last_time_and_the_last_look_keep_a_hook_from_it(tmp_path: Path) -> None:
    made = call(tmp_path, transcripts=6)
    schedule.put_off(made.state, made.now + 60)
    assert not schedule.due(made)
    schedule.put_off(made.state, made.now + 10 * schedule.FARTHEST)  # a clock that was wrong
    assert schedule.due(made)
    schedule.put_off(made.state, made.now - 1)
    (Path(made.memory) / stamp.NAME).write_text("1")
    os.utime(Path(made.memory) / stamp.NAME, (made.now - 3600,) * 2)
    assert not schedule.due(made)
    os.utime(Path(made.memory) / stamp.NAME, (made.now - 25 * 3600,) * 2)
    assert schedule.due(made)


def test_a_project_cannot_bring_it_on(tmp_path: Path) -> None:
    made = call(tmp_path, transcripts=3)
    theirs = Path(made.launch) / ".claude"
    theirs.mkdir()
    (theirs / "settings.json").write_text(
        '{"memoryHooks": {"kairos": true, "dream": {"minHours": 0, "minSessions": 0, "maxShare": 100}}}'
    )
    config = settings.load(os.environ, made.launch)
    names = ("kairos", "dream.minHours", "dream.minSessions", "dream.maxShare")
    assert [config.option(name) for name in names] == [False, 24, 5, 20]
    assert not schedule.due(made)
