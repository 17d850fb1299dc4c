"""One sub-agent's run as the hooks see it: whose it is, where its memories lie, or why nothing happens. Req: F1."""

from __future__ import annotations

import os

from lib.agents import scopes
from lib.host.call import session_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.agents.scopes import Scope
    from lib.host.call import Call

FOLDER = "agents"  # in the project's state: one journal for each run, apart from the sessions'


class Seat:
    """`scope` is None when nothing happens; `problem` then says what the log should tell, "" for nothing at all.

    `run` names the run's own journal, so that two runs of one agent that end at once lose nothing.
    """

    __slots__ = ("agent", "problem", "run", "scope")

    def __init__(self, call: Call) -> None:
        self.agent = call.payload.text("agent_type")
        id = session_name(call.payload.text("agent_id"))
        self.run = f"{call.session}.{id}" if id else ""
        self.scope: Scope | None = None
        self.problem = ""
        if not self.agent:
            return  # the client's own helpers, one that compacts a session among them
        self.problem = scopes.unsafe(self.agent) or ("" if id else "a sub-agent's event without an agent_id")
        if self.problem:
            return
        found = scopes.of(self.agent, call.launch, call.env, call.state)
        if found is not None:
            self.problem = found.astray() or _taken(found, call)
            self.problem = self.problem and f"the memory of {self.agent} is not used: {self.problem}"
            self.scope = None if self.problem else found


def journals(state: str) -> str:
    """Where the runs' journals lie, beside those of the project's sessions."""
    return os.path.join(state, FOLDER)


def _taken(scope: Scope, call: Call) -> str:
    """Two kinds of memory in one directory would write each other's files."""
    own, main = os.path.realpath(scope.memory), os.path.realpath(call.memory) if call.memory else ""
    return "it is the project's own memory directory" if own == main else ""
