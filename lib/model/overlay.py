"""The memory files as this run sees them: what is on disk, under the changes that are staged and not yet written.

Nothing here writes to the disk. A file counts as read whole when every line of its present text has been shown.
Req: B3, J1.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from lib.memory.store import fold
from lib.model.files_inside import read_inside
from lib.model.task import Change

MAX_CHANGES = 40
MAX_TEXT_BYTES = 65_536


class Overlay:
    """Staged texts by relative name, and what the model has been shown of each memory file."""

    def __init__(self, memory_dir: str) -> None:
        self.root = os.path.realpath(memory_dir)
        self._staged: dict[str, str] = {}
        self._before: dict[str, str | None] = {}
        self._shown: dict[str, tuple[str, set[int]]] = {}

    def relative(self, path: str) -> str | None:
        """The name of a physical path below the memory directory, None when it lies elsewhere."""
        return path[len(self.root) + 1 :] if path.startswith(self.root + os.sep) else None

    def staged(self, relative: str) -> str | None:
        return self._staged.get(relative)

    def staged_names(self) -> Iterator[str]:
        return iter(sorted(self._staged))

    def current(self, relative: str) -> str | None:
        """The present text of a memory file, None when there is none. Raises OSError, ValueError (not UTF-8)."""
        if relative in self._staged:
            return self._staged[relative]
        try:
            data = read_inside(self.root, relative, MAX_TEXT_BYTES + 1)
        except FileNotFoundError:
            return None
        if len(data) > MAX_TEXT_BYTES:
            # Half a file must never stand for the whole one.
            raise OSError(27, f"over {MAX_TEXT_BYTES:,} bytes", relative)
        return data.decode("utf-8")

    def show(self, relative: str, text: str, lines: range) -> None:
        """Note that these lines (counted from 0) of this text were shown in full."""
        known = self._shown.get(relative)
        seen = known[1] if known is not None and known[0] == text else set()
        self._shown[relative] = (text, seen | set(lines))

    def read_whole(self, relative: str, text: str) -> bool:
        """True when every line of exactly this text has been shown in this run."""
        known = self._shown.get(relative)
        return known is not None and known[0] == text and len(known[1]) >= text.count("\n") + 1

    def stage(self, relative: str, text: str, present: str | None) -> None:
        """Stage a whole new text; the first `present` text stays the one the change is compared with."""
        self._before.setdefault(relative, present)
        self._staged[relative] = text
        self.show(relative, text, range(text.count("\n") + 1))

    def full(self, relative: str) -> bool:
        return relative not in self._staged and len(self._staged) >= MAX_CHANGES

    def twin(self, relative: str) -> str:
        """Another file that could be taken for this one (case, accents, separators), or ""."""
        folder, _, name = relative.rpartition("/")
        try:
            names = os.listdir(os.path.join(self.root, folder))
        except OSError:
            names = []
        names += [n.rpartition("/")[2] for n in self._staged if n.rpartition("/")[0] == folder]
        return next((other for other in names if other != name and fold(other) == fold(name)), "")

    def changes(self) -> tuple[Change, ...]:
        """What differs from before, in the order in which it was first staged."""
        return tuple(
            Change(name, self._staged[name], before)
            for name, before in self._before.items()
            if self._staged[name] != before
        )
