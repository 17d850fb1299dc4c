"""Reading and writing inside the memory directory and nowhere else: by directory descriptor, no link followed.

The only module that writes memories. A check of a path followed by an open of the same path can be raced; here each
folder is opened relative to the one before, and the new file is renamed into place within that descriptor. Req: B4.
"""

from __future__ import annotations

import os
import stat

from lib.memory.names import unsafe_name

__all__ = ["READ_LIMIT", "append", "delete", "read", "sweep", "unsafe_name", "write", "write_record"]

READ_LIMIT = 65_536  # bytes of one memory that are ever looked at
_BY_DESCRIPTOR = os.open in os.supports_dir_fd and os.rename in os.supports_dir_fd
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = _NOFOLLOW | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
# A folder that is only passed through need not be readable: homes often lie in one that nobody may list.
_PASSAGE = _FOLDER | getattr(os, "O_PATH", os.O_RDONLY)


def read(directory: str, name: str, limit: int = READ_LIMIT) -> bytes:
    """At most `limit` bytes of a regular file; raises OSError for a link, a FIFO, a folder or what is not there."""
    flags = os.O_RDONLY | _NOFOLLOW | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    *folders, leaf = name.split("/")
    if leaf in ("", ".", "..") or "\0" in name or not {"", ".", ".."}.isdisjoint(folders):
        raise FileNotFoundError(f"{name!r} names no file of the memory directory")
    try:
        if folders:
            with _Folder(directory, folders, make=False) as folder:
                descriptor = folder.open(leaf, flags)
        else:
            descriptor = os.open(os.path.join(directory, leaf), flags)
    except UnicodeEncodeError as error:
        raise FileNotFoundError(f"{name!r} can be no file's name") from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"{name} is not a regular file")
        chunks: list[bytes] = []
        while limit > 0 and (chunk := os.read(descriptor, min(limit, 1 << 20))):
            chunks.append(chunk)
            limit -= len(chunk)
        return b"".join(chunks)
    finally:
        os.close(descriptor)


def write(directory: str, name: str, data: bytes) -> None:
    """Replace or create one memory as a whole: the file is the old one or the new one at every moment.

    `directory` may be a link that the person made; nothing below it may be. Raises ValueError for an unsafe name and
    OSError for everything the disk says.
    """
    _check(name)
    _replace(directory, name, data)


def write_record(directory: str, name: str, data: bytes) -> None:
    """The same for what lies beside memories and is none: a file that ends in .json."""
    _check(name.removesuffix(".json") + ".md")
    _replace(directory, name, data)


def _replace(directory: str, name: str, data: bytes) -> None:
    *folders, leaf = name.split("/")
    with _Folder(directory, folders) as folder:
        mode = folder.mode_of(leaf)
        temp = _temp(leaf)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | getattr(os, "O_CLOEXEC", 0)
        descriptor = folder.open(temp, flags, 0o600)
        try:
            try:
                _write_all(descriptor, data)
                if mode is not None and hasattr(os, "fchmod"):
                    os.fchmod(descriptor, mode)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            folder.rename(temp, leaf)
        finally:
            folder.unlink(temp)  # gone already when the rename came through
        folder.sync()


def append(directory: str, name: str, data: bytes) -> None:
    """Add whole lines to a file in one write, so that many writers at once lose nothing; a torn last line is closed.

    Raises ValueError for an unsafe name and OSError for everything the disk says, a write that was cut short included.
    """
    _check(name)
    *folders, leaf = name.split("/")
    with _Folder(directory, folders) as folder:
        folder.mode_of(leaf)
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | _NOFOLLOW | getattr(os, "O_CLOEXEC", 0)
        descriptor = folder.open(leaf, flags, 0o600)
        try:
            size = os.fstat(descriptor).st_size
            if size and os.pread(descriptor, 1, size - 1) != b"\n":
                data = b"\n" + data
            if os.write(descriptor, data) < len(data):
                raise OSError(28, os.strerror(28), name)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def delete(directory: str, name: str) -> None:
    """Remove one memory; raises FileNotFoundError when it is not there."""
    _check(name)
    *folders, leaf = name.split("/")
    with _Folder(directory, folders, make=False) as folder:
        folder.mode_of(leaf)
        folder.unlink(leaf, missing_ok=False)
        folder.sync()


