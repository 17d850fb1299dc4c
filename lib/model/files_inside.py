"""Reading and walking below a root without ever leaving it, whatever is swapped for a link meanwhile. Req: B4."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

SKIPPED_FOLDERS = frozenset(
    [".git", ".hg", ".svn", "node_modules", ".venv", "venv", "__pycache__", ".mypy_cache", ".tox", ".cache"]
)
MAX_ENTRIES = 20_000
MAX_DEPTH = 24


def read_inside(root: str, relative: str, limit: int) -> bytes:
    """At most `limit` bytes of a regular file below `root`, opened folder by folder with no link followed.

    Raises OSError: a link, a pipe or a folder in the way is one too. Never blocks.
    """
    parts = [part for part in relative.split(os.sep) if part]
    if not parts or ".." in parts:
        raise IsADirectoryError(21, "Is a folder", relative)
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            below = os.open(part, flags | os.O_DIRECTORY, dir_fd=folder)
            os.close(folder)
            folder = below
        handle = os.open(parts[-1], flags | os.O_NONBLOCK, dir_fd=folder)
    finally:
        os.close(folder)
    with os.fdopen(handle, "rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(21, "Is a folder", relative)
        if not stat.S_ISREG(mode):
            raise OSError(22, "Not a regular file", relative)
        return file.read(limit)


def walk(start: str) -> Iterator[str]:
    """Regular files at or below `start` (a physical path), in a stable order; links are neither followed nor named.

    Stops after MAX_ENTRIES entries; folders of version control, dependencies and caches are skipped.
    """
    if not os.path.isdir(start):
        if os.path.isfile(start) and not os.path.islink(start):
            yield start
        return
    left = MAX_ENTRIES
    waiting = [(start, 0)]
    while waiting and left > 0:
        folder, depth = waiting.pop()
        try:
            with os.scandir(folder) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError:
            continue
        left -= len(entries)
        below: list[tuple[str, int]] = []
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in SKIPPED_FOLDERS and depth < MAX_DEPTH:
                    below.append((entry.path, depth + 1))
            elif entry.is_file(follow_symlinks=False):
                yield entry.path
        waiting += reversed(below)
