"""The history as plain copies, for machines without git: a line for each entry, a file for each version. Req: J1."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass

from lib.host import replacement
from lib.memory.archive import ArchiveProblem, Entry, read_entry

LINES = "entries.jsonl"
COPIES = "versions"


@dataclass(frozen=True)
class CopyArchive:
    """`folder` holds `entries.jsonl` and `versions/<hash>`; it is made when the first entry is added."""

    folder: str

    def head(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for entry in reversed(self.entries()):
            for name, (_, after) in entry.files.items():
                if after is None:
                    found.pop(name, None)
                else:
                    found[name] = after
        return found

    def add(self, entry: Entry, contents: Mapping[str, bytes]) -> None:
        """The versions first, so that a line never speaks of one that is not there."""
        try:
            os.makedirs(os.path.join(self.folder, COPIES), mode=0o700, exist_ok=True)
            for name, (_, after) in entry.files.items():
                if after is not None:
                    self._keep(after, contents[name])
            self._append(entry.line.encode("ascii") + b"\n")
        except OSError as error:
            raise ArchiveProblem(f"{self.folder}: {error}") from error

    def entries(self) -> list[Entry]:
        """Newest first; a torn line is passed over."""
        try:
            with open(os.path.join(self.folder, LINES), "rb") as file:
                rows = file.read().split(b"\n")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise ArchiveProblem(f"{self.folder}: {error}") from error
        found = []
        for row in rows:
            ident = hashlib.sha1(row, usedforsecurity=False).hexdigest()[:12]
            if row and (entry := read_entry(ident, row.decode("ascii", "replace"))):
                found.append(entry)
        return found[::-1]

    def content(self, version: str) -> bytes:
        try:
            with open(os.path.join(self.folder, COPIES, version), "rb") as file:
                return file.read()
        except OSError as error:
            raise ArchiveProblem(f"{self.folder}: {error}") from error

    def _keep(self, version: str, data: bytes) -> None:
        path = os.path.join(self.folder, COPIES, version)
        if os.path.exists(path):
            return
        replacement.put(path, data)

    def _append(self, line: bytes) -> None:
        with open(os.path.join(self.folder, LINES), "ab+") as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":
                    line = b"\n" + line  # a writer died inside its line
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
