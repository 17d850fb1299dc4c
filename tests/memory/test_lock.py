"""One writer at a time, waited for with patience, freed by the kernel when its holder dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from lib.memory import lock

ROOT = Path(__file__).resolve().parents[2]
HOLD = f"""
import sys; sys.path.insert(0, {str(ROOT)!r})
from lib.memory import lock
with lock.held(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(directory: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", HOLD, str(directory)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    return process


def test_the_second_writer_gives_up_in_a_sentence_and_gets_in_when_the_first_is_done(tmp_path: Path) -> None:
    with lock.held(str(tmp_path)):
        with pytest.raises(TimeoutError, match=f"another process has been writing {tmp_path} for more than 0.02 s"):
            with lock.held(str(tmp_path), patience=0.02):
                raise AssertionError("two writers")
        assert lock.acquire(str(tmp_path / lock.NAME)) is None
    with lock.held(str(tmp_path), patience=0.0):
        assert lock.acquire(str(tmp_path / lock.NAME)) is None


def test_a_writer_that_waits_gets_in_as_soon_as_the_other_is_done(tmp_path: Path) -> None:
    order: list[str] = []

    def wait() -> None:
        with lock.held(str(tmp_path), patience=20):
            order.append("second")

    with lock.held(str(tmp_path)):
        thread = threading.Thread(target=wait)
        thread.start()
        thread.join(0.05)
        order.append("first")
    thread.join(20)
    assert order == ["first", "second"]


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        assert lock.acquire(str(tmp_path / lock.NAME)) is None
        process.send_signal(signal.SIGKILL)
        process.wait()
        with lock.held(str(tmp_path), patience=0.0):
            assert (tmp_path / lock.NAME).exists()


def test_an_error_inside_frees_the_lock(tmp_path: Path) -> None:
    with pytest.raises(KeyError), lock.held(str(tmp_path)):
        raise KeyError
    with lock.held(str(tmp_path), patience=0.0):
        assert (tmp_path / lock.NAME).read_bytes() == b""


def test_the_file_stays_so_that_nobody_locks_one_that_was_removed(tmp_path: Path) -> None:
    with lock.held(str(tmp_path)):
        before = os.stat(tmp_path / lock.NAME).st_ino
    with lock.held(str(tmp_path)):
        assert os.stat(tmp_path / lock.NAME).st_ino == before


def test_a_directory_that_does_not_exist_yet_is_made_for_its_owner(tmp_path: Path) -> None:
    with lock.held(str(tmp_path / "m")):
        assert (tmp_path / "m").stat().st_mode & 0o777 == 0o700


def test_a_link_in_the_locks_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / lock.NAME).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError), lock.held(str(tmp_path)):
        raise AssertionError("locked a stranger's file")
    assert not (tmp_path / "elsewhere").exists()


def test_a_child_that_is_started_meanwhile_does_not_keep_the_lock(tmp_path: Path) -> None:
    with lock.held(str(tmp_path)):
        child = subprocess.Popen([sys.executable, "-I", "-S", "-c", "input()"], stdin=subprocess.PIPE, close_fds=False)
    with child, lock.held(str(tmp_path), patience=1.0):
        assert child.poll() is None
        child.kill()
