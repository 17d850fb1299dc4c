"""The end of a turn as the Stop hook sees it: read what is new, decide, note it. Req: B1."""

from __future__ import annotations

import os

from lib.extract import exclusion, gates
from lib.host import transcript
from lib.journal import Journal, Run, recent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.host.call import Call
    from lib.journal import State

GLANCE = 1_000_000  # bytes of new transcript that a hook reads; a turn writes 150 KB
LOOKED_AT = 5  # other sessions, newest first, that a new session looks after
QUIET = 300  # seconds without a new line after which a session counts as left
SAID = 1_200  # characters of the last reply that are kept: the transcript may not have it yet


def turn_ended(call: Call, journal: Journal) -> bool:
    """Append this turn's gate decision to the journal; True when there is work for the worker. Never waits."""
    state = journal.state()
    path = call.transcript
    size = os.stat(path).st_size if path else -1
    off = call.learning_off() or ("" if call.settings.option("extract.enabled") else "disabled")
    restarted = call.main_agent and _restarted(state, path, size)
    if restarted:
        state.cursor = 0
    span = _glance(call, state, path, size) if call.main_agent and not off else transcript.Span(size)
    verdict = gates.decide(
        main_agent=call.main_agent,
        off=off,
        stops=state.stops + 1,
        every=call.settings.option("extract.everyTurns"),
        turns=_marks(call, span) if span else None,
    )
    if not call.main_agent:
        journal.append("gate", reason=verdict.reason)
        return False
    fields: dict[str, object] = {"transcript": path, "launch": call.launch, "reason": verdict.reason or "run"}
    if restarted:
        fields.update(restarted=True, fingerprint=transcript.fingerprint(path))
    if isinstance(verdict, Run):
        journal.append("stop", due=size, last_said=_said(call), **fields)
    elif verdict.reason in gates.SETTLED and span and span.end >= 0:
        journal.append("stop", cursor=span.end, **fields)
    else:
        journal.append("stop", **fields)
    return isinstance(verdict, Run) or (state.index_stale and not off)


def _said(call: Call) -> str:
    """The last reply's beginning without its secrets."""
    said = call.payload.text("last_assistant_message")
    if not said:
        return ""
    from lib.memory import noting

    return noting.beginning(said, SAID)


def _restarted(state: State, path: str, size: int) -> bool:
    """Whether the transcript shrank or is another file of that name: what was noted about its bytes no longer holds."""
    return bool(path) and (size < state.cursor or transcript.replaced(path, state.fingerprint))


def _marks(call: Call, span: transcript.Span) -> list[tuple[bool, bool]]:
    return [(bool(turn.human), exclusion.wrote_memory(turn, call.memory, call.launch)) for turn in span.turns]


def _glance(call: Call, state: State, path: str, size: int) -> transcript.Span | None:
    start = max(0, state.cursor)
    if not path:
        return transcript.Span(-1)
    if size - start > GLANCE:
        return None
    return transcript.span(path, start, size, session=call.session, known=frozenset(state.marks))


def pick_up(call: Call) -> bool:
    """Note as due what other sessions of the project left without a Stop (Esc, a crash); True when there was any.

    A session is left alone while its transcript still moves: its own Stop will come. What was due already and never
    came to its end (the worker was killed) counts as left, turns that ended while memory was off do not.
    """
    if call.learning_off() or not call.settings.option("extract.enabled"):
        return False
    found = False
    for session in recent(call.state, LOOKED_AT):
        journal = Journal(call.state, session)
        state = journal.state()
        found = found or state.pending or state.progress.pending
        left = state.transcript and session != call.session and not state.off
        try:
            status = os.stat(state.transcript) if left else None
        except OSError:
            continue
        if (
            status
            and not -QUIET <= call.now - status.st_mtime <= QUIET  # further ahead it was another clock's time
            and status.st_size > max(state.due, state.cursor, state.handled)
        ):
            journal.append("stop", due=status.st_size, reason="run", picked_up=True)
            found = True
    return found
