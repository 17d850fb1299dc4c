"""Faults that the kernel injects at a program's system calls, by strace: what is seen in no Python function as well."""
from __future__ import annotations

import collections
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

# What each call may meet; a disk that is full stays full ("+"), so does a process without free descriptors.
FAULTS: Mapping[str, tuple[str, ...]] = {
    "write": ("KILL", "ENOSPC+", "EIO"), "pwrite64": ("KILL", "ENOSPC+", "EIO"), "fsync": ("KILL", "EIO"),
    "fdatasync": ("KILL", "EIO"), "openat": ("KILL", "EMFILE+", "EACCES"), "rename": ("KILL", "ENOSPC", "EACCES"),
    "renameat": ("KILL", "ENOSPC", "EACCES"), "unlink": ("KILL", "EACCES"), "unlinkat": ("KILL", "EACCES"),
    "mkdir": ("KILL", "ENOSPC", "EACCES"), "mkdirat": ("KILL", "ENOSPC", "EACCES"), "flock": ("KILL", "EIO"),
    "ftruncate": ("KILL", "EIO"), "utimensat": ("KILL", "EACCES"), "clone": ("KILL", "EAGAIN"),
    "vfork": ("KILL", "EAGAIN"), "execve": ("EACCES", "ENOMEM"), "pipe2": ("KILL", "EMFILE"),
    "dup2": ("KILL", "EMFILE"),
    "getdents64": ("EIO",), "read": ("EIO",), "link": ("KILL", "EACCES"),
}  # fmt: skip
PROGRAM = shutil.which("strace") or "strace"  # by its path: a machine may have no programs at all
MISSING = "strace is not here, or may not trace: the faults that the kernel injects are left out"
_CALL = re.compile(r"(\d+) +(\w+)\((.*)")


def possible() -> bool:
    """Whether strace is here and may trace."""
    if shutil.which("strace") is None:
        return False
    return subprocess.run([*_strace(False), "-e", "trace=write", "true"], capture_output=True).returncode == 0


def _strace(follow: bool) -> list[str]:
    # -o: what strace has to say is nobody's stderr.
    return [PROGRAM, "-qq", *(("-f", "--seccomp-bpf") if follow else ()), "-o", os.devnull]


def recording(command: Sequence[str], record: Path, *, follow: bool) -> list[str]:
    """The command that writes down the system calls of `command`, its children's too when they are to be followed."""
    return [PROGRAM, "-qq", "-f", "-o", str(record), "-e", f"trace={','.join(FAULTS)}", *command]


def points(record: str, script: str, *, follow: bool) -> list[tuple[str, str, int]]:
    """(call, fault, which use of it by a process) from the script's own opening on; before it nothing is ours."""
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    first: dict[str, int] = {}
    begun, main = False, ""
    for line in record.split("\n"):
        match = _CALL.match(line)
        if not match:
            continue
        pid, call, rest = match.groups()
        main = main or pid
        if not follow and pid != main:
            continue
        counts[pid][call] += 1
        if not begun:
            begun = call == "openat" and f'"{script}"' in rest
            if begun:
                # The second opening is the one whose text is run; both are the interpreter's.
                first = {name: counts[pid][name] + (2 if name in ("openat", "read") else 0) for name in FAULTS}
    found = []
    for call, faults in FAULTS.items():
        most = max((counted[call] for counted in counts.values()), default=0)
        start = first.get(call, most) + 1 if not follow or call in ("openat", "read", "execve") else 1
        found += [(call, fault, number) for number in range(start, most + 1) for fault in faults]
    return found


def injecting(command: Sequence[str], call: str, fault: str, number: int, *, follow: bool) -> list[str]:
    """The command under which the `number`-th use of `call` meets the fault."""
    what = "signal=KILL" if fault == "KILL" else f"error={fault.rstrip('+')}"
    when = f"{number}+" if fault.endswith("+") else str(number)
    rule = f"inject={call}:{what}:when={when}"
    return [*_strace(follow), "-e", f"trace={call}", "-e", rule, *command]
