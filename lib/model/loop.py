"""The tool loop of an agent: ask, run the calls of the reply in the sandbox, answer all at once, ask again.

Req: B3, B4, B7. Knows no SDK: `Client.send` takes a request as the Messages API has it and gives the assembled reply.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from lib.model.sandbox import Sandbox
from lib.model.scope import Scope
from lib.model.stream import Reply
from lib.model.task import Check, Outcome, Task, Unavailable, Usage, accept
from lib.model.tools import Result, run, schemas

CALLS_A_ROUND = 64
ROUND_CHARACTERS = 240_000
CACHED: Mapping[str, str] = {"type": "ephemeral"}


class Client(Protocol):
    """Sends one request; `deadline` in seconds is all the time it may take, retries included. Raises Unavailable."""

    def send(self, request: Mapping[str, object], *, deadline: float) -> Reply: ...


@dataclass
class Progress:
    """What a run has come to so far."""

    usage: Usage = field(default_factory=Usage)
    turns: int = 0
    texts: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)

    @property
    def read(self) -> int:
        """Every token that was sent so far."""
        return self.usage.input + self.usage.cache_read + self.usage.cache_write


def run_task(
    client: Client, task: Task, *, check: Check = accept, clock: Callable[[], float] = time.monotonic
) -> Outcome:
    """Run an agent to its end and return what it staged; nothing is written.

    A reply that was cut off or refused is not acted on, not even its complete calls. Raises Unavailable (with the
    usage so far) when the API fails before anything was staged; after that the outcome says `unavailable`.
    """
    sandbox = Sandbox.of(Scope(task.memory_dir, task.read_roots), check)
    messages: list[dict[str, Any]] = [{"role": "user", "content": [{"type": "text", "text": task.prompt}]}]
    progress, end = Progress(), clock() + task.deadline
    stopped, reason = "max_turns", ""
    while progress.turns < task.max_turns:
        left = end - clock()
        if left <= 0:
            stopped = "deadline"
            break
        if progress.read >= task.max_input_tokens:
            stopped = "max_input"
            break
        try:
            reply = client.send(_request(task, messages), deadline=left)
        except Unavailable as error:
            progress.usage += error.usage
            if not sandbox.overlay.changes() and error.kind != "deadline":
                raise Unavailable(error.reason, error.kind, progress.usage) from error
            stopped, reason = ("deadline" if error.kind == "deadline" else "unavailable"), error.reason
            break
        progress.turns += 1
        progress.usage += reply.usage
        progress.texts.append(reply.text)
        if reply.stop != "tool_use" or not reply.calls:
            stopped = "end_turn" if reply.stop in ("stop_sequence", "tool_use") else reply.stop
            break
        messages.append({"role": "assistant", "content": list(reply.blocks)})
        messages.append({"role": "user", "content": _answers(reply, sandbox, progress, task)})
    return _outcome(sandbox, progress, stopped, reason)


def _outcome(sandbox: Sandbox, progress: Progress, stopped: str, reason: str) -> Outcome:
    # A refusal says that the run as a whole went wrong: what it had staged is not worth the risk.
    changes = () if stopped == "refusal" else sandbox.overlay.changes()
    text = "\n".join(text for text in progress.texts if text.strip())
    return Outcome(changes, progress.turns, text, progress.usage, stopped, tuple(progress.refusals), reason)


def _answers(reply: Reply, sandbox: Sandbox, progress: Progress, task: Task) -> list[dict[str, Any]]:
    """One result for each call of the reply, in its order; the API refuses a round with one missing."""
    answers: list[dict[str, Any]] = []
    size = 0
    for count, call in enumerate(reply.calls):
        if count >= CALLS_A_ROUND or size > ROUND_CHARACTERS:
            result = Result("Too much for one round; this call was not run. Ask for less.", error=True)
        else:
            result = run(call, sandbox)
        size += len(result.text)
        if result.refused:
            progress.refusals.append(f"{call.name[:60]}: {result.text}")
        answer = {"type": "tool_result", "tool_use_id": call.id, "content": result.text}
        answers.append({**answer, "is_error": True} if result.error else answer)
    if progress.turns == task.max_turns - 1:
        answers.append({"type": "text", "text": "One round is left: save what is worth keeping now, or stop."})
    return answers


def _request(task: Task, messages: list[dict[str, Any]]) -> dict[str, object]:
    """The request with its cache marks: tools and system, the first message, and the last two that grew.

    The mark before the last stays where it was, because the API looks back only 20 blocks for an earlier prefix and
    one round may answer more calls than that.
    """
    users = [index for index, message in enumerate(messages) if message["role"] == "user"]
    marked = {users[0], *users[-2:]}
    return {
        "max_tokens": task.max_output_tokens,
        "tools": schemas(),
        "system": [{"type": "text", "text": task.system, "cache_control": dict(CACHED)}],
        "messages": [_marked(message) if i in marked else message for i, message in enumerate(messages)],
    }


def _marked(message: Mapping[str, Any]) -> dict[str, Any]:
    *before, last = message["content"]
    return {"role": message["role"], "content": [*before, {**last, "cache_control": dict(CACHED)}]}
