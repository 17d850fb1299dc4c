"""`memory.py review [accept|reject NAME]`: what an agent proposed and code held back. Req: J9."""

from __future__ import annotations

import time

from lib.cli.place import Place, Trouble
from lib.memory import checks, freshness, held, history, transaction
from lib.memory.held import Proposal
from lib.memory.transaction import Change
from lib.recall.escaping import visible


def run(arguments: list[str], place: Place) -> int:
    """Without arguments show what is held; with `accept NAME` or `reject NAME` settle one."""
    if not arguments:
        return _show(held.proposals(place.state))
    if len(arguments) != 2 or arguments[0] not in ("accept", "reject"):
        raise Trouble("review takes nothing, `accept NAME` or `reject NAME`, but was given " + " ".join(arguments))
    proposal = _named(place, arguments[1])
    if arguments[0] == "accept":
        _accept(place, proposal)
    held.discard(place.state, proposal.file)
    print(visible(f"{proposal.file}: {'saved' if arguments[0] == 'accept' else 'rejected'}"))
    return 0


def _show(proposals: list[Proposal]) -> int:
    for proposal in proposals:
        age = freshness.words(proposal.time, time.time())
        print(visible(f"{proposal.file} ({age}, session {proposal.session[:8]}): {proposal.reason}"))
        print("\n".join(f"  | {line}" for line in visible(proposal.text).rstrip().split("\n")))
    hint = "; settle one with `review accept NAME` or `review reject NAME`" if proposals else ""
    print(f"{len(proposals)} held back{hint}")
    return 0


def _named(place: Place, name: str) -> Proposal:
    for proposal in held.proposals(place.state):
        if proposal.file.removesuffix(".md") == name.removesuffix(".md"):
            return proposal
    raise Trouble(f"nothing is held back under the name {name!r}; `memory.py review` shows what is")


def _accept(place: Place, proposal: Proposal) -> None:
    """The person's word makes it a memory; what is wrong in its form still keeps it out."""
    if why := checks.check(proposal.file, proposal.text):
        raise Trouble(why)
    if transaction.current(place.memory, proposal.file) is not None:
        raise Trouble(
            f"{proposal.file} exists already; edit it yourself, then `memory.py review reject {proposal.file}`"
        )
    author = history.author(place.memory, place.state, "review", proposal.session, f"{proposal.file} accepted")
    problem = transaction.apply(place.memory, [Change(proposal.file, proposal.text, None)], author)[proposal.file]
    if problem:
        raise Trouble(f"{proposal.file} could not be saved: {problem}")
