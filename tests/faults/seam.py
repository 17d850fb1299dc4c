"""Run one of our programs in this process with a fault at its N-th step, or write down the steps that there are.

usage: python -I [-S] seam.py RECORD FAULT NUMBER SCRIPT [ARGUMENT ...]

A step is one use of what the product reads, writes and starts with: seen by an audit hook, or by a stand-in for a
function of `os` that has no audit event. With FAULT "none" the name of each goes to RECORD, one a line. "calls" counts
calls of our functions instead (MemoryError at the N-th); "fsize" lets no file grow beyond NUMBER bytes, so that the
kernel itself cuts writes short. The product knows nothing of this: no fault can be switched on in it.
"""
from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EVENTS = {
    "open", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.utime", "os.listdir", "os.scandir", "os.truncate",
    "os.chmod", "fcntl.flock", "os.fork", "os.exec", "subprocess.Popen", "sqlite3.connect",
}  # fmt: skip
PATCHED = ("write", "fsync", "read", "stat", "fstat", "pread", "lseek", "setsid", "dup2", "chdir", "waitpid", "fchmod")
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
# A disk that is full stays full, and a process without free descriptors gets none soon; the others happen once.
LASTING = {"ENOSPC", "EMFILE"}
GROWING = {"open+", "write", "fsync", "os.mkdir", "os.rename", "os.truncate", "sqlite3.connect"}
OPENING = {"open", "open+", "import", "os.listdir", "os.scandir", "sqlite3.connect", "subprocess.Popen"}


class Seam:
    """Counts the steps and makes the one at `number` fail."""

    def __init__(self, record: int, fault: str, number: int) -> None:
        self.record, self.fault, self.left = record, fault, number
        self.broken = self.inside = False
        self.real = {name: getattr(os, name) for name in PATCHED if hasattr(os, name)}

    def step(self, name: str) -> None:
        """One step is about to be made; raises what the fault raises."""
        if self.inside:
            return
        if self.fault == "none":
            self.inside = True
            try:
                self.real["write"](self.record, f"{name}\n".encode())
            except OSError:
                pass  # the child that becomes the worker has closed it
            self.inside = False
            return
        if self.broken:
            if name in (GROWING if self.fault == "ENOSPC" else OPENING):
                self._refuse(name)
            return
        if self.left == 0:
            self.broken = self.fault in LASTING
            self.left -= 1
            self._refuse(name)
        self.left -= 1

    def _refuse(self, name: str) -> None:
        if self.fault == "KILL":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.fault == "MemoryError":
            raise MemoryError
        if self.fault != "SHORT":
            number = getattr(errno, self.fault)
            raise OSError(number, os.strerror(number), name)

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in EVENTS:
            self.step(_opened(arguments) if event == "open" else event)

    def patch(self) -> None:
        for name, real in self.real.items():
            setattr(os, name, self._stand_in(name, real))

    def _stand_in(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def called(*arguments: Any, **named: Any) -> Any:
            before = self.left
            self.step(name)
            if name == "write" and self.fault == "SHORT" and before == 0:
                return real(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
            return real(*arguments, **named)

        return called

    def trace(self, frame: FrameType, event: str, argument: object) -> None:
        """MemoryError when the N-th call of a function of ours begins."""
        if not frame.f_code.co_filename.startswith(ROOT) or frame.f_code.co_filename == __file__:
            return
        if self.fault == "none":
            self.step("call")
        elif self.left == 0:
            self.left -= 1
            sys.settrace(None)
            raise MemoryError
        else:
            self.left -= 1


def _opened(arguments: tuple[Any, ...]) -> str:
    path, mode, flags = arguments
    if isinstance(path, str) and path.endswith((".py", ".pyc")):
        return "import"
    writes = isinstance(mode, str) and any(c in mode for c in "wax+") or isinstance(flags, int) and flags & WRITES
    return "open+" if writes else "open"


def main(record: str, fault: str, number: int, script: str, arguments: list[str]) -> None:
    with open(script, "rb") as file:
        code = compile(file.read(), script, "exec")
    counted, fault = fault, {"calls": "MemoryError", "count-calls": "none"}.get(fault, fault)
    descriptor = os.open(record, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600) if fault == "none" else -1
    seam = Seam(descriptor, fault, number)
    sys.argv = [script, *arguments]
    space = {"__name__": "__main__", "__file__": script, "__builtins__": __builtins__}
    if fault == "fsize":
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (number, number))
    elif counted in ("calls", "count-calls"):
        sys.settrace(seam.trace)
    else:
        seam.patch()
        sys.addaudithook(seam.audit)
    exec(code, space)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5:])
