"""What a session's events add up to, and the decisions that stand in them. Pure. Design rules 3 and 4."""
from __future__ import annotations

import time

from lib.host import jsontext
from lib.journal.progress import Progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TypeVar

    T = TypeVar("T")

MARKS = 4_000  # handled human entries that are remembered
ROW = 2_500  # bytes of one folded row of marks or shown memories


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
        self.failures = 0  # jobs that began since the cursor last moved and never told an end
        self.faults = 0  # jobs that the disk or a lock stopped since then
        self.progress = Progress()  # of the session's summary
        self.off = False  # memory was off when the session was last heard of

    @property
    def pending(self) -> bool:
        return self.due > max(self.cursor, self.handled) or self.index_stale


def fold(events: list[dict[str, object]]) -> State:
    """What the events add up to; unknown events and fields of another type change nothing."""
    state = State()
    for event in events:
        kind = event.get("e")
        state.progress.fold(event)
        for key in ("transcript", "launch", "last_said", "fingerprint"):
            if isinstance(value := event.get(key), str) and value:
                setattr(state, key, value)
        if event.get("restarted") is True:  # the transcript is another file than before
            state.cursor, state.due, state.handled = 0, -1, -1
        if isinstance(to := event.get("due"), int):
            state.due = max(state.due, to)
        if isinstance(to := event.get("handled"), int):
            state.handled = to
        if isinstance(marks := event.get("marks"), list):
            state.marks = [*state.marks, *(m for m in marks if isinstance(m, str))][-MARKS:]
        _one(state, kind, event)
        if isinstance(to := event.get("cursor"), int):
            since = event.get("since")
            # A run that ends after another decision moved the cursor on must not move it back over settled turns.
            state.cursor = max(to, state.cursor) if isinstance(since, int) and state.cursor > since else to
            state.stops = event["stops"] if isinstance(event.get("stops"), int) else 0  # type: ignore[assignment]
            state.failures = state.faults = 0
    return state


def _one(state: State, kind: object, event: Mapping[str, object]) -> None:
    reason = event.get("index" if kind == "session" else "reason")
    if kind in ("session", "stop", "recall") and reason != "folded" and "by" not in event:
        state.off = reason in ("disabled", "paused", "recall_only") or "resting" in event
    if kind == "session":
        if state.cursor < 0 and isinstance(at := event.get("at"), int):
            state.cursor = at
        if event.get("source") in ("clear", "compact"):
            state.shown, state.compacted = {}, True
    elif kind == "stop":
        state.stops += 1
        if "due" in event and isinstance(said := event.get("last_said", ""), str):
            state.last_said = said  # never another turn's words
    elif kind == "recall" and isinstance(shown := event.get("shown"), dict):
        state.shown.update(shown)
    elif kind == "memory_write":
        state.index_stale = True
    elif kind == "mended":
        state.index_stale = False
        if not state.pending:
            state.failures = state.faults = 0  # what was begun came to its end
    elif kind == "job":
        state.failures += 1
    elif kind == "failed":
        state.failures, state.faults = max(0, state.failures - 1), state.faults + 1


def snapshot(state: State) -> list[dict[str, object]]:
    """Events that fold to the same state as the ones they replace."""
    at = {"t": round(time.time(), 3)}
    rows: list[dict[str, object]] = []
    if state.compacted:
        rows.append({**at, "e": "session", "source": "compact", "index": "folded"})
    rows.append({
        **at, "e": "folded", "cursor": state.cursor, "stops": state.stops, "due": state.due, "handled": state.handled,
        "transcript": state.transcript, "launch": state.launch, "fingerprint": state.fingerprint,
        "last_said": state.last_said,
    })  # fmt: skip
    rows.append({**at, **state.progress.row()})
    rows.extend({**at, "e": "folded", "marks": part} for part in parts(state.marks))
    shown = parts(list(state.shown.items()))
    rows.extend({**at, "e": "recall", "shown": dict(part), "reason": "folded"} for part in shown)
    if state.index_stale:
        rows.append({**at, "e": "memory_write"})
    if state.off:
        rows.append({**at, "e": "session", "index": "disabled"})
    rows.extend({**at, "e": "failed"} for _ in range(state.faults))
    rows.extend({**at, "e": "job"} for _ in range(state.failures))
    return rows


def parts(items: list[T]) -> Iterator[list[T]]:
    """The items in runs that fit into one line each, whatever their length in JSON."""
    part: list[T] = []
    used = 0
    for item in items:
        size = len(jsontext.dumps(item)) + 2
        if part and used + size > ROW:
            yield part
            part, used = [], 0
        part.append(item)
        used += size
    if part:
        yield part
