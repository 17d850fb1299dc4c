"""What the client says on stdin: one JSON object, read without waiting for the end of the pipe."""

from __future__ import annotations

import os
import time

from lib.host import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PATIENCE = 1.0  # seconds for a whole object; hosts have kept the pipe open for ever
QUIET = 0.02  # seconds without a byte after which the text so far is tried
LIMIT = 64_000_000  # bytes; a tool's response can be large, endless input is not a payload
_SCALARS = (str, int, float, bool)


class Payload:
    """One event's fields; each accessor answers "" for a field that is missing or of another type."""

    __slots__ = ("fields", "problem")

    def __init__(self, fields: Mapping[str, object], problem: str = "") -> None:
        self.fields = fields
        self.problem = problem

    def text(self, key: str) -> str:
        value = self.fields.get(key)
        return whole(value) if isinstance(value, str) else ""

    def flag(self, key: str) -> bool:
        return self.fields.get(key) is True

    def mapping(self, key: str) -> Mapping[str, object]:
        value = self.fields.get(key)
        return value if isinstance(value, dict) else {}


def whole(text: str) -> str:
    """The text with lone surrogates replaced, so that it can always be encoded."""
    if text.isascii():
        return text  # no search: the interpreter knows it of every text
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    return text


def parse(raw: bytes) -> Payload:
    """The first JSON object of `raw`; never raises, `problem` says what was wrong."""
    try:
        text = raw.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
        if not text:
            return Payload({}, "empty input")
        value, _ = jsontext.decode(text)
    except RecursionError:
        return Payload({}, "input nested too deeply")
    except ValueError:
        return Payload({}, "input is not JSON")
    if not isinstance(value, dict):
        return Payload({}, f"input is {type(value).__name__}, not an object")
    return Payload(value)


def read(descriptor: int = 0, patience: float = PATIENCE) -> Payload:
    """Read one object from a descriptor: done at its closing brace, at end of file or after `patience` seconds."""
    import select

    if os.isatty(descriptor):
        return Payload({}, "input is a terminal")
    deadline = time.monotonic() + patience
    chunks: list[bytes] = []
    size = tried = 0
    while True:
        left = deadline - time.monotonic()
        try:
            ready = select.select([descriptor], [], [], max(0.0, min(QUIET, left)))[0]
        except (OSError, ValueError):
            ready = [descriptor]  # Windows: select takes sockets only, so the read below waits
        if ready:
            chunk = os.read(descriptor, 1 << 16)
            chunks.append(chunk)
            size += len(chunk)
            if not chunk or size > LIMIT:
                break
            # An object that came in one piece is tried at once; one that drips, only when it grew or went quiet.
            if chunk.rstrip().endswith(b"}") and size >= tried + tried // 8:
                tried = size
                if (found := parse(b"".join(chunks))).fields:
                    return found
            continue
        if size > tried:
            tried = size
            if (found := parse(b"".join(chunks))).fields:
                return found
        if left <= 0:
            return Payload({}, "input did not end in time")
    return parse(b"".join(chunks)) if size <= LIMIT else Payload({}, "input too large")
