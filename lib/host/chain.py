"""The conversation that a session would go on with, rebuilt from its transcript as the client does. Req: E2, E3.

Checked against what the client sends on `--resume`: the branch it noted last, else the one written last; from the last
compaction on, with the messages that stayed; all results of tools that ran side by side.
"""

from __future__ import annotations

from lib.host import speaker, tree
from lib.host.aside import SUMMARY_KEYS, Asides
from lib.host.transcript import objects, opened
from lib.host.tree import BOUNDARY, CARRIER, NONE, SIDE, TALK, Tree
from lib.host.turns import Joiner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from lib.host.aside import FileVersion
    from lib.host.transcript import Tool


class Message:
    """One entry's words. `role`: human, assistant, or summary for what the client wrote when it compacted."""

    __slots__ = ("offset", "role", "text", "time", "tools", "uuid")

    def __init__(self, role: str, text: str, uuid: str = "", time: str = "", offset: int = -1) -> None:
        self.role = role
        self.text = text
        self.uuid = uuid
        self.time = time
        self.offset = offset
        self.tools: list[Tool] = []


class Chain:
    """The live conversation, oldest first. `files`: path -> what its newest snapshot on this branch says of it."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.files: dict[str, FileVersion] = {}
        self.attribution: dict[str, object] = {}
        self.title = ""
        self.skipped = 0  # unreadable lines
        self.entries = 0  # entries in the file, those of other branches included

    def __iter__(self) -> Iterator[Message]:
        return iter(self.messages)

    def __len__(self) -> int:
        return len(self.messages)

    def __getitem__(self, place: int) -> Message:
        return self.messages[place]


def live_chain(path: str) -> Chain:
    """The conversation of a transcript; empty when nobody said anything. Never raises on content, OSError passes."""
    read = tree.read(path)
    chain = Chain()
    chain.skipped, chain.entries = read.skipped, len(read)
    wanted = whole_replies(read, path_to(read, leaf(read)))
    names = {number: uuid for uuid, number in read.number.items()} if wanted else {}
    asides = Asides({names[here] for here in wanted})
    with opened(path, buffered=True) as file:
        for offset in read.asides:
            for entry in _at(file, offset):
                asides.add(entry, offset)
    chain.files, chain.attribution, chain.title = asides.files, asides.attribution, asides.title
    _fill(chain, path, read, wanted, names, asides)
    return chain


def leaf(read: Tree) -> int:
    """The entry to go on from: the newest below the one that the client noted, else the newest; NONE for none."""
    noted = read.number.get(read.last_leaf, NONE)
    elsewhere = bytearray(len(read))
    for here in range(len(read) - 1, -1, -1):
        if read.kind[here] & SIDE or not read.kind[here] & (TALK | CARRIER):
            continue
        if noted == NONE or _leads_to(read, here, noted, elsewhere):
            return here
    return NONE


def _leads_to(read: Tree, here: int, above: int, elsewhere: bytearray) -> bool:
    """Whether `above` is an ancestor; a compaction between them does not part them. `elsewhere`: known not to be."""
    while here != NONE and not elsewhere[here]:
        if here == above:
            return True
        elsewhere[here] = 1
        here = _older(read, here)
    return False


def _older(read: Tree, here: int) -> int:
    if read.kind[here] & BOUNDARY and read.parent[here] == NONE:
        return read.number.get(read.logical.get(here, ""), NONE)
    return read.parent[here]


def path_to(read: Tree, here: int) -> list[int]:
    """The entries from the root, or from the last compaction, to `here`.

    Where a cycle closes it goes on as with a parent that is nowhere: at the entry before in the file.
    """
    seen = bytearray(len(read))
    found: list[int] = []
    talk = False
    while here != NONE and not seen[here]:
        seen[here] = 1
        found.append(here)
        talk = talk or bool(read.kind[here] & TALK)
        if read.kind[here] & BOUNDARY and talk:
            break
        # A boundary behind which nothing stands was never completed: what came before is the conversation still.
        older = _older(read, here)
        here = read.before(here) if older != NONE and seen[older] else older
    return found[::-1]


def whole_replies(read: Tree, line: list[int]) -> list[int]:
    """The line with what belongs to its replies: tools that ran side by side fork, and the line follows one of them."""
    there = set(line)
    found: list[int] = []
    for here in line:
        parts = [here]
        if id := read.reply.get(here):
            for other in read.replies[id]:
                if other not in there and read.parent[other] in there and _same(read, read.parent[other], here, id):
                    there.add(other)
                    parts.append(other)
        for part in parts:
            forked = [n for n in read.results.get(part, ()) if n not in there and not read.kind[n] & SIDE]
            there.update(forked)
            found.extend([part, *forked])
    return found


def _same(read: Tree, parent: int, here: int, id: str) -> bool:
    """Whether a line below `parent` goes on the reply `id`, of which `here` is a part, and is no other answer."""
    return read.reply.get(parent) == id or parent == read.parent[here]


def _fill(chain: Chain, path: str, read: Tree, wanted: list[int], names: dict[int, str], asides: Asides) -> None:
    joiner = Joiner()
    with opened(path, buffered=True) as file:
        for here in wanted:
            for entry in _at(file, read.offset[here]):
                uuid = speaker.text_of(entry, "uuid")
                if uuid == names[here] or (not uuid and names[here].startswith("@")):
                    joiner.results(entry)
                    if message := message_of(entry, joiner, read.offset[here]):
                        chain.messages.append(message)
                    break
    for tool in (tool for message in chain.messages for tool in message.tools):
        tool.result = asides.replaced.get(tool.id, tool.result)
    chain.messages = asides.collapsed(chain.messages, Message)


def message_of(entry: dict[str, object], joiner: Joiner, offset: int) -> Message | None:
    """What an entry says in the conversation, or None: results, hooks, meta entries and API errors say nothing."""
    if entry.get("isSidechain") is True:
        entry = {**entry, "isSidechain": False}  # in a sub-agent's own file this is the conversation
    uuid, time = speaker.text_of(entry, "uuid"), speaker.text_of(entry, "timestamp")
    if text := _summary(entry):
        return Message("summary", text, uuid, time, offset)
    if text := speaker.human_text(entry):
        return Message("human", text, uuid, time, offset)
    texts, tools = joiner.reply(entry)
    if not texts and not tools:
        return None
    message = Message("assistant", "\n".join(texts), uuid, time, offset)
    message.tools = tools
    return message


def _summary(entry: dict[str, object]) -> str:
    if tree.kind_of(entry) == "context_collapse_snapshot":
        return next((text for key in SUMMARY_KEYS if (text := speaker.text_of(entry, key))), "")
    if entry.get("type") != "user" or entry.get("isCompactSummary") is not True:
        return ""
    message = entry.get("message")
    return speaker.spoken(message.get("content") if isinstance(message, dict) else entry.get("content"))


def _at(file: BinaryIO, offset: int) -> list[dict[str, object]]:
    file.seek(offset)
    return objects(file.readline().rstrip(b"\n")) or []
