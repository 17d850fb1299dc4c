"""No secret is recalled, and a text that was found clean once is not searched again in every hook. Req: A6, C3."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.memory.store import Memory

FILE = "clean.txt"
LIMIT = 64_000  # bytes of remembered versions; beyond it the list begins anew
_WIDTH = 17  # `checksum-length`, eight digits each


def hidden(memory: Memory, state: str) -> Memory:
    """The memory with each secret in it replaced by its kind; `state` holds the list of texts known to be clean."""
    joined = f"{memory.file}\n{memory.description}\n{memory.body}"
    if without_secrets(joined, state) != joined:
        from lib.memory.secrets import redact

        memory.description, memory.body = redact(memory.description), redact(memory.body)
    return memory


def without_secrets(text: str, state: str) -> str:
    """The text with each secret in it replaced by its kind; searched once, then known by its checksum."""
    mark, path = _mark(text), os.path.join(state, FILE)
    known = _read(path)
    if mark in known:
        return text
    from lib.memory.secrets import redact

    redacted = redact(text)
    if redacted == text:
        _note(path, mark, os.O_APPEND if len(known) * (_WIDTH + 1) < LIMIT else os.O_TRUNC)
    return redacted


def _mark(text: str) -> bytes:
    import binascii

    raw = text.encode("utf-8", "replace")
    return b"%08x-%08x" % (binascii.crc32(raw), len(raw) & 0xFFFFFFFF)


def _read(path: str) -> frozenset[bytes]:
    try:
        with open(path, "rb", buffering=0) as file:
            return frozenset(file.read(2 * LIMIT).split(b"\n"))
    except OSError:
        return frozenset()


def _note(path: str, mark: bytes, how: int) -> None:
    """One write of a whole line: two hooks at once lose nothing; where none can be written the search is repeated."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | how | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except OSError:
        return
    try:
        os.write(descriptor, mark + b"\n")
    except OSError:
        return
    finally:
        os.close(descriptor)
