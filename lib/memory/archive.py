"""What a history is made of: entries that say who changed which files, and every version of each file by its hash.

Two archives keep them: git where it is installed (lib/memory/git_archive.py), plain copies where it is not
(lib/memory/copy_archive.py). Both name a version by the same hash. Req: J1.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from lib.memory import files, store

LIMIT = 4_000_000  # bytes; a larger file is no memory and is left out
LOGS = "logs"
OUTSIDE = "outside"  # whoever wrote past us: the person, an editor, the main agent, another machine

Versions = tuple["str | None", "str | None"]


class ArchiveProblem(OSError):
    """The archive cannot be read or written; the message says what it said."""


@dataclass(frozen=True)
class Note:
    """Who writes, in which session, and why, in a few words for a person."""

    who: str
    session: str = ""
    why: str = ""


@dataclass(frozen=True)
class Entry:
    """One step: `files` holds (before, after) hashes, None for no file; `times` nanoseconds of what came after."""

    id: str
    at: float
    note: Note
    files: Mapping[str, Versions]
    times: Mapping[str, int] = field(default_factory=dict)

    @property
    def line(self) -> str:
        """The entry as one line of JSON, without its id."""
        return json.dumps({
            "at": self.at, "who": self.note.who, "session": self.note.session, "why": self.note.why,
            "files": {file: list(versions) for file, versions in self.files.items()}, "times": dict(self.times),
        })  # fmt: skip


class Archive(Protocol):
    """All may raise ArchiveProblem. `head` is the files as of the last entry, name -> hash."""

    def head(self) -> dict[str, str]: ...

    def add(self, entry: Entry, contents: Mapping[str, bytes]) -> None: ...

    def entries(self) -> list[Entry]: ...

    def content(self, version: str) -> bytes: ...


@dataclass(frozen=True)
class Seen:
    """The covered files of a directory as they are now: contents by name, and their times in nanoseconds."""

    contents: Mapping[str, bytes]
    times: Mapping[str, int]

    def versions(self) -> dict[str, str]:
        return {name: version(data) for name, data in self.contents.items()}


def version(data: bytes) -> str:
    """The name of a content: what git calls it, so that both archives speak of the same things."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def look(directory: str) -> Seen:
    """Read the index, every topic file, the daily logs and the team's memories.

    What is no regular file, or too large, is passed over.
    """
    contents: dict[str, bytes] = {}
    times: dict[str, int] = {}
    for name in (store.INDEX, *sorted(entry.file for entry in store.entries(directory)), *sorted(_deeper(directory))):
        try:
            data = files.read(directory, name, LIMIT + 1)
            times[name] = os.stat(os.path.join(directory, name), follow_symlinks=False).st_mtime_ns
        except (OSError, ValueError):
            continue
        if len(data) <= LIMIT:
            contents[name] = data
    return Seen(contents, times)


def _deeper(directory: str) -> list[str]:
    """The files of folders; what is made from files, an index, is none of them."""
    found = []
    for top in (LOGS, store.TEAM):
        for folder, _, names in os.walk(os.path.join(directory, top)):
            inside = os.path.relpath(folder, directory).replace(os.sep, "/")
            names = [name for name in names if name != store.INDEX]
            found += [f"{inside}/{name}" for name in names if not files.unsafe_name(f"{inside}/{name}")]
    return found


def read_entry(ident: str, line: str) -> Entry | None:
    """The entry that `line` wrote, None for anything else."""
    try:
        raw = json.loads(line)
        note = Note(str(raw["who"]), str(raw.get("session", "")), str(raw.get("why", "")))
        changed = {str(file): (_hash(pair[0]), _hash(pair[1])) for file, pair in raw["files"].items()}
        times = {str(file): int(at) for file, at in raw.get("times", {}).items()}
        return Entry(ident, float(raw["at"]), note, changed, times)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        return None


def _hash(value: object) -> str | None:
    if value is None:
        return None
    if not (isinstance(value, str) and len(value) == 40 and set(value) <= set("0123456789abcdef")):
        raise ValueError(f"{value!r} is no hash")
    return value
