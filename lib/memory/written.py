"""Which versions of a memory our tools and the client wrote: a file that holds another was changed past them. Req: C3.

One list for each memory directory, `name<TAB>digest` a record. Nothing is said of a file that no record names.
"""

from __future__ import annotations

import os

from lib.memory import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

FILE = "written.txt"
LIMIT = 1_000_000  # bytes; beyond it the list begins anew, and less is known


def note(place: str, file: str, data: bytes) -> None:
    """Remember one version, in one write: hooks at once lose nothing. `place` is the folder of the list."""
    path = os.path.join(place, FILE)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    try:
        os.makedirs(place, mode=0o700, exist_ok=True)
        descriptor = os.open(path, flags, 0o600)
    except OSError:
        return  # without the list nothing is claimed of anybody
    try:
        if os.fstat(descriptor).st_size > LIMIT:
            os.ftruncate(descriptor, 0)
        # The line end comes first: a record that was torn by a full disk spoils no other.
        os.write(descriptor, _record(file, data))
    except OSError:
        return
    finally:
        os.close(descriptor)


def note_present(place: str, directory: str, file: str) -> None:
    """Remember the version that a file holds now; one that cannot be read is passed over."""
    try:
        data = files.read(directory, file)
    except OSError:
        return
    note(place, file, data)


def foreign(place: str, directory: str, names: Iterable[str]) -> list[str]:
    """Of these files the ones that are known and hold a version nobody noted. Reads the list once, never raises."""
    known = _read(place)
    found = []
    for name in names:
        if _named(name) not in known:
            continue
        try:
            data = files.read(directory, name)
        except OSError:
            continue
        if _record(name, data) not in known:
            found.append(name)
    return found


def ours(place: str, directory: str, names: Iterable[str]) -> list[str]:
    """Of these files the ones that hold a version which was noted. Reads the list once, never raises."""
    known = _read(place)
    found = []
    for name in names if known else ():
        try:
            if _record(name, files.read(directory, name)) in known:
                found.append(name)
        except OSError:
            continue
    return found


def is_foreign(place: str, file: str, data: bytes) -> bool:
    """Whether this content of a known file is one that neither our tools nor the client wrote."""
    known = _read(place)
    return _named(file) in known and _record(file, data) not in known


def _read(place: str) -> bytes:
    try:
        with open(os.path.join(place, FILE), "rb", buffering=0) as file:
            return file.read(2 * LIMIT)
    except OSError:
        return b""


def _named(file: str) -> bytes:
    return b"\n%s\t" % file.encode("utf-8", "surrogateescape")


def _record(file: str, data: bytes) -> bytes:
    return _named(file) + _digest(data[: files.READ_LIMIT])


def _digest(data: bytes) -> bytes:
    try:
        # What hashlib itself hands out, without the OpenSSL that it loads first (3 ms of a hook).
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b
    return blake2b(data, digest_size=8).hexdigest().encode("ascii")
