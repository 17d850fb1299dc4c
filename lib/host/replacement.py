"""Small files of ours, replaced as a whole: the old one or the new one stands there at every moment. Design rule 4.

For our own state; memories have lib/memory/files.py, which trusts no path.
"""

from __future__ import annotations

import os

_LEFT = 600.0  # seconds after which nobody is still writing a temporary file


def put(path: str, data: bytes) -> None:
    """Write the file, mode 0600; OSError passes through, and then nothing but the old file is left behind."""
    temp = f"{path}.{os.getpid()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    replaced = False
    try:
        descriptor = os.open(temp, flags, 0o600)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(temp, path)
        replaced = True
    finally:
        if not replaced:
            drop(temp)


def drop(path: str) -> None:
    """Remove a file that may not be there, or may not go."""
    try:
        os.unlink(path)
    except OSError:
        return


def sweep(folder: str, now: float, *, below: bool = True) -> None:
    """Remove what killed writers left in a folder of our state (and below): our temporary files, git's, its locks.

    A lock that a killed git left would stop that repository of ours for good.
    """
    for place, folders, names in os.walk(folder):
        if not below:
            folders.clear()
        for name in names:
            gits = ".git" in place and (name.startswith("tmp_") or name.endswith(".lock"))
            if gits or name.endswith(".tmp"):
                path = os.path.join(place, name)
                try:
                    left = os.stat(path, follow_symlinks=False).st_mtime < now - _LEFT
                except OSError:
                    continue
                if left:
                    drop(path)