def sweep(directory: str) -> None:
    """Remove temporary files that a killed writer left; call it under the directory's lock."""
    for name in os.listdir(directory):
        if _is_temp(name):
            try:
                os.unlink(os.path.join(directory, name))
            except OSError:
                continue  # harmless if it cannot go


def _make(name: str, parent: int) -> None:
    try:
        os.mkdir(name, 0o700, dir_fd=parent)
    except FileExistsError:
        return  # another process made it meanwhile


def _temp(leaf: str) -> str:
    return f".{leaf[:80]}.{os.getpid()}.{os.urandom(6).hex()}.tmp"


def _is_temp(name: str) -> bool:
    """Whether `_temp` made this name; other programs have temporary files of their own."""
    parts = name.split(".")
    return (
        len(parts) > 4 and parts[0] == "" and parts[-1] == "tmp" and parts[-3].isdecimal()
        and len(parts[-2]) == 12 and set(parts[-2]) <= set("0123456789abcdef")
    )  # fmt: skip


def _check(name: str) -> None:
    if why := unsafe_name(name):
        raise ValueError(f"{name!r}: {why}")


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


class _Folder:
    """The innermost folder of a write, held open; every operation is relative to it."""

    def __init__(self, root: str, folders: list[str], *, make: bool = True) -> None:
        root = os.path.realpath(root)
        self._path = os.path.join(root, *folders)
        self._fd = -1
        if make:
            os.makedirs(root, mode=0o700, exist_ok=True)
        if _BY_DESCRIPTOR:
            self._fd = self._walk([part for part in root.split(os.sep) if part], folders, make)
        elif make:
            os.makedirs(self._path, mode=0o700, exist_ok=True)

    def __enter__(self) -> _Folder:
        return self

    def __exit__(self, *_: object) -> None:
        if self._fd >= 0:
            os.close(self._fd)

    @staticmethod
    def _walk(above: list[str], folders: list[str], make: bool) -> int:
        descriptor = os.open(os.sep, _PASSAGE)
        for number, part in enumerate([*above, *folders], 1):
            flags = _PASSAGE if number < len(above) else _FOLDER | os.O_RDONLY
            try:
                try:
                    inner = os.open(part, flags, dir_fd=descriptor)
                except FileNotFoundError:
                    if not make:
                        raise
                    _make(part, descriptor)
                    inner = os.open(part, flags, dir_fd=descriptor)
            finally:
                os.close(descriptor)
            descriptor = inner
        return descriptor

    def _at(self, name: str) -> str:
        return name if self._fd >= 0 else os.path.join(self._path, name)

    @property
    def _dir(self) -> int | None:
        return self._fd if self._fd >= 0 else None

    def mode_of(self, leaf: str) -> int | None:
        """The mode of the file to be replaced, None for a new one; PermissionError for what is not plainly ours."""
        try:
            found = os.stat(self._at(leaf), dir_fd=self._dir, follow_symlinks=False)
        except FileNotFoundError:
            return None
        if not stat.S_ISREG(found.st_mode):
            raise PermissionError(f"{leaf} is not a regular file")
        if found.st_nlink > 1:
            raise PermissionError(f"{leaf} is a hard link to another file")
        if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
            raise PermissionError(f"{leaf} belongs to another user")
        return stat.S_IMODE(found.st_mode)

    def open(self, name: str, flags: int, mode: int = 0o600) -> int:
        return os.open(self._at(name), flags, mode, dir_fd=self._dir)

    def rename(self, old: str, new: str) -> None:
        os.replace(self._at(old), self._at(new), src_dir_fd=self._dir, dst_dir_fd=self._dir)

    def unlink(self, name: str, missing_ok: bool = True) -> None:
        try:
            os.unlink(self._at(name), dir_fd=self._dir)
        except FileNotFoundError:
            if not missing_ok:
                raise

    def sync(self) -> None:
        if self._fd >= 0:
            os.fsync(self._fd)
