"""A sub-agent's run begins and ends, as the hooks see it: what it was asked, and whether it is looked at. Req: F1."""

from __future__ import annotations

import os
import time

from lib.agents import notices, task
from lib.agents.seat import Seat, journals
from lib.host import transcript
from lib.journal import Journal, Run, Skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lib.agents.scopes import Scope
    from lib.host.call import Call
    from lib.host.transcript import Span, Turn
    from lib.journal import State

    Decide = Callable[..., Run | Skip]
    Wrote = Callable[[Turn, str, str], bool]

GLANCE = 1_000_000  # bytes of new transcript that a hook reads
SAID = 1_200  # characters of the last reply that are kept
WAITS = (0.0, 0.05, 0.1, 0.2)  # seconds: the call that starts a run is sometimes not in the transcript yet


def began(call: Call, seat: Seat, scope: Scope) -> tuple[str, str, bool]:
    """(the tool use that started the run, its task, whether a snapshot waits for the worker)."""
    events = Journal(call.state, call.session).events()
    taken = {str(event.get("task")) for event in events if event.get("e") == "agent"}
    agent_id = seat.run.rpartition(".")[2]
    path, id, text = call.payload.text("transcript_path"), "", ""
    for wait in WAITS:
        time.sleep(wait)
        id, text = task.given(path, seat.agent, agent_id, taken)
        if id or not os.path.isfile(path):
            break
    new = notices.new(scope)
    if new:
        notices.ask(journals(call.state), scope, call.launch)
    return id, text, new


def ended(call: Call, seat: Seat, scope: Scope, decide: Decide, wrote: Wrote) -> bool:
    """Note the run's end and what the gates say of it; True when there is work for the worker. Never waits.

    `decide` and `wrote` are the main path's own gates and its judgement of a turn that wrote memories itself. Each run
    is looked at: `extract.everyTurns` counts turns of one session, and a run mostly has one.
    """
    off = call.learning_off() or ("" if call.settings.option("extract.enabled") else "disabled")
    own, main = Journal(journals(call.state), seat.run), Journal(call.state, call.session)
    path, why = _transcript(call)
    if why and not off:
        main.append("agent", at="stop", agent=seat.agent, run=seat.run, reason=why)
        return False
    state = own.state()
    size = os.stat(path).st_size if path else -1
    start = max(0, state.cursor) if size >= state.cursor else 0
    span = _glance(call, state, path, start, size) if path and not off else transcript.Span(size)
    turns = span.turns if span else []
    marks = None if span is None else [(bool(turn.human), _wrote(turn, scope, call.launch, wrote)) for turn in turns]
    verdict = decide(main_agent=True, off=off, stops=1, every=1, turns=marks)
    _note_written(own, scope, turns, call.launch)
    reason = verdict.reason or "run"
    main.append("agent", at="stop", agent=seat.agent, run=seat.run, reason=reason)
    fields: dict[str, object] = {
        "transcript": path, "launch": call.launch, "reason": reason, "agent": seat.agent, "session": call.session,
        "parent": call.transcript,
    }  # fmt: skip
    if isinstance(verdict, Run):
        from lib.memory import noting

        said = noting.beginning(call.payload.text("last_assistant_message"), SAID)
        own.append("stop", due=size, last_said=said, **fields)
    elif span and span.end >= 0:
        own.append("stop", cursor=span.end, **fields)
    return isinstance(verdict, Run) or (own.state().index_stale and not off)


def _transcript(call: Call) -> tuple[str, str]:
    """(the run's transcript, why it cannot be used). The parent's says what the person and the main agent said."""
    path = call.payload.text("agent_transcript_path")
    if not path:
        return "", "no_agent_transcript"
    parent = call.payload.text("transcript_path")
    if not os.path.isabs(path) or "\0" in path or not path.endswith(".jsonl") or not os.path.isfile(path):
        return "", "no_agent_transcript"
    if parent and os.path.realpath(path) == os.path.realpath(parent):
        return "", "parents_transcript"
    return path, ""


def _glance(call: Call, state: State, path: str, start: int, size: int) -> Span | None:
    if size - start > GLANCE:
        return None
    return transcript.span(path, start, size, session=call.session, known=frozenset(state.marks), side=True)


def _wrote(turn: Turn, scope: Scope, launch: str, wrote: Wrote) -> bool:
    return any(wrote(turn, folder, launch) for folder in (scope.memory, scope.beside) if folder)


def _note_written(own: Journal, scope: Scope, turns: Sequence[Turn], launch: str) -> None:
    """The memories that the agent wrote itself are its own, not what somebody else put into the repository."""
    from lib.memory import written

    root = os.path.realpath(scope.memory) + os.sep
    targets = {
        os.path.realpath(os.path.join(launch, tool.path))
        for turn in turns for tool in turn.tools if tool.path.endswith(".md") and "\0" not in tool.path
        and tool.name in ("Write", "Edit", "MultiEdit")
    }  # fmt: skip
    files = sorted(path.removeprefix(root) for path in targets if path.startswith(root))
    for file in files:
        written.note_present(scope.state, scope.memory, file)
    if files:
        own.append("memory_write", file=files[0])
