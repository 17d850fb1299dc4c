"""The bench against the peer counts what it says, takes registered commands as they are, and ends what it started."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lib.host.registration import HOOKS
from tests.bench import claude_mem, peers, processes
from tests.bench.claude_mem import Command, Missing, Peer
from tests.bench.runs import Row
from tests.bench.stages import stage

HOOKS_JSON = {
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "run it summarize", "async": True}]}],
        "SessionStart": [{"matcher": "*", "hooks": [{"command": "run it start"}, {"command": 'run "it" context'}]}],
        "Setup": [{"hooks": [{"command": "run it setup"}]}],
    }
}


def test_registered_commands_are_taken_as_they_are_in_the_order_of_a_session() -> None:
    found = claude_mem.registered(HOOKS_JSON, ("SessionStart", "Stop", "SessionEnd"))
    assert found == [
        Command("SessionStart", "run it start", True), Command("SessionStart", 'run "it" context', True),
        Command("Stop", "run it summarize", False),
    ]  # fmt: skip
    assert [one.title for one in found] == ["SessionStart, start", "SessionStart, context", "Stop, summarize"]


def test_the_peer_gets_nothing_of_the_machines_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "made up")
    environment = Peer(tmp_path).environment(tmp_path / "project")
    assert "made up" not in environment.values()
    assert environment["HOME"] == str(tmp_path / "home") and environment["DO_NOT_TRACK"] == "1"


def test_a_folder_without_the_peer_is_told_from_one_with_it(tmp_path: Path) -> None:
    with pytest.raises(Missing, match="no plugin"):
        claude_mem.ready(tmp_path)


@pytest.mark.parametrize(
    ("trace", "count"),
    [
        ("", 0),
        ("7 vfork() = 8\n8 vfork() = 9", 2),
        ("7 clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD, child_tidptr=0x7) = 8", 1),
        ("7 clone3({flags=CLONE_VM|CLONE_THREAD, stack_size=0x7} => {parent_tid=[8]}, 88) = 8", 0),
        ("7 clone(flags=SIGCHLD <unfinished ...>\n9 vfork( <unfinished ...>\n7 <... clone resumed>) = 8\n"
         "9 <... vfork resumed>) = 10", 2),
        ("7 clone3({flags=CLONE_THREAD} <unfinished ...>\n7 <... clone3 resumed> => {x}, 88) = 8", 0),
        ("7 vfork() = -1 EAGAIN (Resource temporarily unavailable)\n8 +++ exited with 0 +++", 0),
    ],
)  # fmt: skip
def test_processes_are_counted_and_threads_are_not(trace: str, count: int) -> None:
    assert processes.children(trace) == count


def test_what_carries_the_mark_is_seen_and_ended_and_nothing_else(tmp_path: Path) -> None:
    mark = f"MARK={tmp_path}"
    code = "import time; print(flush=True); time.sleep(60)"
    argv = [sys.executable, "-I", "-S", "-c", code]
    ours = subprocess.Popen(argv, env={"MARK": str(tmp_path)}, stdout=subprocess.PIPE)
    other = subprocess.Popen(argv, env={"MARK": f"{tmp_path}-other"}, stdout=subprocess.PIPE)
    with ours, other:
        for process in (ours, other):
            assert process.stdout is not None and process.stdout.readline()
        (seen,) = processes.living(mark)
        assert seen.pid == ours.pid and 1 < seen.megabytes < 100
        assert [process.pid for process in processes.end(mark)] == [ours.pid]
        assert ours.wait(10) and other.poll() is None
        other.kill()
    assert processes.living(mark) == []


def test_our_side_is_every_registered_command_and_the_slowest_of_an_event_counts(tmp_path: Path) -> None:
    rows = peers.our_rows(stage(tmp_path, "ours"))
    told = [row.name for event in peers.EVENTS for row in rows[event]]
    assert told == [f"ours: {hook.title}" for hook in HOOKS if hook.event in peers.EVENTS]
    for row in rows["SessionStart"]:
        row.seconds.append(0.05)
    slow = Row("theirs", ["x"], b"", {}, lambda: None, seconds=[0.6])
    quick = Row("theirs", ["x"], b"", {}, lambda: None, seconds=[0.1])
    assert peers.Pair("SessionStart", rows["SessionStart"], [quick, slow], True).times == pytest.approx(12)


def test_a_run_counts_the_processor_time_of_what_it_waited_for(tmp_path: Path) -> None:
    row = Row("a row", ["/bin/sh", "-c", f"'{sys.executable}' -I -S -c 'sum(range(3_000_000))'; true"], b"",
              dict(os.environ), lambda: None)  # fmt: skip
    row.run()
    assert row.cpu[0] > 0.01 and row.p95 == row.median == row.seconds[0]
