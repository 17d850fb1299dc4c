"""What waits for the person's word, in the project's memory and in those of its sub-agents. Req: J9, F2."""

from __future__ import annotations

from dataclasses import dataclass

from lib.cli import agents
from lib.cli.place import Place, Trouble
from lib.memory import held
from lib.memory.held import Proposal


@dataclass(frozen=True)
class Waiting:
    """One proposal, the place it belongs to, and the agent whose memory that is ("" = the project's)."""

    proposal: Proposal
    place: Place
    agent: str = ""

    @property
    def name(self) -> str:
        """What the person calls it: an agent's stands behind the agent."""
        return f"{self.agent}/{self.proposal.file}" if self.agent else self.proposal.file


def everywhere(place: Place) -> list[Waiting]:
    """The project's own first, each newest first."""
    found = [Waiting(proposal, place) for proposal in held.proposals(place.state)]
    for scope in agents.known(place):
        if scope.state != place.state:
            there = agents.of(place, scope)
            label = scope.agent if scope.kind == "project" else f"{scope.agent}/{scope.kind}"
            found += [Waiting(proposal, there, label) for proposal in held.proposals(there.state)]
    return found


def named(place: Place, name: str) -> Waiting:
    """The one of that name. Raises Trouble."""
    every = everywhere(place)
    wanted = name.removesuffix(".md")
    exact = [one for one in every if one.name.removesuffix(".md") == wanted]
    found = exact or [one for one in every if one.proposal.file.removesuffix(".md") == wanted]
    if len(found) == 1:
        return found[0]
    if found:
        raise Trouble(f"{name!r} is held back more than once; say {' or '.join(one.name for one in found)}")
    raise Trouble(f"nothing is held back under the name {name!r}; `memory.py review` shows what is")
