"""One holder at a time, whoever died, whatever stands in the files; the schedule moves only when a run succeeded."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lib.dream import identity
from lib.dream.lock import ConsolidateLock
from tests.support.hammer import ROOT, dead_pid, hammer

DAY = 86_400.0
HOLD = """
import sys, time
sys.path.insert(0, {root!r})
from lib.dream.lock import ConsolidateLock
print(ConsolidateLock({directory!r}).acquire(), flush=True)
time.sleep(60)
"""


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    folder.mkdir()
    return folder


def put(memory: Path, content: str | bytes, age: float) -> Path:
    path = memory / ".consolidate-lock"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    os.utime(path, (time.time() - age,) * 2)
    return path


def holder(memory: Path) -> subprocess.Popen[str]:
    script = HOLD.format(root=str(ROOT), directory=str(memory))
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout and process.stdout.readline() == "True\n"
    return process


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def record(memory: Path) -> dict[str, object]:
    found = json.loads((memory / ".consolidate-lock.record").read_text())
    assert isinstance(found, dict)
    return found


@pytest.mark.heavy
@pytest.mark.parametrize("contenders", [8, 16])
def test_of_many_contenders_for_a_dead_holders_lock_one_wins(memory: Path, contenders: int) -> None:
    assert hammer(memory, contenders, 200) == [1] * 200


def test_the_hammer_tells_a_lock_from_write_and_read_back(memory: Path) -> None:
    assert max(hammer(memory, 16, 30, naive=True)) > 1


def test_the_first_holder_writes_its_bare_pid_and_nobody_else_gets_in(memory: Path) -> None:
    lock = ConsolidateLock(memory)
    assert lock.last_consolidated() is None
    assert lock.acquire()
    assert (memory / ".consolidate-lock").read_text() == str(os.getpid())
    assert not lock.acquire() and not ConsolidateLock(memory).acquire()
    assert lock.last_consolidated() is None


def test_success_makes_now_the_last_consolidation_and_frees_the_lock(memory: Path) -> None:
    put(memory, dead_pid().__str__(), 2 * DAY)
    lock, before = ConsolidateLock(memory), time.time()
    assert lock.acquire() and lock.finish(True)
    last = lock.last_consolidated()
    assert last is not None and before - 1 <= last <= time.time() + 1
    assert (memory / ".consolidate-lock").stat().st_mtime == last
    assert ConsolidateLock(memory).acquire()


def test_failure_leaves_time_and_absence_as_they_were(memory: Path) -> None:
    lock = ConsolidateLock(memory)
    assert lock.acquire() and lock.finish(False)
    assert sorted(path.name for path in memory.iterdir()) == [".consolidate-lock.guard"]
    path = put(memory, str(dead_pid()), 2 * DAY)
    was = path.stat().st_mtime_ns
    assert lock.acquire()
    assert path.stat().st_mtime_ns == was
    assert lock.finish(False)
    assert path.stat().st_mtime_ns == was
    assert ConsolidateLock(memory).acquire()


def test_a_killed_holder_leaves_the_schedule_and_the_next_one_gets_in_at_once(memory: Path) -> None:
    path = put(memory, str(dead_pid()), 2 * DAY)
    was = path.stat().st_mtime_ns
    process = holder(memory)
    try:
        assert not ConsolidateLock(memory).acquire()
        process.send_signal(signal.SIGKILL)
        time.sleep(0.2)
        # Not waited for: a zombie is dead, although a signal still finds it.
        lock = ConsolidateLock(memory)
        assert (path.stat().st_mtime_ns, lock.last_consolidated()) == (was, was / 1e9)
        assert lock.acquire()
        assert path.stat().st_mtime_ns == was
    finally:
        end(process)


@pytest.mark.parametrize(("age", "free"), [(0, False), (1800, False), (3500, False), (3700, True), (3 * DAY, True)])
def test_a_living_holder_of_the_clients_own_kind_counts_for_an_hour(memory: Path, age: float, free: bool) -> None:
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], text=True)
    try:
        put(memory, str(process.pid), age)
        assert ConsolidateLock(memory).acquire() is free
    finally:
        end(process)


@pytest.mark.parametrize("age", [0, 1800, -3 * DAY])
def test_a_dead_holder_counts_for_nothing(memory: Path, age: float) -> None:
    put(memory, f"{dead_pid()}\n", age)
    assert ConsolidateLock(memory).acquire()


@pytest.mark.parametrize("content", ["", "\n", "12ab", "-1", "0", "99999999999999999999", b"\xff\x00\xfe", "²", "1 2"])
def test_garbage_is_a_lock_in_the_making_and_later_nothing(memory: Path, content: str | bytes) -> None:
    put(memory, content, 0)
    assert not ConsolidateLock(memory).acquire()
    put(memory, content, 3601)
    assert ConsolidateLock(memory).acquire()


def test_a_time_in_the_future_is_unknown_but_a_living_holder_is_respected(memory: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], text=True)
    try:
        put(memory, str(process.pid), -3 * DAY)
        lock = ConsolidateLock(memory)
        assert lock.last_consolidated() is None
        assert not lock.acquire()
    finally:
        end(process)
    assert lock.acquire() and lock.finish(True)
    assert lock.last_consolidated() is not None


def test_a_reused_pid_is_another_process(memory: Path) -> None:
    process = holder(memory)
    try:
        assert not ConsolidateLock(memory).acquire()
        path = memory / ".consolidate-lock.record"
        path.write_text(json.dumps({**record(memory), "start": "1"}))
        assert ConsolidateLock(memory).acquire()
    finally:
        end(process)


def test_ones_own_pid_of_an_earlier_life_is_nobody(memory: Path) -> None:
    put(memory, str(os.getpid()), 0)
    assert ConsolidateLock(memory).acquire()


@pytest.mark.parametrize(
    ("fields", "free"),
    [
        ({"machine": "elsewhere"}, False),  # a container that shares the folder: not to be judged, so fresh is held
        ({"machine": "elsewhere", "at": 0}, True),
        ({"boot": "an earlier one"}, True),
        ({"at": 0}, True),  # an hour is over
        ({"at": None}, True),
        ({"pid": 1}, True),  # the lock file names another holder, who is dead
    ],
)
def test_a_record_is_judged_by_where_and_when_it_was_made(
    memory: Path, fields: dict[str, object], free: bool
) -> None:
    process = holder(memory)
    try:
        if "pid" in fields:
            put(memory, str(dead_pid()), 0)
        (memory / ".consolidate-lock.record").write_text(json.dumps({**record(memory), **fields}))
        assert ConsolidateLock(memory).acquire() is free
    finally:
        end(process)


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, '{"token": 3}', "\0"])
def test_a_damaged_record_is_no_record(memory: Path, text: str) -> None:
    put(memory, str(dead_pid()), 0)
    (memory / ".consolidate-lock.record").write_text(text)
    assert ConsolidateLock(memory).acquire()


def test_what_is_no_plain_file_is_never_followed(memory: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("mine")
    lock, path = ConsolidateLock(memory), memory / ".consolidate-lock"
    path.symlink_to(target)
    assert lock.last_consolidated() is None and not lock.acquire()
    os.utime(path, (time.time() - 4000,) * 2, follow_symlinks=False)
    assert lock.acquire() and lock.finish(True)
    assert target.read_text() == "mine" and not path.is_symlink()
    path.unlink()
    os.mkfifo(path)
    assert not lock.acquire() and lock.last_consolidated() is None
    path.unlink()
    path.mkdir()
    os.utime(path, (time.time() - 4000,) * 2)
    assert not lock.acquire() and lock.last_consolidated() is None


@pytest.mark.parametrize("what", ["nothing", "file", "link"])
def test_no_folder_is_an_answer(tmp_path: Path, what: str) -> None:
    place = tmp_path / "none"
    if what == "file":
        place.write_text("x")
    elif what == "link":
        place.symlink_to(tmp_path / "gone")
    lock = ConsolidateLock(place)
    assert not lock.acquire() and not lock.finish(True) and not lock.taken()
    assert lock.last_consolidated() is None and not lock.fenced(lambda: None)
    assert not (tmp_path / "gone").exists()


def test_without_a_kernel_lock_nobody_gets_in(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lib.memory.lock._try", lambda descriptor: False)
    monkeypatch.setattr("lib.dream.lock.PATIENCE", 0.05)
    assert not ConsolidateLock(memory).acquire()


def test_a_full_disk_is_an_answer_and_leaves_nothing_behind(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(memory, str(dead_pid()), 2 * DAY)
    was = path.read_text(), path.stat().st_mtime_ns

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("lib.dream.lock.os.write", full)
        assert not ConsolidateLock(memory).acquire()
    assert (path.read_text(), path.stat().st_mtime_ns) == was
    assert sorted(path.name for path in memory.iterdir()) == [".consolidate-lock", ".consolidate-lock.guard"]
    assert ConsolidateLock(memory).acquire()


def test_a_write_is_fenced_by_the_holding_not_by_the_process(memory: Path) -> None:
    first, second, written = ConsolidateLock(memory), ConsolidateLock(memory), list[str]()
    assert not first.fenced(lambda: written.append("before"))
    assert first.acquire()
    assert first.fenced(lambda: written.append("held"))
    (memory / ".consolidate-lock.record").write_text(json.dumps({**record(memory), "at": 0}))
    assert second.acquire()  # an hour was over
    assert not first.fenced(lambda: written.append("late"))
    assert not first.finish(True)
    assert second.last_consolidated() is None
    assert second.fenced(lambda: written.append("second")) and second.finish(False)
    assert written == ["held", "second"]


def test_a_client_that_takes_the_file_over_stops_our_writes(memory: Path) -> None:
    lock = ConsolidateLock(memory)
    assert lock.acquire()
    put(memory, "1", 0)
    assert not lock.fenced(lambda: pytest.fail("written without the lock"))
    assert not lock.finish(True) and (memory / ".consolidate-lock").read_text() == "1"


def test_a_failed_write_inside_the_fence_is_told_and_keeps_the_lock(memory: Path) -> None:
    lock = ConsolidateLock(memory)
    assert lock.acquire()
    with pytest.raises(ZeroDivisionError):
        lock.fenced(lambda: 1 // 0)
    assert lock.fenced(lambda: None) and lock.finish(True)


def test_a_forked_child_does_not_hold_its_parents_lock(memory: Path) -> None:
    script = f"""
