"""What both ends of the team protocol have to agree on: address, checksums, keys, sizes. Req: H1, H2."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping

from lib.memory.names import unsafe_name

ADDRESS = "/api/claude_code/team_memory"
EMPTY = "empty"  # what If-Match says when nothing is stored yet
FOLDER = "team"  # below the memory directory; keys are relative to it
ENTRY_BYTES = 250 * 1024  # of one memory, as UTF-8
BODY_BYTES = 200 * 1024  # of one request, as it is sent


def checksum(text: str) -> str:
    """`sha256:<hex>` over the UTF-8 bytes of one entry; UnicodeEncodeError for a lone surrogate. Req: H1."""
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def overall(checksums: Mapping[str, str]) -> str:
    """`sha256:<hex>` over the sorted `key NUL hex LF` lines of all entries: equal exactly when these are. Req: H1."""
    lines = (f"{key}\0{value.removeprefix('sha256:')}\n" for key, value in sorted(checksums.items()))
    return "sha256:" + hashlib.sha256("".join(lines).encode()).hexdigest()


def unsafe_key(key: object) -> str:
    """Why a memory may not have this key, in one sentence, or "": the rules of agent writes, below the team's folder.

    Req: H1.
    """
    return unsafe_name(f"{FOLDER}/{key}") if isinstance(key, str) and key else unsafe_name(key)


def folded(key: str) -> str:
    """Equal for two keys that some file system takes for the same file (other case, other composition). Req: H1."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", key).casefold())
