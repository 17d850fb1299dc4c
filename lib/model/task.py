"""What a backend is asked to do and what it hands back: plain records, no behaviour.

A backend never touches the disk for writing. An agent's writes come back as `Change`s, and whoever asked applies
them through the checked store. Req: B3, J1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True)
class Usage:
    """Tokens as the API counts them; cache reads and writes stand apart because they cost differently. Req: J3."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
        )


@dataclass(frozen=True)
class Task:
    """One run of an agent in the sandbox.

    `deadline` is seconds from the start of the run; `max_turns` counts API rounds; `max_output_tokens` is per round,
    `max_input_tokens` for all rounds together, cached ones included: no round starts beyond it.
    `memory_dir` is the only folder where a write may be staged, `read_roots` are the folders it may look into.
    """

    system: str
    prompt: str
    memory_dir: str
    read_roots: tuple[str, ...]
    max_turns: int = 5
    deadline: float = 120.0
    max_output_tokens: int = 8192
    max_input_tokens: int = 600_000


@dataclass(frozen=True)
class Change:
    """The whole new text of one memory file (None: delete it), staged and not yet written.

    `file` is relative to the memory directory with `/` between parts. `before` is the text the agent had read (None:
    there was no such file): whoever applies the change compares it, so that an edit made meanwhile is not lost.
    """

    file: str
    text: str | None
    before: str | None = None


@dataclass(frozen=True)
class Outcome:
    """What a run gave: staged changes, and why it stopped.

    `stopped` is one of end_turn, max_turns, max_input, max_tokens, budget, refusal, deadline, unavailable, or a stop
    reason of the API that we do not know. `refusals` are sentences for the journal, one for each tool call that was
    not allowed. `usd` is what the backend itself says it cost, 0 when it says nothing.
    """

    changes: tuple[Change, ...]
    turns: int
    text: str
    usage: Usage
    stopped: str
    refusals: tuple[str, ...] = ()
    reason: str = ""
    usd: float = 0.0


@dataclass(frozen=True)
class Request:
    """One question without tools; `deadline` in seconds, `max_output_tokens` for the answer."""

    system: str
    prompt: str
    deadline: float = 30.0
    max_output_tokens: int = 1024


@dataclass(frozen=True)
class Completion:
    """The answer to a `Request`: every text chunk joined. `stopped` is the API's own stop reason."""

    text: str
    usage: Usage = field(default_factory=Usage)
    stopped: str = "end_turn"
    usd: float = 0.0


class Unavailable(Exception):
    """Nobody could think: `reason` is for a person, `kind` for code, `usage` is what was spent all the same.

    Kinds: missing, old, auth, limit, overloaded, network, request, session (gone), deadline, answer, budget.
    """

    def __init__(self, reason: str, kind: str, usage: Usage | None = None, usd: float = 0.0) -> None:
        super().__init__(reason)
        self.usd = usd
        self.reason = reason
        self.kind = kind
        self.usage = usage or Usage()


Check = Callable[[str, str], str]
"""`check(file, text)`: the reason why this text may not be saved under this name, or "". The model sees the reason."""


def accept(file: str, text: str) -> str:
    """The check that has no objection."""
    return ""


class Thinker(Protocol):
    """What every backend can do; both raise `Unavailable` and nothing else for faults outside this program."""

    def complete(self, request: Request) -> Completion: ...

    def run_agent(self, task: Task, *, check: Check = accept) -> Outcome: ...