import os, sys
sys.path.insert(0, {str(ROOT)!r})
from lib.dream.lock import ConsolidateLock
lock = ConsolidateLock({str(memory)!r})
assert lock.acquire()
child = os.fork()
if not child:
    os._exit(0 if not lock.finish(True) and not lock.fenced(lambda: None) else 1)
assert os.waitpid(child, 0)[1] == 0
assert lock.fenced(lambda: None)
"""
    assert subprocess.run([sys.executable, "-c", script], timeout=60).returncode == 0


def test_leftovers_of_a_killed_holder_go_with_the_next(memory: Path) -> None:
    (memory / ".consolidate-lock-1-aabbccdd.tmp").write_text("1")
    assert ConsolidateLock(memory).acquire()
    assert not list(memory.glob("*.tmp")) and not list(memory.glob(".*.tmp"))


def test_a_process_is_known_by_its_start() -> None:
    me = identity.own()
    assert me["pid"] == os.getpid() and identity.alive(me) is True
    assert identity.alive({**me, "start": "0"}) is False
    assert identity.alive({**me, "pid": dead_pid()}) is False
    assert identity.alive({**me, "pid": "x"}) is False
    assert identity.alive({**me, "machine": "another"}) is None
    assert identity.started(2**31 + 5) == "" == identity.started(0) == identity.started(-1)


def test_psutil_and_proc_agree_on_who_runs() -> None:
    assert identity._elsewhere(os.getpid()) and not identity._elsewhere(dead_pid())
    assert identity._signalled(os.getpid()) and not identity._signalled(dead_pid())


PIDS = [("1", 1), (" 42\n", 42), ("4.2", None), ("+1", None), ("00", None), ("٣", None)]


@pytest.mark.parametrize(("text", "pid"), PIDS)
def test_only_a_plain_number_is_a_pid(text: str, pid: int | None) -> None:
    assert identity.parse(text) == pid
