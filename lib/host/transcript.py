"""The session's transcript, read forward from a byte offset: append-only JSONL that may be torn anywhere. Req: E1."""

from __future__ import annotations

from lib.host import jsontext, speaker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import BinaryIO

    from lib.host.chain import Chain

CHUNK = 1 << 18  # bytes a read
LINE_LIMIT = 16_000_000  # bytes; a longer line is passed over, its neighbours are not
FINGERPRINT = 256  # bytes at the start of the file that tell it from another one of the same name


class Tool:
    """One tool use of the main agent: its name and the path it was given, if any.

    Its input and its result (None: not there yet, or nobody asked) are only filled in by `turns` and `live_chain`.
    """

    __slots__ = ("failed", "given", "id", "name", "path", "result")

    def __init__(self, name: str, path: str, id: str = "", given: Mapping[str, object] | None = None) -> None:
        self.name = name
        self.path = path
        self.id = id
        self.given = given or {}
        self.result: str | None = None
        self.failed = False


class Turn:
    """What was said from one human prompt to the next. `human` holds (uuid, text) pairs; offsets are bytes."""

    __slots__ = ("assistant", "end", "human", "prompt_id", "start", "time", "tools")

    def __init__(self, start: int, prompt_id: str = "", time: str = "") -> None:
        self.start = start
        self.end = start
        self.prompt_id = prompt_id
        self.time = time
        self.human: list[tuple[str, str]] = []
        self.assistant: list[str] = []
        self.tools: list[Tool] = []


class Span:
    """The turns between two offsets; `end` lies behind the last complete line, `skipped` counts unreadable ones."""

    __slots__ = ("end", "skipped", "turns")

    def __init__(self, start: int) -> None:
        self.end = start
        self.turns: list[Turn] = []
        self.skipped = 0


def opened(path: str, *, buffered: bool = False) -> BinaryIO:
    """The transcript's bytes; one that was archived (`.gz`) reads like the file it was, offsets included."""
    if path.endswith(".gz"):
        import gzip

        return gzip.open(path, "rb")  # type: ignore[return-value]  # reads and seeks like a file
    return open(path, "rb", buffering=-1 if buffered else 0)


def turns(path: str, since: int = 0, *, session: str = "", known: frozenset[str] = frozenset()) -> Iterator[Turn]:
    """The turns from byte `since` on, each as soon as the next begins, with the results of their tools; see `turns`.

    To go on later, start again where the last turn starts: it may not have been over. OSError passes through.
    """
    from lib.host import turns as reader  # not for the hooks, which want no results

    return reader.turns(path, since, session=session, known=known)


def live_chain(path: str) -> Chain:
    """The conversation as the client would resume it: without abandoned branches, from the last compaction on."""
    from lib.host import chain

    return chain.live_chain(path)


