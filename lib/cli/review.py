"""`memory.py review [accept|reject NAME] [--json]`: what an agent proposed and code held back. Req: J9.

JSON: held (each: file, text, reason, session, time (seconds since the epoch), replaces (the digest of the text that it
takes the place of, or ""), agent (whose memory it is meant for, "" = the project's)).
"""

from __future__ import annotations

import time
from dataclasses import asdict

from lib.cli import screen, waiting
from lib.cli.arguments import given
from lib.cli.diff import changed
from lib.cli.place import Place, Trouble, Usage
from lib.cli.waiting import Waiting
from lib.memory import checks, freshness, held, history, transaction
from lib.memory.held import Proposal
from lib.memory.transaction import Change

USAGE = "review [accept|reject NAME] [--json]"


def run(arguments: list[str], place: Place) -> int:
    """Without arguments show what is held; with `accept NAME` or `reject NAME` settle one."""
    asked = given(USAGE, arguments, most=2)
    arguments = asked.names
    if not arguments and asked.json:
        screen.emit({"held": [{**asdict(one.proposal), "agent": one.agent} for one in waiting.everywhere(place)]})
        return 0
    if not arguments:
        return _show(waiting.everywhere(place))
    if len(arguments) != 2 or arguments[0] not in ("accept", "reject"):
        raise Usage("review takes nothing, `accept NAME` or `reject NAME`, but was given " + " ".join(arguments))
    one = waiting.named(place, arguments[1])
    if arguments[0] == "accept":
        _accept(one.place, one.proposal)
    held.discard(one.place.state, one.proposal.file)
    screen.say(f"{one.name}: {'saved' if arguments[0] == 'accept' else 'rejected'}")
    return 0


def _show(every: list[Waiting]) -> int:
    for one in every:
        proposal = one.proposal
        age = freshness.words(proposal.time, time.time())
        whence = f", session {proposal.session[:8]}" if proposal.session else ""
        screen.say(f" ({age}{whence}): {proposal.reason}", one.name, "bold")
        # Of what is to take another text's place, what differs is what the person has to judge.
        before = transaction.current(one.place.memory, proposal.file) if proposal.replaces else None
        text = proposal.text if before is None else "\n".join(changed(proposal.file, before, proposal.text))
        screen.say("\n".join(f"  | {line}" for line in text.rstrip().split("\n")))
    hint = "; settle one with `review accept NAME` or `review reject NAME`" if every else ""
    screen.say(f"{len(every)} held back{hint}")
    return 0


def _accept(place: Place, proposal: Proposal) -> None:
    """The person's word makes it a memory; what is wrong in its form still keeps it out."""
    if why := checks.check(proposal.file, proposal.text):
        raise Trouble(why)
    before = transaction.current(place.memory, proposal.file)
    if before is not None and transaction.digest(before) != proposal.replaces:
        raise Trouble(
            f"{proposal.file} exists already; edit it yourself, then `memory.py review reject {proposal.file}`"
        )
    author = history.author(place.memory, place.state, "review", proposal.session, f"{proposal.file} accepted")
    problem = transaction.apply(place.memory, [Change(proposal.file, proposal.text, before)], author)[proposal.file]
    if problem:
        raise Trouble(f"{proposal.file} could not be saved: {problem}")
