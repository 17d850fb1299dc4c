"""Chosen memories made into the block that the model gets: no repeats, no secrets, what is gone is said."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from lib.host.call import Call
    from lib.journal import State
    from lib.memory.store import Memory

NEAR = 0.95  # of the best score: what lies within counts as equally good


class Showing:
    """`text` for the model; `shown`: file -> version; `dropped`: file -> why; `row`: more for the journal."""

    __slots__ = ("dropped", "row", "shown", "text")

    def __init__(self) -> None:
        self.text = ""
        self.shown: dict[str, str] = {}
        self.dropped: dict[str, str] = {}
        self.row: dict[str, object] = {}


def show(call: Call, state: State, ranked: Sequence[tuple[str, float]]) -> Showing:
    """The block for the ranked (file, score) pairs that the model does not have already; it may hold none."""
    from lib.host import paths
    from lib.memory import store, written
    from lib.recall import clean, delivery, render

    made = Showing()
    found = {file: memory for file, _ in ranked if (memory := store.load(call.memory, file))}
    own, shared = _apart([(file, score) for file, score in ranked if file in found])
    names = personal_first(own, found) + shared
    if shared:
        from lib.recall.shared import sign

        sign([found[file] for file in shared], call.state)
    rows = [(file, version(found[file]), found[file].fields.get("metadata.originSessionId", "")) for file in names]
    fresh = delivery.news(rows, state.shown, "" if state.compacted else call.session)[: render.MOST]
    if not fresh:
        return made
    kept, gone = _looked_up(call, [found[file] for file in fresh])
    kept.sort(key=lambda file: file in shared)  # whatever was found in the project
    made.dropped = {file: "all that it names is gone" for file in fresh if file not in kept}
    made.shown = {file: known for file, known, _ in rows if file in kept}
    outside = written.foreign(paths.directory_state(call.memory, call.state), call.memory, kept)
    told = [clean.hidden(found[file], call.state) for file in kept]
    made.text = render.memories(told, folder=call.memory, now=call.now, outside=outside, gone=gone)
    if outside:
        made.row["outside"] = outside
    if gone:
        made.row["gone"] = gone
    return made


def _apart(ranked: Sequence[tuple[str, float]]) -> tuple[list[tuple[str, float]], list[str]]:
    """(what is the person's own, with scores; the names of what the team shares)."""
    from lib.memory.store import TEAM

    own = [pair for pair in ranked if not pair[0].startswith(f"{TEAM}/")]
    return own, [file for file, _ in ranked if file.startswith(f"{TEAM}/")]


def _looked_up(call: Call, memories: list[Memory]) -> tuple[list[str], dict[str, list[str]]]:
    """(files that are shown, what is said to be gone of each)."""
    names = [memory.file for memory in memories]
    if not any("`" in text or "/" in text for memory in memories for text in (memory.body, memory.description)):
        return names, {}  # nothing in them can be looked up
    from lib.host import paths
    from lib.recall import evidence

    looked = evidence.findings(memories, paths.checkout(call.launch), call.state)
    kept = evidence.order(names, looked, frozenset(memory.file for memory in memories if personal(memory)))
    return kept, {file: looked[file].notes for file in kept if file in looked and looked[file].notes}


def personal(memory: Memory) -> bool:
    """Whether it tells what the person is or wants, rather than what is known."""
    return memory.type in ("user", "feedback")


def personal_first(ranked: Sequence[tuple[str, float]], found: dict[str, Memory]) -> list[str]:
    """The files best first; among equally good ones the person's own first. Req: C1."""
    order: list[str] = []
    left = sorted(ranked, key=lambda pair: -pair[1])
    while left:
        equal = [pair for pair in left if pair[1] >= NEAR * left[0][1]] or left[:1]
        order += sorted((file for file, _ in equal), key=lambda file: not personal(found[file]))
        left = left[len(equal) :]
    return order


def version(memory: Memory) -> str:
    """What tells whether the model has seen this text; a touched file is not a changed one."""
    import binascii

    text = f"{memory.description}\n{memory.body}"
    return f"{binascii.crc32(text.encode('utf-8', 'replace')):08x}"
