"""Where the team's memories and our state for them lie, and what the folder holds. Nothing outside it is ever read."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator

from lib.memory import files
from lib.memory.store import INDEX
from lib.team import wire
from lib.team.sync import Local

_DEEPEST = 4  # folders looked into; a key has fewer


def state_folder(state: str) -> str:
    """Our state for the team, made when it is not there."""
    place = os.path.join(state, wire.FOLDER)
    os.makedirs(place, mode=0o700, exist_ok=True)
    return place


def memory_name(key: str) -> str:
    """A key as a name below the memory directory."""
    return f"{wire.FOLDER}/{key}"


def folder(memory: str) -> str:
    return os.path.join(memory, wire.FOLDER)


def read(memory: str) -> Local:
    """The entries of memory/team: regular files with one name, UTF-8, not too large; the others are held, with why.

    Opened folder by folder from the memory directory on, so that a link in between leads nowhere. Req: H2.
    """
    texts: dict[str, str] = {}
    checksums: dict[str, str] = {}
    held: dict[str, str] = {}
    for key, found in _walk(folder(memory), "", 0):
        if key == INDEX or key.endswith("/" + INDEX):
            continue
        if why := wire.unsafe_key(key) or _irregular(found):
            held[key] = why
            continue
        try:
            raw = files.read(memory, memory_name(key), wire.ENTRY_BYTES + 1)
        except (OSError, ValueError) as error:
            held[key] = f"it cannot be read ({error})"
            continue
        checksums[key] = "sha256:" + hashlib.sha256(raw).hexdigest()
        if len(raw) > wire.ENTRY_BYTES:
            held[key] = f"it is over {wire.ENTRY_BYTES} bytes: shorten it"
            continue
        try:
            texts[key] = raw.decode()
        except UnicodeDecodeError:
            held[key] = "it is not UTF-8 text"
    return Local(texts, checksums, held)


def _walk(place: str, prefix: str, depth: int) -> Iterator[tuple[str, os.stat_result]]:
    try:
        with os.scandir(place) as listing:
            items = sorted(listing, key=lambda item: item.name)
    except OSError:
        return
    for item in items:
        if item.name.startswith("."):
            continue
        try:
            found = item.stat(follow_symlinks=False)
        except OSError:
            continue
        if stat.S_ISDIR(found.st_mode) and not item.name.endswith(".md"):
            if depth < _DEEPEST:
                yield from _walk(item.path, f"{prefix}{item.name}/", depth + 1)
        elif item.name.endswith(".md"):
            yield prefix + item.name, found


def _irregular(found: os.stat_result) -> str:
    if not stat.S_ISREG(found.st_mode):
        return "it is no regular file"
    return "it has a second name (hard link) elsewhere" if found.st_nlink > 1 else ""