def lines(path: str, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
    """Each complete line in [start, stop) with the offset behind it; only 0x0A ends a line; OSError passes through.

    A line over LINE_LIMIT is yielded as b"" so that the offset still moves on.
    """
    with opened(path) as file:
        file.seek(start)
        offset = start
        parts: list[bytes] = []
        size = 0
        while stop is None or offset < stop:
            chunk = file.read(CHUNK if stop is None else min(CHUNK, stop - offset))
            if not chunk:
                return
            at = 0
            while (cut := chunk.find(b"\n", at)) >= 0:
                if size:
                    parts.append(chunk[at:cut])
                    size += cut - at
                    yield offset + cut + 1, b"".join(parts) if size <= LINE_LIMIT else b""
                    parts, size = [], 0
                else:
                    yield offset + cut + 1, chunk[at:cut] if cut - at <= LINE_LIMIT else b""
                at = cut + 1
            size += len(chunk) - at
            if size <= LINE_LIMIT:
                parts.append(chunk[at:])
            else:
                parts = []
            offset += len(chunk)


def speaks(line: bytes) -> bool:
    """Whether somebody may speak on this line: what is not worth taking apart is most of a transcript.

    The last three are those of other hosts, which name neither a user nor an assistant (see `dialect`).
    """
    return (
        b'"assistant"' in line
        or b'"user"' in line
        or b'"queued_command"' in line
        or b'"gemini"' in line
        or b'"function_call"' in line
        or b'"custom_tool_call"' in line
    )


def _only_results(line: bytes) -> bool:
    """Whether a line holds nothing but what tools answered: most bytes of a session, and nobody's words.

    A quote inside a string is escaped, so this word between plain quotes is the kind of a block, not somebody's text.
    """
    return (
        b'"tool_result"' in line
        and b'"assistant"' not in line
        and b'"parts"' not in line
        and b"}{" not in line
        and b"} {" not in line
    )


def objects(line: bytes) -> list[dict[str, object]] | None:
    """The JSON objects on one line (mostly one), or None when nothing on it can be read; never raises.

    Lines that another host wrote come in the client's own form.
    """
    foreign = b'"parts"' in line
    text = (line.replace(b"\0", b"") if b"\0" in line else line).decode("utf-8", "replace").strip()
    found: list[dict[str, object]] = []
    at = 0
    while at < len(text):
        try:
            value, at = jsontext.decode(text, at)
        except (ValueError, RecursionError):
            return found or None
        if isinstance(value, dict):
            found.append(value if "uuid" in value and not foreign else _plain(value))
        while at < len(text) and text[at] in " \t\r":
            at += 1
    return found or None


def _plain(value: dict[str, object]) -> dict[str, object]:
    from lib.host import dialect  # not for the client's own lines

    return dialect.plain(value)


def span(
    path: str, start: int = 0, stop: int | None = None, *, session: str = "", known: frozenset[str] = frozenset(),
    side: bool = False,
) -> Span:  # fmt: skip
    """The turns of [start, stop): who really said what. Entries of another session or already `known` are left out.

    With `side` the file is a sub-agent's: its prompts are what the agent that started it said, nobody's own words.
    Never raises on content; OSError of the file itself passes through.
    """
    result = Span(start)
    seen: set[str] = set()
    for end, line in lines(path, start, stop):
        before, result.end = result.end, end
        if (results := _only_results(line)) or not speaks(line):
            # Not worth parsing, but a line that is no object is damage and counts as such.
            result.skipped += not (line.startswith(b"{") and line[-2:].rstrip().endswith(b"}"))
            if results and result.turns:
                result.turns[-1].end = end
            continue
        entries = objects(line)
        if entries is None:
            result.skipped += 1
            continue
        for entry in entries:
            if side:
                entry.pop("isSidechain", None)
            uuid = speaker.text_of(entry, "uuid")
            other = session and speaker.text_of(entry, "sessionId") not in ("", session)
            if (uuid and (uuid in seen or mark_of(uuid) in known)) or other:
                continue
            seen.add(uuid)
            _place(result, entry, uuid, before)
        if result.turns:
            result.turns[-1].end = end
    return result


def mark_of(uuid: str) -> str:
    """The short form under which a handled entry is remembered."""
    return uuid[:13]


def _place(result: Span, entry: dict[str, object], uuid: str, offset: int) -> None:
    if said := speaker.human_text(entry):
        prompt_id = speaker.text_of(entry, "promptId")
        last = result.turns[-1] if result.turns else None
        if last is None or not prompt_id or prompt_id != last.prompt_id:
            last = Turn(offset, prompt_id, speaker.text_of(entry, "timestamp"))
            result.turns.append(last)
        last.human.append((uuid, said))
        return
    texts, tools = speaker.assistant_parts(entry)
    if not texts and not tools:
        return
    if not result.turns:
        result.turns.append(Turn(offset))  # the rest of a turn whose prompt lies before the cursor
    result.turns[-1].assistant.extend(texts)
    result.turns[-1].tools.extend(Tool(name, target) for name, target in tools)


def fingerprint(path: str, length: int = FINGERPRINT) -> str:
    """What tells this file from another of the same name: `<bytes looked at>:<their checksum>`."""
    import binascii

    with open(path, "rb", buffering=0) as file:
        head = file.read(length)
    return f"{len(head)}:{binascii.crc32(head):08x}"


def replaced(path: str, before: str) -> bool:
    """Whether the file is another one than when `before` was taken; it may have grown since."""
    length = before.partition(":")[0]
    return length.isdecimal() and length.isascii() and fingerprint(path, int(length)) != before
