"""What a sub-agent was asked to do: the client does not say it at its start, the parent's transcript does. Req: F1."""

from __future__ import annotations

import os

from lib.host import speaker, transcript

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

TAIL = 600_000  # bytes; a turn's lines beside the conversation are most of them
TOOLS = frozenset(("Agent", "Task"))


def given(path: str, agent: str, run: str, taken: Container[str] = ()) -> tuple[str, str]:
    """(id of the tool use, its text) of the call that started the run `run` of the type `agent`; ("", "") if unknown.

    A call in the background has its answer already, which names the run. Of several that wait for theirs the oldest
    is meant that is not `taken`: they start in their order.
    """
    calls: dict[str, str] = {}
    answers: dict[str, str] = {}
    for line in _tail(path):
        if b'"tool_use"' not in line and b'"tool_result"' not in line:
            continue
        for entry in transcript.objects(line) or ():
            for id, name, _, input in speaker.tool_uses(entry):
                if name in TOOLS and input.get("subagent_type") == agent and isinstance(input.get("prompt"), str):
                    calls[id] = str(input["prompt"])
            answers.update((id, text) for id, text, _ in speaker.tool_results(entry))
    named = [id for id in calls if run and run in answers.get(id, "")]
    waiting = [id for id in calls if id not in answers and id not in taken]
    id = (named or waiting or [""])[0]
    return id, calls.get(id, "")


def _tail(path: str) -> list[bytes]:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return []
    try:
        size = os.fstat(descriptor).st_size
        os.lseek(descriptor, max(0, size - TAIL), os.SEEK_SET)
        return os.read(descriptor, TAIL).split(b"\n")
    except OSError:
        return []
    finally:
        os.close(descriptor)
