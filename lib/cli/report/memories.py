"""The memories of a project as cards: what they say, where that came from, what they link to, what no longer holds."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence

from lib.cli.place import Place
from lib.cli.report.records import Card, Held, Link
from lib.memory import held, store
from lib.memory.store import Memory
from lib.recall import evidence

MOST = 1000  # memories, the newest
SECONDS = 0.4  # for looking up what they name
_LINK = re.compile(r"\[\[([^\[\]\n|#]{1,200})(?:[|#][^\[\]\n]{0,200})?\]\]")
_SOURCES = {"user": "your own words", "model": "noted by the model"}

Recalls = Mapping[str, tuple[int, float]]  # file -> how often, when last


def cards(place: Place, recalls: Recalls) -> tuple[tuple[Card, ...], int]:
    """(the newest MOST memories, newest first, the team's among them; how many there are)."""
    memories, total = scanned(place.memory)
    found = evidence.findings(memories, place.root, place.state, SECONDS)
    names = named(memories)
    made = []
    for memory in memories:
        finding = found.get(memory.file)
        count, last = recalls.get(memory.file, (0, 0.0))
        made.append(Card(
            memory.file, memory.type or "untyped", memory.statement, memory.body.strip(), memory.mtime,
            source(memory), memory.fields.get("metadata.originSessionId", ""), memory.fields.get("metadata.quote", ""),
            links(memory.body, names), tuple(finding.notes) if finding else (), bool(finding and finding.stale),
            memory.problem, count, last,
        ))  # fmt: skip
    return tuple(made), total


def scanned(directory: str) -> tuple[list[Memory], int]:
    """The person's memories and the team's, whose files are named by their folder, as everywhere."""
    shared = os.path.join(directory, store.TEAM)
    found = store.scan(directory, limit=MOST)
    for memory in store.scan(shared, limit=MOST):
        memory.file = f"{store.TEAM}/{memory.file}"
        found.append(memory)
    found.sort(key=lambda memory: (-memory.mtime, memory.file))
    return found[:MOST], len(store.entries(directory)) + len(store.entries(shared))


def source(memory: Memory) -> str:
    """Where it came from, by its own word."""
    if memory.file.startswith(f"{store.TEAM}/"):
        author = memory.fields.get("team.author", "")
        return f"shared in the team by {author}" if author else "shared in the team"
    said = memory.fields.get("metadata.said_by", "")
    if said in _SOURCES:
        return _SOURCES[said]
    if memory.fields.get("metadata.node_type") or memory.fields.get("metadata.originSessionId"):
        return "written by the agent"
    return "written by hand, or by another tool"


def named(memories: Sequence[Memory]) -> dict[str, str]:
    """What a link may call a memory -> its file; file names win over names, the person's own over the team's."""
    shared = f"{store.TEAM}/"
    ordered = sorted(memories, key=lambda memory: (not memory.file.startswith(shared), memory.mtime))
    found = {store.fold(memory.name): memory.file for memory in ordered}
    return {**found, **{store.fold(memory.file[:-3].removeprefix(shared)): memory.file for memory in ordered}}


def links(body: str, names: Mapping[str, str]) -> tuple[Link, ...]:
    """The links of a body, each target once, in order."""
    targets = dict.fromkeys(match[1].strip().removesuffix(".md") for match in _LINK.finditer(body))
    return tuple(Link(target, names.get(store.fold(target), "")) for target in targets if target)


def waiting(place: Place) -> tuple[Held, ...]:
    return tuple(Held(one.file, one.reason, one.time) for one in held.proposals(place.state))
