"""One session's state and decisions: an append-only JSONL that hooks append to and fold. Design rules 3 and 4."""

from __future__ import annotations

import errno
import os
import time

from lib.host import jsontext
from lib.journal.state import Run, Skip, State, fold, parts, snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Journal", "Run", "Skip", "State", "encode", "fold", "newest", "parts", "recent"]

LINE_LIMIT = 4_000  # bytes; below it one append is one write
SIZE_LIMIT = 128_000  # bytes, then the worker compacts
KEPT = 200  # newest events that compaction leaves as they are …
KEPT_BYTES = 64_000  # … as far as they fit into this
RECENT = "sessions.txt"  # in the project's state: a session a line, noted when it began or went on
RECENT_LIMIT = 256_000  # bytes; beyond it the list begins anew
RECENT_TAIL = 4_000  # bytes of it that are looked at: about a hundred sessions
_EXACT = ("e", "marks", "shown", "transcript", "launch", "fingerprint")  # shortened, these would say something else


class Journal:
    """The events of one session, oldest first."""

    def __init__(self, state: str, session: str) -> None:
        self.folder = os.path.join(state, "journal")
        self.path = os.path.join(self.folder, f"{session}.jsonl")

    def append(self, event: str, **fields: object) -> None:
        """Add one event in one write. Parallel hooks lose nothing: there is no read-modify-write."""
        line = encode({"t": round(time.time(), 3), "e": event, **fields})
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        while True:
            try:
                descriptor = os.open(self.path, flags, 0o600)
            except FileNotFoundError:
                os.makedirs(self.folder, mode=0o700, exist_ok=True)
                continue
            try:
                lock(descriptor)
                if self._replaced(descriptor):
                    continue  # the worker compacted between open and lock: append to the new file
                size = os.lseek(descriptor, 0, os.SEEK_END)
                if event == "session" or not size:
                    _note_recent(os.path.dirname(self.folder), os.path.basename(self.path)[:-6])
                if size and not self._ends_line():
                    line = b"\n" + line  # a writer died inside its line: do not lose ours to it
                if os.write(descriptor, line) < len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self.path)
                return
            finally:
                os.close(descriptor)

    def _replaced(self, descriptor: int) -> bool:
        try:
            return os.stat(self.path).st_ino != os.fstat(descriptor).st_ino
        except FileNotFoundError:
            return True

    def _ends_line(self) -> bool:
        with open(self.path, "rb", buffering=0) as file:
            file.seek(-1, os.SEEK_END)
            return file.read(1) == b"\n"

    def events(self) -> list[dict[str, object]]:
        """Every readable event; a torn or foreign line is passed over."""
        try:
            with open(self.path, "rb", buffering=0) as file:
                raw = file.read()
        except OSError:
            return []
        found = []
        for line in raw.split(b"\n"):
            try:
                event = jsontext.loads(line) if line else None
            except (ValueError, RecursionError):
                continue
            if isinstance(event, dict):
                found.append(event)
        return found

    def state(self) -> State:
        return fold(self.events())

    def compact(self) -> None:
        """Replace old events by one that folds to the same state, when the file has outgrown SIZE_LIMIT."""
        try:
            descriptor = os.open(self.path, os.O_RDWR)
        except OSError:
            return
        try:
            lock(descriptor)
            if self._replaced(descriptor) or os.fstat(descriptor).st_size <= SIZE_LIMIT:
                return
            events = self.events()
            newest = _fitting(events[-KEPT:])
            old, kept = events[: len(events) - newest], events[len(events) - newest :]
            from lib.host import replacement

            replacement.put(self.path, b"".join(map(encode, [*snapshot(fold(old)), *kept])))
        finally:
            os.close(descriptor)


def newest(state: str, limit: int) -> list[str]:
    """The sessions of a project by their journals' last change, newest first."""
    found: list[tuple[float, str]] = []
    try:
        with os.scandir(os.path.join(state, "journal")) as listing:
            for item in listing:
                if item.name.endswith(".jsonl"):
                    found.append((item.stat().st_mtime, item.name[:-6]))
    except OSError:
        return []
    return [session for _, session in sorted(found, reverse=True)[:limit]]


def recent(state: str, limit: int) -> list[str]:
    """The same, of the sessions that began or went on last: at the cost of a few looks, however many there are."""
    folder = os.path.join(state, "journal")
    try:
        with open(os.path.join(state, RECENT), "rb", buffering=0) as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - RECENT_TAIL))
            lines = file.read(RECENT_TAIL).split(b"\n")
    except OSError:
        lines = []
    names = dict.fromkeys(line.decode("ascii", "replace") for line in reversed(lines) if line and b"/" not in line)
    found: list[tuple[float, str]] = []
    for name in list(names)[: 4 * limit]:
        try:
            found.append((os.stat(os.path.join(folder, f"{name}.jsonl")).st_mtime, name))
        except (OSError, ValueError):
            continue  # the list's torn first line, or a journal that is gone
    if len(found) < limit:
        return newest(state, limit)  # a list that has just begun; or few sessions, which are soon looked through
    return [session for _, session in sorted(found, reverse=True)[:limit]]


def _note_recent(state: str, session: str) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(os.path.join(state, RECENT), flags, 0o600)
    except OSError:
        return  # without the list the journals themselves are looked through
    try:
        if os.fstat(descriptor).st_size > RECENT_LIMIT:
            os.ftruncate(descriptor, 0)
        os.write(descriptor, b"\n%s\n" % session.encode("ascii", "replace"))
    except OSError:
        return
    finally:
        os.close(descriptor)


def _fitting(events: list[dict[str, object]]) -> int:
    """How many of the last events fit into KEPT_BYTES."""
    room = KEPT_BYTES
    for count, event in enumerate(reversed(events)):
        room -= len(encode(event))
        if room < 0:
            return count
    return len(events)


def encode(event: Mapping[str, object]) -> bytes:
    """One event as one line of at most LINE_LIMIT bytes: the longest texts are shortened, never the structure cut."""
    line = _line(event)
    for limit in (1_000, 300, 80, 20, 4):
        if len(line) <= LINE_LIMIT:
            return line
        short = {key: value if key in _EXACT else _shorter(value, limit) for key, value in event.items()}
        line = _line({**short, "cut": True})
    kept: dict[str, object] = {"cut": True}
    for key, value in sorted(event.items(), key=lambda item: len(_line({"": item[1]}))):
        if (key in _EXACT or isinstance(value, (int, float))) and len(_line({**kept, key: value})) <= LINE_LIMIT:
            kept[key] = value
    return _line(kept)


def _line(event: Mapping[str, object]) -> bytes:
    return jsontext.dumps(event).encode("ascii") + b"\n"


def _shorter(value: object, limit: int) -> object:
    if isinstance(value, str):
        return value[:limit]
    if isinstance(value, dict):
        return {key[:limit]: _shorter(inner, limit) for key, inner in list(value.items())[:limit]}
    return [_shorter(inner, limit) for inner in value[:limit]] if isinstance(value, (list, tuple)) else value


def lock(descriptor: int) -> None:
    """Wait for the file's kernel lock, held for one write only; where there is none, one write is one append."""
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except (ImportError, OSError):
        return
