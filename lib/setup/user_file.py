"""Reading and replacing a file that belongs to the person: whole or not at all, links and mode kept.

Not `lib/memory/files.py`: that one refuses links on purpose, while a person's settings file is often a link into a
folder under version control, and must stay one. Req: I2, J7.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass

from lib.setup.problems import FileProblem

BOM = b"\xef\xbb\xbf"
RETRIES = 8  # on Windows a virus scanner or the client holds the file for milliseconds
_BEFORE, _BEHIND = ".settings-", ".tmp"  # around the name of a temporary file
_LEFT = 600.0  # seconds after which nobody is still writing one
_UTF16 = (b"\xff\xfe", b"\xfe\xff")

Replace = Callable[[str, str], None]


@dataclass(frozen=True)
class UserFile:
    """What was read: `target` is the file behind any links, `data` None when there is none."""

    path: str
    target: str
    data: bytes | None

    @property
    def bom(self) -> bool:
        return bool(self.data and self.data.startswith(BOM))

    @property
    def text(self) -> str:
        """The content without a byte order mark; raises FileProblem when it is not UTF-8."""
        data = self.data or b""
        if data.startswith(_UTF16):
            raise FileProblem(f"{self.path} is UTF-16 text; save it as UTF-8 and run this again")
        data = data.removeprefix(BOM)
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            column = error.start - data.rfind(b"\n", 0, error.start)
            raise FileProblem(
                f"{self.path}, line {line}, byte {column}: {data[error.start : error.start + 1]!r} is not UTF-8"
            ) from None


def read(path: str) -> UserFile:
    """The file as it is; a missing one has no data. Raises FileProblem when it is no regular file or not readable."""
    try:
        target = os.path.realpath(path)
        if os.path.islink(target):
            raise FileProblem(f"{path} is a link that leads back to itself; mend the link")
        if not os.path.lexists(target):
            return UserFile(path, target, None)
        if not stat.S_ISREG(os.stat(target).st_mode):
            raise FileProblem(f"{path} is no regular file; move it away")
        with open(target, "rb") as file:
            return UserFile(path, target, file.read())
    except OSError as error:
        raise FileProblem(f"{path} cannot be read: {error.strerror or error}") from None


def write(was: UserFile, data: bytes | None, replace: Replace = os.replace) -> None:
    """Put `data` in the place of what was read, or take the file away with None.

    The old file stays whole until the new one is on the disk; mode and owner are kept; nothing else is left behind.
    Raises FileProblem, also when somebody wrote the file since it was read.
    """
    try:
        if data is None:
            _still(was)
            os.remove(was.target)
            return
        folder = os.path.dirname(was.target)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        _sweep(folder)
        descriptor, temporary = tempfile.mkstemp(prefix=_BEFORE, suffix=_BEHIND, dir=folder)
        try:
            with open(descriptor, "wb") as file:
                file.write(data)
                _keep_mode_and_owner(was, temporary)
                file.flush()
                os.fsync(file.fileno())
            _still(was)
            _patiently(replace, temporary, was.target)
        finally:
            with contextlib.suppress(FileNotFoundError):  # which is so when it has become the target
                os.remove(temporary)
    except OSError as error:
        raise FileProblem(f"{was.path} cannot be written: {error.strerror or error}; nothing was changed") from None


def _sweep(folder: str) -> None:
    """Remove what a killed run left beside the file; a younger one may be another run's that goes on now."""
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if name.startswith(_BEFORE) and name.endswith(_BEHIND) and os.stat(path).st_mtime < time.time() - _LEFT:
            os.remove(path)


def _still(was: UserFile) -> None:
    if read(was.path) != was:
        raise FileProblem(f"{was.path} was changed by another program just now; run this again")


def _keep_mode_and_owner(was: UserFile, temporary: str) -> None:
    if was.data is None:
        return
    old = os.stat(was.target)
    mine = os.stat(temporary)
    if hasattr(os, "chown") and (old.st_uid, old.st_gid) != (mine.st_uid, mine.st_gid):
        with contextlib.suppress(PermissionError):  # only root may give a file to its former owner
            os.chown(temporary, old.st_uid, old.st_gid)
    os.chmod(temporary, stat.S_IMODE(old.st_mode))


def _patiently(replace: Replace, source: str, target: str, pause: Callable[[float], None] = time.sleep) -> None:
    for attempt in range(RETRIES):
        try:
            return replace(source, target)
        except PermissionError as error:
            # 5, 32, 33: denied, shared, locked. Anywhere else a refusal is final.
            passing = sys.platform == "win32" or getattr(error, "winerror", None) in (5, 32, 33)
            if not passing or attempt == RETRIES - 1:
                raise
            pause(0.01 * 2**attempt)
