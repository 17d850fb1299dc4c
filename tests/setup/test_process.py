from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from lib.setup import process
from lib.setup.process import Ended


def test_status_and_both_streams_come_back() -> None:
    ended = process.run(["/bin/sh", "-c", "cat; echo said >&2; exit 3"], 10, stdin=b"given")
    assert (ended.status, ended.out, ended.err) == (3, b"given", b"said\n")


def test_a_command_that_reads_nothing_is_no_error() -> None:
    assert process.run(["/bin/sh", "-c", "exit 0"], 10, stdin=b"x" * 1_000_000).status == 0


def test_a_command_that_is_not_there_is_told_not_raised() -> None:
    ended = process.run(["/nowhere/claude", "--version"], 10)
    assert (ended.status, ended.last_words) == (process.NOT_STARTED, "/nowhere/claude: No such file or directory")


def test_at_the_deadline_the_children_end_too(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    child = f"import os, time; open({str(note)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', {child!r}])"
    ended = process.run([sys.executable, "-S", "-c", parent], 2)
    assert ended.status == process.TIMED_OUT
    assert ended.seconds < 30
    if os.path.isdir("/proc"):
        end = time.monotonic() + 10  # a killed process may be a moment away from its end
        while alive(note.read_text()) and time.monotonic() < end:
            time.sleep(0.02)
        assert not alive(note.read_text())


def alive(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_the_last_words_are_the_error_line_when_there_is_one() -> None:
    assert Ended(1, b"", b"ERROR: no such package\nsee the manual\n", 0.1).last_words == "ERROR: no such package"
    assert Ended(1, b"one\ntwo\n\n", b"", 0.1).last_words == "two"
    assert Ended(7, b"", b"", 0.1).last_words == "exit status 7"
    assert len(Ended(7, b"x" * 9999, b"", 0.1).last_words) == 300
