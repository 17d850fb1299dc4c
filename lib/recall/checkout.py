"""A project's checkout, looked at without a process: what is tracked, what branches there are, what files say.

Nothing outside of the checkout is opened but git's own folder, and no link is followed out of it. Each answer is True,
False, or None where it cannot be known in time. Req: J5.
"""

from __future__ import annotations

import os
import time

INDEX_LIMIT = 16_000_000  # bytes of git's index
FILE_LIMIT = 400_000  # bytes of a file that is searched
REFS_LIMIT = 2_000_000
POINTER_LIMIT = 4_096
MANIFESTS = (
    "package.json", "pyproject.toml", "requirements.txt", "setup.py", "setup.cfg", "Pipfile", "Cargo.toml", "go.mod",
    "Gemfile", "composer.json", "pom.xml", "build.gradle", "build.gradle.kts", "pubspec.yaml", "deno.json",
)  # fmt: skip
_SKIPPED = frozenset(b"node_modules .git .venv venv target dist build __pycache__ .next coverage vendor".split())
_BINARY = (
    b".png", b".jpg", b".jpeg", b".gif", b".ico", b".pdf", b".zip", b".gz", b".woff", b".woff2", b".ttf", b".mp4",
    b".lock", b"-lock.json", b"-lock.yaml", b".svg", b".map", b".min.js",
)  # fmt: skip
_LETTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")


