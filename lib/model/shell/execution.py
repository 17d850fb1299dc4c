"""Running pipelines without a shell: the argument lists that were checked, and nothing else. Req: B4.

No stdin, a bare environment, a session of its own for each process, limits, a deadline and a cap on the output.
"""

from __future__ import annotations

import os
import select
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass

from lib.model.shell import jail as shell_jail
from lib.model.shell.syntax import Argv, Pipeline, Pipelines

TICK = 0.02
NOT_FOUND = 127


@dataclass(frozen=True)
class Ran:
    """What a command line gave: its output, its exit status as a shell would report it, and why it was ended, or ""."""

    status: int
    stdout: bytes
    stderr: bytes
    problem: str = ""


class _Output:
    """Both output pipes of a run, read as they fill; `over` once more came than is allowed."""

    def __init__(self, cap: int) -> None:
        self._cap = cap
        self._selector = selectors.DefaultSelector()
        self.ends: list[int] = []
        self.data = (bytearray(), bytearray())
        for number in (0, 1):
            reading, writing = os.pipe()
            os.set_blocking(reading, False)
            self._selector.register(reading, selectors.EVENT_READ, number)
            self.ends.append(writing)

    @property
    def over(self) -> bool:
        return len(self.data[0]) + len(self.data[1]) > self._cap

    def read(self, seconds: float) -> bool:
        """Take what is there, waiting at most so long; False when nothing came."""
        ready = self._selector.select(seconds)
        for key, _ in ready:
            try:
                self.data[key.data].extend(os.read(key.fd, 1 << 16))
            except BlockingIOError:
                continue
        return bool(ready)

    def close(self) -> None:
        for key in list(self._selector.get_map().values()):
            os.close(key.fd)
        for end in self.ends:
            os.close(end)
        self._selector.close()


def execute(pipelines: Pipelines, *, folder: str, roots: Sequence[str], seconds: float, cap: int) -> Ran:
    """Run resolved pipelines one after the other as their connectors say; ends them all at the deadline or the cap."""
    end, status = time.monotonic() + seconds, 0
    output = _Output(cap)
    problem = ""
    try:
        for pipeline in pipelines:
            if (pipeline.after == "&&" and status != 0) or (pipeline.after == "||" and status == 0):
                continue
            status, problem = _pipeline(pipeline, folder, roots, output, end)
            if problem:
                break
        return Ran(status, bytes(output.data[0]), bytes(output.data[1]), problem)
    finally:
        output.close()


def _pipeline(pipeline: Pipeline, folder: str, roots: Sequence[str], output: _Output, end: float) -> tuple[int, str]:
    processes: list[subprocess.Popen[bytes]] = []
    status, source = 0, -1
    try:
        for index, argv in enumerate(pipeline):
            following = os.pipe() if index < len(pipeline) - 1 else (-1, output.ends[0])
            process = _start(argv, folder, roots, source, following[1], output.ends[1])
            status = 0 if process else NOT_FOUND
            if process:
                processes.append(process)
            _close(source)
            if index < len(pipeline) - 1:
                _close(following[1])
            source = following[0]
        problem = _drain(processes, output, end)
        if processes and status != NOT_FOUND and not problem:
            code = processes[-1].wait()
            status = code if code >= 0 else 128 - code
        return status, problem
    finally:
        _close(source)
        for process in processes:
            _end(process)


def _start(
    argv: Argv, folder: str, roots: Sequence[str], source: int, out: int, err: int
) -> subprocess.Popen[bytes] | None:
    """Start one stage; None, with a line on its stderr, when its binary is not here."""
    nowhere = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    try:
        for redirection in argv.redirections:
            if redirection == "2>&1":
                err = out
            elif redirection == "2>/dev/null":
                err = nowhere
            else:
                out = nowhere
        path = shell_jail.binary(argv[0])
        if not path:
            _say(err, f"{argv[0]}: not installed here\n")
            return None
        wrapper = shell_jail.bubblewrap()
        return subprocess.Popen(
            # Without bubblewrap the program is told its plain name, as a shell would tell it.
            shell_jail.wrapped([path, *argv[1:]], roots, folder, wrapper) if wrapper else argv,
            executable=wrapper or path,
            stdin=source if source >= 0 else nowhere,
            stdout=out,
            stderr=err,
            cwd=folder,
            env=dict(shell_jail.ENVIRONMENT),
            start_new_session=True,
            # Limits hold from the first instruction on, for what bubblewrap starts too. The function only makes
            # system calls, so it is safe in a child of a process with threads.
            preexec_fn=shell_jail.limit,
        )
    except (OSError, subprocess.SubprocessError) as error:
        _say(err, f"{argv[0]}: could not be started ({getattr(error, 'strerror', None) or 'its limits'})\n")
        return None
    finally:
        os.close(nowhere)


def _say(descriptor: int, line: str) -> None:
    # A full pipe would hold us up: nobody reads it while the next stage is being started.
    if select.select([], [descriptor], [], 0)[1]:
        os.write(descriptor, line.encode())


def _drain(processes: Sequence[subprocess.Popen[bytes]], output: _Output, end: float) -> str:
    """Read until every process has ended; the reason when they had to be ended."""
    while any(process.poll() is None for process in processes):
        output.read(TICK)
        if output.over:
            return "it printed too much"
        if time.monotonic() > end:
            return "it took too long"
    while output.read(0):
        if output.over:
            return "it printed too much"
    return ""


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and whatever it started: it leads a group of its own, and its id is not free before wait()."""
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            process.kill()
    process.wait()


def _close(descriptor: int) -> None:
    if descriptor >= 0:
        os.close(descriptor)
