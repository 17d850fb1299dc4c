"""How an allowed command is started: its fixed binary, its bare environment, its limits, bubblewrap where it works.

Req: B4. Nothing here decides what may run; see `commands`.
"""

from __future__ import annotations

import functools
import os
import resource
import stat
import subprocess
from collections.abc import Mapping, Sequence

FOLDERS = ("/usr/bin", "/bin", "/usr/local/bin")
ENVIRONMENT: Mapping[str, str] = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MEMORY_HOOKS_CHILD": "1"}
CPU_SECONDS = 10
MEMORY_BYTES = 2 << 30
OPEN_FILES = 128
LIMITS = (
    (resource.RLIMIT_CPU, CPU_SECONDS),
    (resource.RLIMIT_AS, MEMORY_BYTES),
    (resource.RLIMIT_NOFILE, OPEN_FILES),
    # No file can grow, and no core file be left, even by a program that meant to.
    (resource.RLIMIT_FSIZE, 0),
    (resource.RLIMIT_CORE, 0),
)
PROBE_SECONDS = 5.0
SYSTEM_FOLDERS = ("/usr", "/bin", "/lib", "/lib64", "/etc/alternatives", "/etc/passwd", "/etc/group", "/etc/localtime")


def binary(name: str, folders: Sequence[str] = FOLDERS) -> str:
    """The absolute path of a command's binary, "" when there is none that only root can change."""
    for folder in folders:
        path = os.path.join(folder, name)
        try:
            found = os.stat(path)
        except OSError:
            continue
        if stat.S_ISREG(found.st_mode) and found.st_uid == 0 and not found.st_mode & 0o022 and os.access(path, os.X_OK):
            return path
    return ""


def limit() -> None:
    """Bound this process, for good; called in the child before its program starts."""
    for kind, most in LIMITS:
        hard = resource.getrlimit(kind)[1]
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (bound, bound))


@functools.lru_cache(maxsize=1)
def bubblewrap() -> str:
    """The path of a bubblewrap that works here, else "". Tried once: it may be installed and yet be forbidden."""
    path = binary("bwrap")
    if not path:
        return ""
    try:
        probe = subprocess.run(
            [path, *_walls(()), "--", "/usr/bin/true"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=dict(ENVIRONMENT),
            timeout=PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return path if probe.returncode == 0 else ""


def wrapped(argv: Sequence[str], roots: Sequence[str], folder: str, wrapper: str) -> list[str]:
    """The argument list to start: the same one, in a view of the disk that holds the roots and can change nothing."""
    return [wrapper, *_walls(roots), "--chdir", folder, "--", *argv]


def _walls(roots: Sequence[str]) -> list[str]:
    arguments = ["--unshare-all", "--die-with-parent", "--new-session", "--proc", "/proc", "--dev", "/dev"]
    for folder in SYSTEM_FOLDERS:
        arguments += ["--ro-bind-try", folder, folder]
    for root in roots:
        arguments += ["--ro-bind-try", root, root]
    return arguments
