"""The Messages API through its SDK: streamed, bounded in time and retries, every fault an `Unavailable`.

Req: B3, B8, J3. The key and the address come from the environment that is handed in (`ANTHROPIC_API_KEY`,
`ANTHROPIC_AUTH_TOKEN`, `ANTHROPIC_BASE_URL`); nothing of them is ever put into a message.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lib.model.api_faults import Fault, fault_of, known_faults
from lib.model.loop import run_task
from lib.model.stream import Reply, assemble
from lib.model.task import Check, Completion, Outcome, Request, Task, Unavailable, accept

if TYPE_CHECKING:
    import anthropic

DEFAULT_URL = "https://api.anthropic.com"
RETRIES = 2
BACKOFF_SECONDS = (0.5, 2.0)
LONGEST_WAIT = 20.0
SILENCE_SECONDS = 60.0


@dataclass(frozen=True)
class AnthropicAPI:
    """A `Thinker` over one model; cheap to make, the SDK is imported at the first request."""

    model: str
    env: Mapping[str, str]
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    backoff: tuple[float, ...] = BACKOFF_SECONDS
    _made: dict[str, anthropic.Anthropic] = field(default_factory=dict, compare=False, repr=False)

    def run_agent(self, task: Task, *, check: Check = accept) -> Outcome:
        """Run an agent in the sandbox; see `loop.run_task`."""
        return run_task(self, task, check=check, clock=self.clock)

    def complete(self, request: Request) -> Completion:
        """One answer without tools, every chunk joined. Raises Unavailable."""
        body = {
            "max_tokens": request.max_output_tokens,
            "system": [{"type": "text", "text": request.system, "cache_control": {"type": "ephemeral"}}],
            "messages": [{"role": "user", "content": [{"type": "text", "text": request.prompt}]}],
        }
        reply = self.send(body, deadline=request.deadline)
        return Completion(reply.text, reply.usage, reply.stop)

    def send(self, request: Mapping[str, object], *, deadline: float) -> Reply:
        """Send one request and assemble its reply, with at most RETRIES retries within `deadline` seconds."""
        end = self.clock() + deadline
        for wait in (*self.backoff[:RETRIES], None):
            got = self._within(request, end - self.clock())
            if isinstance(got, Reply):
                return got
            pause = max(got.retry_after, wait or 0.0)
            if wait is None or not got.retry or pause > LONGEST_WAIT or self.clock() + pause >= end:
                raise Unavailable(got.reason, got.kind)
            self.sleep(pause)
        raise Unavailable("no attempt was left", "network")

    def _within(self, request: Mapping[str, object], seconds: float) -> Reply | Fault:
        """One attempt that ends in time whatever the server does: pings keep a silent stream open for ever."""
        answers: queue.SimpleQueue[Reply | Fault | Unavailable | None] = queue.SimpleQueue()

        def attempt() -> None:
            got: Reply | Fault | Unavailable | None = None
            try:
                got = self._attempt(request, seconds)
            except Unavailable as error:
                got = error
            finally:
                # None: a fault of our own, which the thread reports; the caller must not wait for it until the end.
                answers.put(got)

        threading.Thread(target=attempt, daemon=True).start()
        try:
            got = answers.get(timeout=max(0.0, seconds))
        except queue.Empty:
            raise Unavailable(f"the API did not answer within {seconds:.0f} s", "deadline") from None
        if got is None:
            raise Unavailable("the request ended without an answer", "answer")
        if isinstance(got, Unavailable):
            raise got
        return got

    def _attempt(self, request: Mapping[str, object], seconds: float) -> Reply | Fault:
        client = self._client()
        arguments: dict[str, Any] = {**request, "model": self.model, "stream": True}
        try:
            with client.messages.create(**arguments, timeout=min(SILENCE_SECONDS, max(0.1, seconds))) as stream:
                return assemble(_plain(stream))
        except known_faults() as error:
            return fault_of(error)

    def _client(self) -> anthropic.Anthropic:
        if "client" not in self._made:
            key, token = self.env.get("ANTHROPIC_API_KEY"), self.env.get("ANTHROPIC_AUTH_TOKEN")
            if not key and not token:
                raise Unavailable("there is no ANTHROPIC_API_KEY in the environment", "auth")
            try:
                import anthropic
            except ImportError as error:
                raise Unavailable("the anthropic package is missing; run install.py again", "missing") from error
            self._made["client"] = anthropic.Anthropic(
                api_key=key or None,
                auth_token=None if key else token,
                base_url=self.env.get("ANTHROPIC_BASE_URL") or DEFAULT_URL,
                max_retries=0,
            )
        return self._made["client"]


def _plain(events: Any) -> Iterator[Mapping[str, Any]]:
    """The SDK's events as plain dictionaries; kinds it does not know yet pass through as they came."""
    for event in events:
        if isinstance(event, Mapping):
            yield event
        else:
            yield event.to_dict(mode="json", warnings=False)
