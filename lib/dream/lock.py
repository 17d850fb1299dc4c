"""The consolidation's lock, shared with the client's own: `.consolidate-lock` in the memory directory. Req: G2.

The file keeps its two meanings: its time is the last consolidation, its content the holder's bare PID. What makes it
safe stands beside it. A guard file that is never removed carries a kernel lock around each read, judgement and write
("write my PID, read it back" lets in a third of eight contenders), and a record says which process the PID means and
which holding of it. The file's time moves only when a consolidation has succeeded, so a holder that is killed leaves
it where it was; a client that therefore takes the file over while we hold it makes our fenced writes stop.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import time

from lib.dream import identity, stamp
from lib.dream.stamp import NAME, SLACK
from lib.memory import lock as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EXPIRY = 3600.0  # seconds; no consolidation takes that long
PATIENCE = 5.0  # seconds for the guard, which is held for milliseconds
_TEXT = 64  # bytes of the lock file that are read


class ConsolidateLock:
    """One holder at a time for a memory directory; every odd state of its files is an answer, never an exception."""

    def __init__(self, memory_dir: str | os.PathLike[str]) -> None:
        self.directory = os.fspath(memory_dir)
        self._token = ""
        self._pid = 0  # a forked child has the object but not the lock

    def acquire(self) -> bool:
        """Take the lock unless a living holder has had it for less than an hour; False when it cannot be taken."""
        try:
            with self._guard() as guarded:
                return guarded and self._acquire()
        except OSError:
            return False

    def finish(self, ok: bool) -> bool:
        """Let go; only `ok` makes now the last consolidation. False when the lock was not ours (any more)."""
        try:
            with self._guard() as guarded:
                held = guarded and self._held()
                if held:
                    self._release(ok)
        except OSError:
            held = False
        self._token = ""
        return held

    def fenced(self, write: Callable[[], object]) -> bool:
        """Run `write` while nobody can take the lock over; False, and nothing is written, when it is ours no more."""
        with self._guard() as guarded:
            if not (guarded and self._held()):
                return False
            write()
            return True

    def last_consolidated(self) -> float | None:
        """Seconds since the epoch, or None: never, or the file's time means nothing (it lies in the future)."""
        return stamp.last_consolidated(self.directory, time.time())

    def taken(self) -> bool:
        """Whether somebody holds it now; a look without the guard, for display and for the gates."""
        return self._judge(time.time())

    def _path(self, suffix: str = "") -> str:
        return os.path.join(self.directory, NAME + suffix)

    @contextlib.contextmanager
    def _guard(self) -> Iterator[bool]:
        try:
            descriptor = kernel.acquire(self._path(".guard"), PATIENCE)
        except OSError:
            descriptor = None  # no such folder, no right to it, a link in its place
        try:
            yield descriptor is not None
        finally:
            if descriptor is not None:
                os.close(descriptor)

    def _acquire(self) -> bool:
        self._sweep()
        if self._judge(time.time()):
            return False
        token = os.urandom(12).hex()
        earlier = self._earlier()
        record = {**identity.own(), "token": token, "at": time.time(), "earlier": earlier}
        self._place(".record", json.dumps(record).encode("ascii"), None)
        self._place("", str(os.getpid()).encode("ascii"), earlier or 0)
        self._token, self._pid = token, os.getpid()
        return True

    def _earlier(self) -> int | None:
        """The lock file's time in nanoseconds, None when there is none: what a failed run must leave behind."""
        try:
            return os.stat(self._path(), follow_symlinks=False).st_mtime_ns
        except FileNotFoundError:
            return None

    def _judge(self, now: float) -> bool:
        """True when it is taken."""
        content, mtime = self._content()
        if content is None:
            return False
        pid, record = identity.parse(content), self._record()
        if record and pid is not None and record.get("pid") == pid:
            return not record.get("released") and _holds(record, now)
        age = now - mtime
        if pid is None:
            return -SLACK <= age < EXPIRY  # it may be in the making
        if pid == os.getpid() or not identity.started(pid):
            return False
        return age < EXPIRY

    def _content(self) -> tuple[str | None, float]:
        """(text, mtime) of the lock file; text "" for what is no readable regular file, None when nothing is there."""
        try:
            found = os.stat(self._path(), follow_symlinks=False)
        except OSError:
            return None, 0.0
        if not stat.S_ISREG(found.st_mode):
            return "", found.st_mtime
        return self._read("", _TEXT).decode("latin-1"), found.st_mtime

    def _record(self) -> dict[str, object]:
        try:
            record = json.loads(self._read(".record", 4096) or b"null")
        except (ValueError, RecursionError):
            return {}
        return record if isinstance(record, dict) else {}

    def _read(self, suffix: str, limit: int) -> bytes:
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        try:
            descriptor = os.open(self._path(suffix), flags)
        except OSError:
            return b""
        try:
            return os.read(descriptor, limit) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
        except OSError:
            return b""
        finally:
            os.close(descriptor)

    def _held(self) -> bool:
        if not self._token or self._pid != os.getpid():
            return False
        return self._record().get("token") == self._token and self._content()[0] == str(self._pid)

    def _release(self, ok: bool) -> None:
        record = self._record()
        if not ok and record.get("earlier") is None:
            os.unlink(self._path())
            os.unlink(self._path(".record"))
            return
        if ok:
            os.utime(self._path(), follow_symlinks=os.utime not in os.supports_follow_symlinks)
        # The PID stays, as the client leaves it: the record says that nobody stands behind it any more.
        self._place(".record", json.dumps({**record, "released": True}).encode("ascii"), None)

    def _place(self, suffix: str, data: bytes, mtime_ns: int | None) -> None:
        """Put one of the two files there as a whole, with the time it shall show; a link in its place is replaced."""
        temp = self._path(f"-{os.getpid()}-{os.urandom(4).hex()}.tmp")
        descriptor = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            try:
                if os.write(descriptor, data) < len(data):
                    raise OSError(f"{temp}: not written whole")
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            if mtime_ns is not None:
                os.utime(temp, ns=(mtime_ns, mtime_ns))
            os.replace(temp, self._path(suffix))
        finally:
            with contextlib.suppress(OSError):  # gone already when the rename came through
                os.unlink(temp)

    def _sweep(self) -> None:
        """Remove what a killed holder left half-written; under the guard no living one is at it."""
        for name in os.listdir(self.directory):
            if name.startswith(f"{NAME}-") and name.endswith(".tmp"):
                with contextlib.suppress(OSError):
                    os.unlink(os.path.join(self.directory, name))


def _holds(record: dict[str, object], now: float) -> bool:
    """Whether the process of a record still has a right to the lock."""
    at = record.get("at")
    age = now - at if isinstance(at, (int, float)) else EXPIRY
    alive = identity.alive(record)
    if alive is None:
        return abs(age) < EXPIRY
    return alive and age < EXPIRY
