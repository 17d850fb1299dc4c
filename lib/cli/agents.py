"""`memory.py agents [snapshot AGENT | AGENT VERB ...] [--json]`: sub-agents with memories of their own. Req: F1, F2.

Without arguments each agent, its scope, how many memories, how old the newest is and what becomes of its snapshot.
`snapshot AGENT` writes them to .claude/agent-memory-snapshot/AGENT/ for version control. `AGENT VERB` is one of list,
show, search, history, diff, undo, review on that agent's memory; an agent with several scopes is AGENT/user,
AGENT/project or AGENT/local.

JSON: project, agents (each: agent, scope, memory, count, newest (seconds since the epoch or null), snapshot: outcome,
reason, updated, files, refused, altered; held: how many wait for review).
"""

from __future__ import annotations

import importlib
import os
import time
from dataclasses import replace

from lib.agents import ignored, scopes, snapshot, synced
from lib.agents.scopes import Scope
from lib.agents.snapshot import Decision, Snapshot
from lib.cli import screen
from lib.cli.arguments import given
from lib.cli.place import Place, Trouble, Usage
from lib.memory import freshness, held, store

USAGE = "agents [snapshot AGENT | AGENT VERB ...] [--json]"
VERBS = {"list": "listing", "show": "show", "search": "search", "history": "history", "diff": "diff", "undo": "undo",
         "review": "review"}  # fmt: skip


def run(arguments: list[str], place: Place) -> int:
    """List the agents, write a snapshot, or run another verb on one agent's memory."""
    if len(arguments) > 1 and arguments[0] != "snapshot" and not arguments[0].startswith("-"):
        if arguments[1] not in VERBS:
            raise Usage(f"{arguments[1]!r} is no verb for an agent's memory; those are {', '.join(VERBS)}")
        status: int = importlib.import_module(f"lib.cli.{VERBS[arguments[1]]}").run(
            arguments[2:], of(place, named(place, arguments[0]))
        )
        return status
    asked = given(USAGE, arguments, most=2)
    if asked.names and (asked.names[0] != "snapshot" or len(asked.names) != 2):
        raise Usage(f"agents takes nothing, `snapshot AGENT` or `AGENT VERB`, but was given {' '.join(asked.names)!r}")
    return _write(named(place, asked.names[1])) if asked.names else _list(place, asked.json)


def known(place: Place) -> list[Scope]:
    """The scopes that there are in this project, those whose directory leads astray left out."""
    found = scopes.known(os.getcwd(), os.environ, place.state)
    return [scope for scope in found if not scope.astray()]


def of(place: Place, scope: Scope) -> Place:
    """The place that the other verbs take for an agent's memory."""
    ignored.shield(scope)
    return replace(place, memory=scope.memory, state=scope.state)


def named(place: Place, name: str) -> Scope:
    """The scope that AGENT or AGENT/SCOPE means. Raises Trouble."""
    agent, _, kind = name.rpartition("/") if name.rpartition("/")[2] in scopes.FOLDERS else (name, "", "")
    every = known(place)
    found = [one for one in every if agent in (one.agent, one.name) and kind in ("", one.kind)]
    if len(found) == 1:
        return found[0]
    if found:
        told = " or ".join(f"{one.agent}/{one.kind}" for one in found)
        raise Trouble(f"{name!r} has more than one memory; say {told}")
    there = ", ".join(sorted({one.agent for one in every})) or "none"
    raise Trouble(f"no agent {name!r} keeps a memory here; those that do: {there} (`memory: project` in its file)")


def _list(place: Place, as_json: bool) -> int:
    now = time.time()
    rows = [(scope, store.scan(scope.memory, 100_000), *_snapshot(scope, now)) for scope in known(place)]
    if as_json:
        screen.emit({"project": place.root, "agents": [
            {"agent": scope.agent, "scope": scope.kind, "memory": scope.memory, "count": len(memories),
             "newest": memories[0].mtime if memories else None, "held": len(held.proposals(scope.state)),
             "snapshot": {"outcome": decision.outcome, "reason": decision.reason, "updated": found.updated,
                          "files": len(found.files), "refused": dict(found.refused), "altered": list(found.altered)}}
            for scope, memories, found, decision in rows
        ]})  # fmt: skip
        return 0
    if not rows:
        screen.say("No sub-agent here keeps a memory: `memory: user|project|local` in .claude/agents/X.md gives one.")
        return 0
    screen.table(
        [
            (scope.agent, scope.kind, _count(len(memories), "memory", "memories"),
             freshness.words(memories[0].mtime, now) if memories else "-", _told(found, decision))
            for scope, memories, found, decision in rows
        ],
        {0: "cyan", 3: "dim"},
    )  # fmt: skip
    for scope, _, found, _ in rows:
        for name, why in found.refused.items():
            screen.say(f"  {scope.agent}: {name} of the snapshot is not used: {why}")
        if found.altered:
            screen.say(f"  {scope.agent}: changed since the snapshot was made: {', '.join(found.altered[:5])}")
        if waiting := len(held.proposals(scope.state)):
            screen.say(f"  {scope.agent}: {waiting} held back for you: memory.py review")
    return 0


def _snapshot(scope: Scope, now: float) -> tuple[Snapshot, Decision]:
    found = snapshot.read(scope, now)
    return found, snapshot.decide(snapshot.texts(scope.memory), found, synced.load(scope))


def _told(found: Snapshot, decision: Decision) -> str:
    if found.problem == snapshot.ABSENT:
        return "no snapshot"
    if found.problem:
        return f"snapshot not used: {found.problem}"
    day = time.strftime("%Y-%m-%d", time.localtime(found.updated))
    what = "" if decision.outcome == "none" else f"{decision.outcome}, at the agent's next start; "
    return f"snapshot of {day}, {_count(len(found.files), 'file')}: {what}{decision.reason}"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _write(scope: Scope) -> int:
    folder = os.path.realpath(scope.snapshot)
    if folder != os.path.join(os.path.realpath(scope.root), ".claude", scopes.SNAPSHOTS, scope.name):
        raise Trouble(f"{scope.snapshot} is a link that leads elsewhere; remove it and run this again")
    if not store.entries(scope.memory):
        raise Trouble(f"{scope.agent} remembers nothing yet ({scope.memory}), so there is nothing to write")
    made, left = snapshot.write(scope, time.time())
    synced.note_made(scope, made)
    for name, why in left.items():
        screen.say(f"  left out  {name}: {why}")
    count = _count(len(made.files), "memory", "memories")
    screen.say(f"{count} of {scope.agent} in {scope.snapshot}; commit it to share them")
    return 0
