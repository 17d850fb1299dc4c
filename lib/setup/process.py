"""A command with a deadline, and how it ended; whatever it started ends with it when time is up."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

TIMED_OUT = -1000
NOT_STARTED = -1001


@dataclass(frozen=True)
class Ended:
    """`status` is the exit status, or TIMED_OUT or NOT_STARTED; `seconds` is wall time."""

    status: int
    out: bytes
    err: bytes
    seconds: float

    @property
    def last_words(self) -> str:
        """The line of what it said that tells most: pip's and venv's ERROR line, else the last one."""
        said = [line.strip() for line in (self.out + b"\n" + self.err).decode("utf-8", "replace").splitlines()]
        errors = [line for line in said if line.startswith(("ERROR", "Error", "error"))]
        return (errors or [line for line in said if line] or [f"exit status {self.status}"])[-1][:300]


def run(
    command: Sequence[str],
    seconds: float,
    *,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
) -> Ended:
    """Run the command for at most `seconds`; never raises for what the command does or for one that is not there."""
    started = time.monotonic()
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env,
            cwd=cwd,
            start_new_session=True,
        )
    except OSError as error:
        return Ended(NOT_STARTED, b"", f"{command[0]}: {error.strerror}".encode(), 0.0)
    try:
        out, err = process.communicate(stdin, timeout=seconds)
        status = process.returncode
    except subprocess.TimeoutExpired:
        _end(process)
        out, err = process.communicate()
        status = TIMED_OUT
    return Ended(status, out, err, time.monotonic() - started)


def _end(process: subprocess.Popen[bytes]) -> None:
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)  # its own session, so the group is this command and its children
    else:
        process.kill()
