"""A child that hangs, floods, ignores or leaves others behind is ended; a stranger with its number is not."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from lib.memory import lock
from lib.model import child_run
from lib.model.child_run import Ended, Start
from lib.model.task import Unavailable


@pytest.fixture
def config(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(child_run, "GRACE", 0.3)
    return str(own_home / ".claude")


def start(tmp_path: Path, body: str, seconds: float = 20.0, *, prompt: str = "hello") -> Start:
    program, stdin = tmp_path / "client", tmp_path / "prompt"
    program.write_text(f"#!{sys.executable} -S\nimport os, signal, sys, time\n{body}\n")
    program.chmod(0o755)
    stdin.write_text(prompt)
    return Start([str(program)], dict(os.environ), str(tmp_path), str(stdin), seconds)


def gone(pid: int, seconds: float = 5.0) -> bool:
    """Whether it has ended and is no zombie of ours."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state in "ZX" and os.getppid() != pid:
            time.sleep(0.02)
            continue
        time.sleep(0.02)
    return False


def test_what_it_says_comes_back_with_its_status(config: str, tmp_path: Path) -> None:
    body = "sys.stdout.write(sys.stdin.read() * 2); sys.stderr.write('oh'); sys.exit(3)"
    ended = child_run.run(start(tmp_path, body, prompt="x" * 300_000), config)
    assert ended == Ended(3, b"x" * 600_000, b"oh")
    assert not Path(config, "memory-hooks", child_run.NOTE).exists()


def test_one_that_hangs_and_ignores_being_asked_is_ended(config: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    body = f"""
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = os.fork()
if not child:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(60)
open({str(pids)!r}, "w").write(f"{{os.getpid()}} {{child}}")
time.sleep(60)
"""
    ended = child_run.run(start(tmp_path, body, 1.5), config)
    assert ended.late and ended.status < 0
    assert all(gone(int(pid)) for pid in pids.read_text().split())


def test_one_that_prints_without_end_is_ended(config: str, tmp_path: Path) -> None:
    ended = child_run.run(start(tmp_path, "while True: os.write(1, b'y' * 65536)"), config)
    assert ended.flood and len(ended.out) == child_run.OUTPUT


def test_errors_without_end_are_read_and_let_go(config: str, tmp_path: Path) -> None:
    ended = child_run.run(start(tmp_path, "[os.write(2, b'e' * 65536) for _ in range(200)]; print('done')"), config)
    assert (ended.status, ended.out, ended.flood, len(ended.err)) == (0, b"done\n", False, child_run.ERRORS)


def test_what_it_leaves_in_its_group_goes_with_it_and_holds_nobody(config: str, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    body = f"c = os.fork()\nif not c: time.sleep(60)\nopen({str(pid)!r}, 'w').write(str(c)); print('bye')"
    ended = child_run.run(start(tmp_path, body), config)
    assert (ended.status, ended.out, ended.late) == (0, b"bye\n", False)
    assert gone(int(pid.read_text()))


@pytest.mark.parametrize("body", [None, "not a program"])
def test_one_that_cannot_be_started_says_which(config: str, tmp_path: Path, body: str | None) -> None:
    made = start(tmp_path, "")
    if body is None:
        os.unlink(made.argv[0])
    else:
        Path(made.argv[0]).write_bytes(b"\x7fELFnot")
    with pytest.raises(Unavailable, match="client") as caught:
        child_run.run(made, config)
    assert caught.value.kind == "missing"


def test_there_is_one_child_at_a_time(config: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_run, "QUEUE_SECONDS", 0.2)
    os.makedirs(Path(config, "memory-hooks"))
    held = lock.acquire(str(Path(config, "memory-hooks", child_run.LOCK)))
    assert held is not None
    with pytest.raises(Unavailable, match="another project"):
        child_run.run(start(tmp_path, "print(1)"), config)
    os.close(held)
    assert child_run.run(start(tmp_path, "print(1)"), config).out == b"1\n"


def test_twenty_at_once_run_one_after_another(config: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    body = f"f = open({str(log)!r}, 'a', buffering=1); f.write('+\\n'); time.sleep(0.02); f.write('-\\n')"
    made = start(tmp_path, body)
    runs = [threading.Thread(target=child_run.run, args=(made, config)) for _ in range(20)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert log.read_text().split() == ["+", "-"] * 20


def test_the_child_of_a_killed_worker_is_ended_by_the_next(config: str) -> None:
    left = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"], start_new_session=True)
    note = Path(config, "memory-hooks", child_run.NOTE)
    note.parent.mkdir()
    note.write_text(json.dumps({"pid": left.pid, "started": child_run._started(left.pid)}))
    assert child_run.end_left_over(config)
    assert left.wait(10) == -9 and not note.exists()


@pytest.mark.parametrize("noted", [{"started": 1.5}, {}, {"started": None}])
def test_a_stranger_who_got_the_number_is_left_alone(config: str, noted: dict[str, object]) -> None:
    stranger = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"], start_new_session=True)
    note = Path(config, "memory-hooks", child_run.NOTE)
    note.parent.mkdir()
    note.write_text(json.dumps({"pid": stranger.pid, **noted}))
    try:
        assert not child_run.end_left_over(config)
        assert stranger.poll() is None and not note.exists()
    finally:
        stranger.kill()
        stranger.wait()
