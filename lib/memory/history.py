"""Every write to a memory directory, by whom and why, so that it can be shown and taken back. Req: J1.

What was changed past us (by the person, an editor, the main agent) is recorded first and as theirs, so an undo never
loses it. Call what writes under the directory's lock. The archive lies outside the memory directory.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lib.host import paths
from lib.memory import archive, git_archive, store
from lib.memory.archive import OUTSIDE, Archive, ArchiveProblem, Entry, Note, Seen
from lib.memory.copy_archive import CopyArchive
from lib.memory.git_archive import GitArchive

UNDO = "undo"
GIT, COPIES, PENDING = "history.git", "history", "history.pending"
BEGAN = "what was there when the history began"
_MEANWHILE = "changes made outside"


@dataclass(frozen=True)
class History:
    """The history of the memory directory `memory`, kept in the folder `place`."""

    memory: str
    place: str

    def catch_up(self) -> None:
        """Record what changed since the last entry: a killed writer's own work as its, all else as made outside."""
        seen = archive.look(self.memory)
        if pending := self._pending():
            self._record(seen, *pending)
        self._record(seen, Note(OUTSIDE, "", _MEANWHILE), None)
        self._settle()

    @contextlib.contextmanager
    def step(self, note: Note, names: Iterable[str]) -> Iterator[None]:
        """One entry around a write to the files `names` and the index. Raises ArchiveProblem before that write.

        A failure to record afterwards is mended by the next step, which finds the note that this one left.
        """
        os.makedirs(self.place, mode=0o700, exist_ok=True)
        self.catch_up()
        covered = {*names, store.INDEX}
        self._write_pending(note, covered)
        yield
        with contextlib.suppress(ArchiveProblem):
            self._record(archive.look(self.memory), note, covered)
            self._settle()

    def entries(self) -> list[Entry]:
        """Newest first. Raises ArchiveProblem."""
        return [entry for kept in self._archives() for entry in kept.entries()]

    def content(self, version: str | None) -> bytes | None:
        """A version of a file; None for "there was no file". Raises ArchiveProblem when it is not kept."""
        if version is None:
            return None
        for kept in self._archives()[:-1]:
            with contextlib.suppress(ArchiveProblem):
                return kept.content(version)
        return self._archives()[-1].content(version)

    def times(self) -> dict[tuple[str, str], int]:
        """When a file had a content, in nanoseconds, by (file, version). Raises ArchiveProblem."""
        found: dict[tuple[str, str], int] = {}
        for entry in self.entries():
            for file, (_, after) in entry.files.items():
                if after is not None and file in entry.times:
                    found[file, after] = entry.times[file]  # the oldest entry wins: the content is as old as that
        return found

    def taken_back(self) -> set[tuple[str, str]]:
        """(file, version) of everything that an undo has restored: nobody should do the same again by himself."""
        return {
            (file, after)
            for entry in self.entries() if entry.note.who == UNDO
            for file, (_, after) in entry.files.items() if after is not None
        }  # fmt: skip

    def _archives(self) -> list[Archive]:
        """The archive in use first. Copies that were once begun go on: a history does not change its place."""
        git, copies = GitArchive(os.path.join(self.place, GIT)), CopyArchive(os.path.join(self.place, COPIES))
        if not git_archive.available():
            return [copies]
        return [copies, git] if os.path.isdir(copies.folder) else [git]

    def _record(self, seen: Seen, note: Note, only: set[str] | None) -> None:
        try:
            self._add(self._archives()[0], seen, note, only)
        except ArchiveProblem:
            # A damaged repository must not end all remembering: go on with copies, the whole state first.
            copies = CopyArchive(os.path.join(self.place, COPIES))
            if os.path.isdir(copies.folder):
                raise
            self._add(copies, seen, note, None)

    def _add(self, kept: Archive, seen: Seen, note: Note, only: set[str] | None) -> None:
        before, now = kept.head(), seen.versions()
        changed = {
            name: (before.get(name), now.get(name))
            for name in sorted({*before, *now})
            if before.get(name) != now.get(name) and (only is None or name in only)
        }
        if not changed:
            return
        if not before and note.who == OUTSIDE:
            note = Note(OUTSIDE, "", BEGAN)
        times = {name: seen.times[name] for name, (_, after) in changed.items() if after is not None}
        contents = {name: seen.contents[name] for name in times}
        kept.add(Entry("", round(time.time(), 3), note, changed, times), contents)

    def _pending(self) -> tuple[Note, set[str]] | None:
        """What a writer was about to do when it was killed."""
        try:
            with open(os.path.join(self.place, PENDING), "rb") as file:
                raw = json.loads(file.read())
            note = Note(str(raw["who"]), str(raw["session"]), f"{raw['why']} (interrupted)")
            return note, {str(name) for name in raw["names"]}
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def _write_pending(self, note: Note, names: set[str]) -> None:
        data = {"who": note.who, "session": note.session, "why": note.why, "names": sorted(names)}
        with open(os.path.join(self.place, PENDING), "w", encoding="ascii") as file:
            json.dump(data, file)

    def _settle(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(self.place, PENDING))


@dataclass(frozen=True)
class Author:
    """Who is about to write, with the history that will say so: what a transaction is handed."""

    history: History
    note: Note

    def step(self, names: Iterable[str]) -> contextlib.AbstractContextManager[None]:
        return self.history.step(self.note, names)


def of(memory: str, state: str) -> History:
    """The history of a memory directory, kept in the project's state; a directory that several share has its own."""
    return History(memory, paths.directory_state(memory, state))


def author(memory: str, state: str, who: str, session: str = "", why: str = "") -> Author | None:
    """The author for a write of ours; None where there is no state folder to keep a history in."""
    return Author(of(memory, state), Note(who, session, why)) if state else None
