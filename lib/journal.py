"""One session's state and decisions: an append-only JSONL that hooks append to and fold. Design rules 3 and 4."""

from __future__ import annotations

import json
import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LINE_LIMIT = 4_000  # bytes; below it one append is one write
SIZE_LIMIT = 128_000  # bytes, then the worker compacts
KEPT = 200  # newest events that compaction leaves as they are
MARKS = 4_000  # handled human entries that are remembered


class Run:
    """A decision to act."""

    __slots__ = ()
    reason = ""


class Skip:
    """A decision not to act, with its named reason."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason


class State:
    """What a session's events add up to. `cursor` and `due` are byte offsets into the transcript, -1 when unset."""

    def __init__(self) -> None:
        self.cursor = -1
        self.fingerprint = ""
        self.due = -1
        self.handled = -1  # the `due` that the last run worked up to; a torn last line leaves the cursor before it
        self.transcript = ""
        self.launch = ""
        self.last_said = ""
        self.stops = 0  # turns ended since extraction last ran or was settled
        self.marks: list[str] = []
        self.shown: dict[str, str] = {}  # memory file -> version the model has in its context
        self.compacted = False  # the model no longer has what this session said earlier
        self.index_stale = False
        self.failures = 0  # jobs that began since the cursor last moved

    @property
    def pending(self) -> bool:
        return self.due > max(self.cursor, self.handled) or self.index_stale


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
                if os.lseek(descriptor, 0, os.SEEK_END) and not self._ends_line():
                    line = b"\n" + line  # a writer died inside its line: do not lose ours to it
                os.write(descriptor, line)
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
                event = json.loads(line) if line else None
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
            old, kept = events[:-KEPT], events[-KEPT:]
            temp = f"{self.path}.{os.getpid()}.tmp"
            with open(temp, "wb") as file:
                for event in [*snapshot(fold(old)), *kept]:
                    file.write(encode(event))
                file.flush()
                os.fsync(file.fileno())
            os.replace(temp, self.path)
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


def encode(event: Mapping[str, object]) -> bytes:
    """One event as one line below LINE_LIMIT: the longest texts are shortened, never the structure cut."""
    line = json.dumps(event, separators=(",", ":")).encode("ascii") + b"\n"
    if len(line) <= LINE_LIMIT:
        return line
    limit = 400 if len(event) < 10 else 100
    short = {
        key: value[:limit]
        if isinstance(value, str)
        else value
        if isinstance(value, (int, float)) or key == "marks"
        else None
        for key, value in event.items()
    }
    return json.dumps({**short, "cut": True}, separators=(",", ":")).encode("ascii")[: LINE_LIMIT * 20] + b"\n"


def lock(descriptor: int) -> None:
    """Wait for the file's kernel lock, held for one write only; where there is none, one write is one append."""
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except (ImportError, OSError):
        return


def fold(events: list[dict[str, object]]) -> State:
    """What the events add up to; unknown events and fields of another type change nothing."""
    state = State()
    for event in events:
        kind = event.get("e")
        for key in ("transcript", "launch", "last_said", "fingerprint"):
            if isinstance(value := event.get(key), str) and value:
                setattr(state, key, value)
        if isinstance(to := event.get("due"), int):
            state.due = max(state.due, to)
        if isinstance(to := event.get("handled"), int):
            state.handled = to
        if kind == "session":
            if state.cursor < 0 and isinstance(at := event.get("at"), int):
                state.cursor = at
            if event.get("source") in ("clear", "compact"):
                state.shown, state.compacted = {}, True
        elif kind == "stop":
            state.stops += 1
        elif kind == "recall" and isinstance(shown := event.get("shown"), dict):
            state.shown.update(shown)
        elif kind == "memory_write":
            state.index_stale = True
        elif kind == "mended":
            state.index_stale = False
        if isinstance(to := event.get("cursor"), int):
            state.cursor = to
            state.stops = event["stops"] if isinstance(event.get("stops"), int) else 0  # type: ignore[assignment]
            state.failures = 0
            if isinstance(marks := event.get("marks"), list):
                state.marks = [*state.marks, *(m for m in marks if isinstance(m, str))][-MARKS:]
        elif kind == "job":
            state.failures += 1
    return state


def snapshot(state: State) -> list[dict[str, object]]:
    """Events that fold to the same state as the ones they replace."""
    first: dict[str, object] = {
        "t": round(time.time(), 3), "e": "folded", "due": state.due, "handled": state.handled,
        "transcript": state.transcript, "launch": state.launch, "fingerprint": state.fingerprint,
    }  # fmt: skip
    rows = [first]
    if state.cursor >= 0:
        rows.append({"t": first["t"], "e": "folded", "cursor": state.cursor, "stops": state.stops})
        rows.extend(
            {
                "t": first["t"],
                "e": "folded",
                "cursor": state.cursor,
                "stops": state.stops,
                "marks": state.marks[i : i + 150],
            }
            for i in range(0, len(state.marks), 150)
        )
    shown = list(state.shown.items())
    rows.extend(
        {"t": first["t"], "e": "recall", "shown": dict(shown[i : i + 30]), "reason": "folded"}
        for i in range(0, len(shown), 30)
    )
    if state.index_stale:
        rows.append({"t": first["t"], "e": "memory_write"})
    if state.compacted:
        rows.insert(0, {"t": first["t"], "e": "session", "source": "compact"})
    return rows
