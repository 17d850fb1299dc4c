"""Fails a test that writes outside the temporary folder or the repository's ignored folders.

An audit hook sees every open for writing, rename, removal and folder made in this process; the write is refused
and the test that tried it fails even when it swallowed the error. Processes that a test starts are not seen: for
them HOME and CLAUDE_CONFIG_DIR point into the temporary folder.
"""
from __future__ import annotations

import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

IGNORED = (".venv", "tests/.venv", "tests/.clients", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis")
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# event -> positions of the paths in its arguments, each with the position of its folder descriptor (or -1)
PATHS = {
    "os.mkdir": ((0, 2),),
    "os.rmdir": ((0, 1),),
    "os.remove": ((0, 1),),
    "os.truncate": ((0, -1),),
    "os.rename": ((0, 2), (1, 3)),
    "os.link": ((1, 3),),
    "os.symlink": ((1, 2),),
}


class OutsideWrite(PermissionError):
    """A test tried to write where tests have no business; the message is the path."""


class WriteGuard:
    """Judges paths; `repository` and `temporary` are the two places it knows. Off until `armed` is set."""

    def __init__(self, repository: str, temporary: list[str]) -> None:
        self.repository = os.path.realpath(repository)
        self.temporary = [os.path.realpath(place) for place in temporary]
        self.seen: list[str] = []
        self.armed = False
        # os.open's audit event does not name the folder descriptor that its path is relative to.
        self.folder = threading.local()

    def allowed(self, path: str) -> bool:
        """True for the temporary folder, the repository's ignored folders, byte-code caches and devices."""
        place = os.path.realpath(path)
        if "__pycache__" in place.split(os.sep) or _inside(place, "/dev") or _inside(place, "/proc"):
            return True
        if _inside(place, self.repository):
            return any(_inside(place, os.path.join(self.repository, folder)) for folder in IGNORED)
        return any(_inside(place, folder) for folder in self.temporary)

    def judge(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.armed:
            return
        if event == "open":
            if _for_writing(arguments[1], arguments[2]):
                self._refuse_outside(arguments[0], getattr(self.folder, "descriptor", None))
        elif event in PATHS:
            for at, descriptor_at in PATHS[event]:
                self._refuse_outside(arguments[at], arguments[descriptor_at] if descriptor_at >= 0 else None)

    def _refuse_outside(self, path: object, descriptor: object) -> None:
        if isinstance(path, int) or path is None:
            return
        name = os.fsdecode(path)  # type: ignore[arg-type]
        if isinstance(descriptor, int) and descriptor >= 0 and not os.path.isabs(name):
            try:
                name = os.path.join(os.readlink(f"/proc/self/fd/{descriptor}"), name)
            except OSError:
                return
        if not self.allowed(name):
            self.seen.append(name)
            raise OutsideWrite(f"a test may not write here: {name}")


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _for_writing(mode: object, flags: object) -> bool:
    if isinstance(mode, str):
        return any(letter in mode for letter in "wax+")
    return isinstance(flags, int) and bool(flags & WRITES)


def _remember_folder(guard: WriteGuard, real_open: Callable[..., int]) -> Callable[..., int]:
    def opened(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        guard.folder.descriptor = dir_fd
        try:
            return real_open(path, flags, mode, dir_fd=dir_fd)
        finally:
            guard.folder.descriptor = None

    return opened


def pytest_configure(config: pytest.Config) -> None:
    guard = WriteGuard(str(config.rootpath), [tempfile.gettempdir()])
    config.stash[GUARD] = guard
    sys.addaudithook(guard.judge)
    os.open = _remember_folder(guard, os.open)
    os.supports_dir_fd.add(os.open)  # else the product takes this for a system without folder descriptors


GUARD = pytest.StashKey[WriteGuard]()


@pytest.fixture(autouse=True)
def writes_stay_inside(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    guard = request.config.stash[GUARD]
    base = os.path.realpath(tmp_path_factory.getbasetemp())
    if base not in guard.temporary:
        guard.temporary.append(base)
    guard.seen.clear()
    guard.armed = True
    try:
        yield
    finally:
        guard.armed = False
    if guard.seen:
        pytest.fail("wrote outside the temporary folder: " + ", ".join(dict.fromkeys(guard.seen)), pytrace=False)
