"""The entries of a transcript as a tree by `uuid` and `parentUuid`, small enough for a million of them. Req: E3."""

from __future__ import annotations

from array import array

from lib.host import speaker
from lib.host.transcript import lines, objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# What an entry is to the tree. Progress and entries of unknown types only link others.
TALK, CARRIER, SIDE, BOUNDARY = 1, 2, 4, 8
NONE = -1
_LINKED = (b'"uuid"', b'"leafUuid"', b'"user"', b'"assistant"')
# Entries beside the tree that change what it tells; the file they stand in is read again for them.
ASIDE = ("file_history_snapshot", "attribution_snapshot", "content_replacement", "context_collapse_snapshot")
_ASIDE_MARKS = (b"snapshot", b"replacement", b"collapse", b"-title", b'"summary"')
TITLES = ("custom_title", "ai_title", "summary")


def kind_of(entry: Mapping[str, object]) -> str:
    """The entry's type; the sources write `content_replacement` where the client writes `content-replacement`."""
    return speaker.text_of(entry, "type").replace("-", "_")


class Kept:
    """Messages before a compaction that stay in the conversation, behind the entry `anchor`."""

    __slots__ = ("anchor", "head", "tail", "uuids")

    def __init__(self, anchor: str, head: str, tail: str, uuids: list[str]) -> None:
        self.anchor = anchor
        self.head = head
        self.tail = tail
        self.uuids = uuids


class Tree:
    """Entries by their place in the file, each `uuid` once; offsets in bytes, NONE where there is none."""

    def __init__(self) -> None:
        self.number: dict[str, int] = {}
        self.parent = array("l")
        self.offset = array("q")
        self.kind = bytearray()
        self.logical: dict[int, str] = {}  # what stood before a boundary
        self.kept: dict[int, Kept] = {}
        self.reply: dict[int, str] = {}  # a line of the model's -> the reply it is a part of
        self.replies: dict[str, list[int]] = {}
        self.results: dict[int, list[int]] = {}
        self.asides = array("q")
        self.last_leaf = ""  # the client notes at the end of each turn where it stood
        self.skipped = 0
        self._later: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self.kind)

    def add(self, entry: Mapping[str, object], offset: int) -> None:
        """Take one entry in; one whose `uuid` is there already is dropped."""
        uuid = speaker.text_of(entry, "uuid")
        kind = kind_of(entry)
        if not uuid:
            if kind == "last_prompt":
                self.last_leaf = speaker.text_of(entry, "leafUuid") or self.last_leaf
            elif kind in ASIDE or kind in TITLES:
                self.asides.append(offset)
            if kind not in ("user", "assistant"):
                return
            uuid = f"@{offset}.{len(self.kind)}"  # the oldest files have no identities: one entry follows the other
        if uuid in self.number:
            return
        here = self.number[uuid] = len(self.kind)
        parent = speaker.text_of(entry, "parentUuid")
        self.parent.append(self.number.get(parent, NONE) if parent else NONE)
        if uuid.startswith("@"):
            self.parent[here] = self.before(here)
        if parent and parent not in self.number:
            self._later[here] = parent
        self.offset.append(offset)
        self.kind.append(_flags(entry, kind))
        if self.kind[here] & BOUNDARY:
            self._boundary(here, entry, parent)
        elif kind == "assistant":
            self._reply(here, entry)
        elif kind == "user" and self.parent[here] != NONE and speaker.tool_results(entry):
            self.results.setdefault(self.parent[here], []).append(here)

    def _boundary(self, here: int, entry: Mapping[str, object], parent: str) -> None:
        self.last_leaf = ""  # noted before the compaction: the conversation goes on behind it, whatever branch that was
        self.logical[here] = speaker.text_of(entry, "logicalParentUuid") or parent
        found = entry.get("compactMetadata")
        metadata = found if isinstance(found, dict) else {}
        segment, messages = metadata.get("preservedSegment"), metadata.get("preservedMessages")
        ends = segment if isinstance(segment, dict) else {}
        listed = messages if isinstance(messages, dict) else {}
        uuids = listed.get("uuids")
        anchor = speaker.text_of(listed, "anchorUuid") or speaker.text_of(ends, "anchorUuid")
        if anchor:
            names = [uuid for uuid in uuids if isinstance(uuid, str)] if isinstance(uuids, list) else []
            self.kept[here] = Kept(anchor, speaker.text_of(ends, "headUuid"), speaker.text_of(ends, "tailUuid"), names)

    def _reply(self, here: int, entry: Mapping[str, object]) -> None:
        message = entry.get("message")
        if isinstance(message, dict) and (id := speaker.text_of(message, "id")):
            known = self.replies.setdefault(id, [])
            known.append(here)
            self.reply[here] = id

    def settle(self) -> None:
        """Resolve what came out of order: parents further down, parents that never came, kept messages."""
        if self.kind and all(kind & SIDE for kind in self.kind):
            self.kind = bytearray(kind & ~SIDE for kind in self.kind)  # a sub-agent's own file
        for here, name in self._later.items():
            # A parent that is nowhere: the entry stands behind the one before it, as the client reads it.
            self.parent[here] = self.number.get(name, self.before(here))
        self._later.clear()
        for kept in self.kept.values():
            self._keep(kept)

    def before(self, here: int) -> int:
        here -= 1
        while here >= 0 and (self.kind[here] & SIDE or not self.kind[here] & (TALK | CARRIER)):
            here -= 1
        return here

    def _keep(self, kept: Kept) -> None:
        anchor = self.number.get(kept.anchor, NONE)
        chain = [self.number[uuid] for uuid in kept.uuids if uuid in self.number] or self._segment(kept)
        if anchor == NONE or not chain or anchor in chain:
            return
        for here, parent in enumerate(self.parent):
            if parent == anchor:
                self.parent[here] = chain[-1]
        for before, here in zip([anchor, *chain], chain, strict=False):
            self.parent[here] = before

    def _segment(self, kept: Kept) -> list[int]:
        """The entries from `head` to `tail`; none when the one does not lead to the other."""
        head, here = self.number.get(kept.head, NONE), self.number.get(kept.tail, NONE)
        found: list[int] = []
        while here != NONE and head != NONE and len(found) <= len(self):
            found.append(here)
            if here == head:
                return found[::-1]
            here = self.parent[here]
        return []


def _flags(entry: Mapping[str, object], kind: str) -> int:
    flags = SIDE if entry.get("isSidechain") is True else 0
    if kind in ("user", "assistant"):
        return flags | TALK
    if kind == "context_collapse_snapshot" or (kind == "system" and entry.get("subtype") == "compact_boundary"):
        return flags | CARRIER | BOUNDARY
    return flags | CARRIER if kind in ("system", "attachment") else flags


def entries(path: str, start: int = 0) -> Iterator[tuple[int, list[dict[str, object]] | None]]:
    """Offset and objects of each line that may matter to a tree; None for damage. OSError passes through."""
    for end, line in lines(path, start):
        if any(mark in line for mark in _LINKED) or any(mark in line for mark in _ASIDE_MARKS):
            yield end - len(line) - 1, objects(line)
        elif not (line.startswith(b"{") and line[-2:].rstrip().endswith(b"}")):
            yield end - len(line) - 1, None


def read(path: str) -> Tree:
    """The tree of a whole file; never raises on content, OSError passes through."""
    tree = Tree()
    for offset, found in entries(path):
        tree.skipped += found is None
        for entry in found or ():
            tree.add(entry, offset)
    tree.settle()
    return tree