class Checkout:
    """One working tree; `until` is the monotonic time after which nothing more is looked up."""

    def __init__(self, root: str, until: float) -> None:
        self.root = os.path.realpath(root)
        self.until = until
        self._git: str | None = None
        self._index: bytes | None = None
        self._walked: list[bytes] | None = None
        self._whole = False
        self._texts: list[bytes] = []  # files read so far
        self._left: list[bytes] | None = None  # files not read yet

    @property
    def late(self) -> bool:
        return time.monotonic() > self.until

    @property
    def git(self) -> str:
        """Git's folder of this working tree, "" when there is none."""
        if self._git is None:
            marker = os.path.join(self.root, ".git")
            self._git = marker if os.path.isdir(marker) else self._pointed(marker)
        return self._git

    def _pointed(self, marker: str) -> str:
        line = _read(marker, POINTER_LIMIT).partition(b"\n")[0].strip()
        if not line.startswith(b"gitdir:"):
            return ""
        folder = os.path.join(self.root, os.fsdecode(line[len(b"gitdir:") :].strip()))
        return folder if "\0" not in folder and os.path.isfile(os.path.join(folder, "HEAD")) else ""

    def mark(self) -> str:
        """What changes with each commit, checkout or staging, as text; costs two looks."""
        if not self.git:
            return self.root
        try:
            index = os.stat(os.path.join(self.git, "index"))
        except OSError:
            return self.root
        head = _read(os.path.join(self.git, "HEAD"), POINTER_LIMIT)
        return f"{self.root}\n{index.st_mtime_ns}/{index.st_size}\n{head!r}"

    def inside(self, path: str) -> str:
        """The physical path of a relative one, or "" when it leads out of the checkout."""
        full = os.path.join(self.root, path)
        folder = os.path.realpath(os.path.dirname(full.rstrip("/")))
        if folder != self.root and not folder.startswith(self.root.rstrip(os.sep) + os.sep):
            return ""
        return os.path.join(folder, os.path.basename(full.rstrip("/")))

    def exists(self, path: str) -> bool | None:
        """Whether a file or folder is there: at this place, or at the end of a longer path of the project."""
        full = self.inside(path)
        if not full:
            return None
        if os.path.lexists(full):
            return True
        end = b"/" + os.fsencode(path.rstrip("/"))
        tracked = self.tracked()
        if tracked and end + (b"/" if path.endswith("/") else b"\0") in tracked:
            return True
        if tracked and "/" in path.rstrip("/"):
            return False
        folder = end + b"/"
        found = any(name.endswith(end) or (path.endswith("/") and folder in b"/" + name) for name in self._files())
        return found or (False if self._whole else None)

    def lines(self, path: str) -> int | None:
        """How many lines a file of the checkout has, None when it is none or too large."""
        full = self.inside(path)
        data = _read(full, FILE_LIMIT + 1) if full else b""
        return None if not data or len(data) > FILE_LIMIT else data.count(b"\n") + (not data.endswith(b"\n"))

    def branch(self, name: str) -> bool | None:
        """Whether git knows a branch of this name, here or at a remote."""
        if not self.git:
            return None
        common = os.fsdecode(_read(os.path.join(self.git, "commondir"), POINTER_LIMIT).strip())
        base = os.path.join(self.git, common) if common and "\0" not in common else self.git
        heads, remotes = os.path.join(base, "refs", "heads"), os.path.join(base, "refs", "remotes")
        places = [heads, remotes, *(os.path.join(remotes, remote) for remote in _names(remotes))]
        if any(os.path.isfile(os.path.join(place, name)) for place in places):
            return True
        ref = os.fsencode(name)
        if _read(os.path.join(self.git, "HEAD"), POINTER_LIMIT).strip() == b"ref: refs/heads/" + ref:
            return True
        packed = _read(os.path.join(base, "packed-refs"), REFS_LIMIT + 1)
        if len(packed) > REFS_LIMIT or os.path.isdir(os.path.join(base, "reftable")):
            return None
        rows = packed.split(b"\n")
        found = b"refs/heads/" + ref
        return any(row.endswith(found) or (b"refs/remotes/" in row and row.endswith(b"/" + ref)) for row in rows)

    def depends(self, package: str) -> bool | None:
        """Whether a list of dependencies names the package; None when there is no such list."""
        wanted, known = os.fsencode(package).lower(), False
        for name in MANIFESTS:
            data = _read(os.path.join(self.root, name), FILE_LIMIT)
            known = known or bool(data)
            if wanted in data.lower():
                return True
        tracked = self.tracked()
        # A repository of several packages has lists that are not read here.
        several = any(b"/" + name.encode() + b"\0" in tracked for name in MANIFESTS)
        return False if known and not several else None

    def says(self, word: str) -> bool | None:
        """Whether a file of the project holds the word as a whole; None when not all could be read in time."""
        wanted = os.fsencode(word)
        if any(_holds(data, wanted) for data in self._texts):
            return True
        if self._left is None:
            self._left = [name for name in self._files() if not name.lower().endswith(_BINARY)]
        while self._left:
            if self.late:
                return None
            name = os.fsdecode(self._left.pop())
            data = _read(os.path.join(self.root, name), FILE_LIMIT + 1)
            self._whole = self._whole and len(data) <= FILE_LIMIT
            self._texts.append(data)
            if _holds(data, wanted):
                return True
        return False if self._whole and self._texts else None

    def file_says(self, path: str, word: str) -> bool | None:
        """The same for one file."""
        full = self.inside(path)
        data = _read(full, FILE_LIMIT + 1) if full else b""
        return None if not data or len(data) > FILE_LIMIT else _holds(data, os.fsencode(word))

    def tracked(self) -> bytes:
        """Git's index, b"" when there is none or its names are not written out."""
        if self._index is None:
            raw = _read(os.path.join(self.git, "index"), INDEX_LIMIT + 1) if self.git else b""
            plain = raw[:4] == b"DIRC" and raw[4:8] in (b"\0\0\0\2", b"\0\0\0\3") and len(raw) <= INDEX_LIMIT
            self._index = raw if plain else b""
        return self._index

    def _files(self) -> list[bytes]:
        """The files on disk, tracked or not, relative to the root; `_whole` tells whether all were seen in time."""
        if self._walked is not None:
            return self._walked
        found: list[bytes] = []
        folders = [b""]
        root = os.fsencode(self.root)
        while folders and not self.late:
            folder = folders.pop()
            try:
                with os.scandir(os.path.join(root, folder)) as listing:
                    for item in listing:
                        name = os.path.join(folder, item.name)
                        if item.is_dir(follow_symlinks=False):
                            if item.name not in _SKIPPED:
                                folders.append(name)
                        elif item.is_file(follow_symlinks=False):
                            found.append(name)
            except OSError:
                continue
        self._whole = not folders
        self._walked = found
        return found


def _holds(data: bytes, word: bytes) -> bool:
    at = data.find(word)
    while at >= 0:
        end = at + len(word)
        before, after = data[at - 1 : at] if at else b"", data[end : end + 1]
        if not (before and before[0] in _LETTERS) and not (after and after[0] in _LETTERS):
            return True
        at = data.find(word, at + 1)
    return False


def _read(path: str, limit: int) -> bytes:
    """A regular file's first bytes, b"" for anything else; no link at its end is followed, nothing is waited for."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return b""
    try:
        if (os.fstat(descriptor).st_mode & 0o170000) != 0o100000:
            return b""
        return os.read(descriptor, limit)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))[:50]
    except OSError:
        return []
