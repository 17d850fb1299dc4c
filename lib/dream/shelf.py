"""The memories as one consolidation works on them: a staged copy, nothing on the disk changes. Req: G3, J1."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass, field

from lib.memory import archive, files, frontmatter, store, transaction
from lib.memory.store import Memory
from lib.memory.transaction import Change

INDEX_LIMIT = 4_000_000  # bytes

@dataclass
class Shelf:
    """`before` and `now` hold whole texts by file; what is None in `now` was removed. `times` are nanoseconds.

    `fixed` files are as the person wants them: they took a change of them back.
    """

    before: dict[str, str] = field(default_factory=dict)
    now: dict[str, str | None] = field(default_factory=dict)
    times: dict[str, int] = field(default_factory=dict)
    needs: dict[str, set[str]] = field(default_factory=dict)
    rows: list[tuple[str, str, str]] = field(default_factory=list)
    fixed: frozenset[str] = frozenset()
    _read: dict[str, tuple[str, Memory]] = field(default_factory=dict)
    _sound: dict[str, tuple[str, bool]] = field(default_factory=dict)

    def files(self) -> list[str]:
        """The files that may be worked on."""
        return [file for file in self.there() if file not in self.fixed]

    def there(self) -> list[str]:
        return sorted(file for file, text in self.now.items() if text is not None)

    def memory(self, file: str) -> Memory:
        """The memory as it is staged now, whole; read once for each text."""
        text = self.now[file] or ""
        known = self._read.get(file)
        if known is None or known[0] != text:
            known = self._read[file] = (text, Memory(file, text, self.times.get(file, 0) / 1e9))
        return known[1]

    def sound(self, file: str) -> bool:
        """Whether the file can be written anew without losing what its frontmatter says."""
        text = self.now[file] or ""
        known = self._sound.get(file)
        if known is None or known[0] != text:
            known = self._sound[file] = (text, not frontmatter.parse(text).problem)
        return known[1]

    def stage(self, file: str, text: str, why: str, action: str = "UPDATE") -> None:
        self.now[file] = text
        self.rows.append((action, file, why))

    def remove(self, file: str, into: str, why: str) -> None:
        """Take a file away because what it says stands in `into`; it goes only if that is written."""
        self.now[file] = None
        self.needs.setdefault(file, set()).add(into)
        self.rows.append(("REMOVE", file, why))

    def changes(self) -> list[Change]:
        """What differs, as one transaction; a file that takes over another's content is part of it in any case."""
        holders = {into for needed in self.needs.values() for into in needed}
        found = []
        for file, text in self.now.items():
            before = self.before.get(file)
            if text == before and file not in holders:
                continue
            # A changed wording is no new observation: the age stays, and one microsecond tells caches that it changed.
            mtime = self.times[file] + (1_000 if text != before else 0) if before is not None else 0
            if text is not None or before is not None:
                found.append(Change(file, text, before, needs=self.needs.get(file, ()), mtime_ns=mtime))
        return found


def read(directory: str, taken_back: Collection[tuple[str, str]] = ()) -> Shelf:
    """The directory's topic files that can be read as text, whole; those in a version that was taken back are fixed."""
    shelf = Shelf()
    for entry in store.entries(directory):
        text = transaction.current(directory, entry.file)
        if text is not None:
            shelf.before[entry.file] = shelf.now[entry.file] = text
            shelf.times[entry.file] = entry.mtime_ns
    if taken_back:
        shelf.fixed = frozenset(
            file for file, text in shelf.before.items()
            if (file, archive.version(text.encode("utf-8", "surrogateescape"))) in taken_back
        )  # fmt: skip
    return shelf


def index_text(directory: str) -> str | None:
    """MEMORY.md as it is, None when there is none that can be read."""
    try:
        return files.read(directory, store.INDEX, INDEX_LIMIT).decode("utf-8", "surrogateescape")
    except OSError:
        return None


def exists(directory: str) -> bool:
    return bool(directory) and os.path.isdir(directory)
