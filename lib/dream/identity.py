"""Which process a PID means: a number is reused, the number with its start time is not. Req: G2."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LARGEST = 2**31 - 1  # beyond it a number is no PID of any system
_NO_TIME = "unknown"


def own() -> dict[str, object]:
    """What tells this process from every other one, on this machine and on those that share its files."""
    pid = os.getpid()
    return {"pid": pid, "start": started(pid) or _NO_TIME, "boot": _boot(), "machine": _machine()}


def parse(text: str) -> int | None:
    """The PID that a lock file's text states, None for whatever else it holds (0 and -1 would mean groups)."""
    word = text.strip()
    if not (word.isascii() and word.isdigit() and len(word) <= 10):
        return None
    return int(word) if 0 < int(word) <= LARGEST else None


def alive(known: Mapping[str, object]) -> bool | None:
    """Whether the process that `own` once described still runs; None when it ran where we cannot see it."""
    if known.get("machine") != _machine():
        return None
    if known.get("boot") != _boot():
        return False
    pid = known.get("pid")
    now = started(pid) if isinstance(pid, int) else ""
    return bool(now) and (known.get("start") == now or _NO_TIME in (known.get("start"), now))


def started(pid: int) -> str:
    """When a running process was started, in its system's own unit; "" when none runs. A zombie does not run."""
    if not 0 < pid <= LARGEST:
        return ""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read(4096).rpartition(b")")[2].split()
        return "" if fields[0] in (b"Z", b"X") else fields[19].decode("ascii")
    except (FileNotFoundError, ProcessLookupError, NotADirectoryError):
        return "" if os.path.exists("/proc/self/stat") else _elsewhere(pid)
    except (OSError, IndexError, ValueError):
        return _elsewhere(pid)


def _elsewhere(pid: int) -> str:
    """The same for systems without /proc; without psutil only that it runs is known."""
    try:
        import psutil
    except ImportError:
        return _NO_TIME if _signalled(pid) else ""
    try:
        process = psutil.Process(pid)
        return "" if process.status() == psutil.STATUS_ZOMBIE else repr(process.create_time())
    except psutil.NoSuchProcess:
        return ""
    except psutil.Error:
        return _NO_TIME


def _signalled(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _boot() -> str:
    try:
        with open("/proc/sys/kernel/random/boot_id", "rb") as file:
            return file.read(64).decode("ascii", "replace").strip()
    except OSError:
        return ""


def _machine() -> str:
    """The machine and, in containers, the PID numbering: what lies behind another one cannot be judged."""
    try:
        numbering = os.readlink("/proc/self/ns/pid")
    except OSError:
        numbering = ""
    return f"{os.uname().nodename if hasattr(os, 'uname') else os.environ.get('COMPUTERNAME', '')} {numbering}".strip()
