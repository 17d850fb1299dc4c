"""What the file tools share: the run's scope, the staged files, and errors that the model can act on."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from lib.model.files_inside import read_inside
from lib.model.overlay import Overlay
from lib.model.paths import Place, Refused, inside, readable, real_roots
from lib.model.scope import Scope
from lib.model.task import Check, accept

FILE_BYTES = 1_000_000


class ToolError(Exception):
    """One sentence for the model: what is wrong with its call and what to do."""


@dataclass(frozen=True)
class Sandbox:
    """One run: its folders, its staged files, and the check that a staged text must pass."""

    scope: Scope
    overlay: Overlay
    check: Check = accept
    roots: tuple[str, ...] = field(default=())

    @classmethod
    def of(cls, scope: Scope, check: Check = accept) -> Sandbox:
        return cls(scope, Overlay(scope.memory_dir), check, real_roots(scope.memory_dir, scope.read_roots))

    def place(self, given: object) -> str:
        """The physical path to read; a name that is staged is the staged file. Raises ToolError."""
        if isinstance(given, str) and self.overlay.staged(given) is not None:
            return os.path.join(self.overlay.root, given)
        place: Place | Refused = readable(given, self.scope.memory_dir, self.scope.read_roots)
        if isinstance(place, Refused):
            raise ToolError(place.reason)
        return place.path

    def project(self) -> str:
        """The folder that a search without a path starts in: the first read root, else the memory directory."""
        for root in self.scope.read_roots:
            real = os.path.realpath(root)
            if real in self.roots:
                return real
        return self.overlay.root

    def bytes_of(self, path: str, limit: int = FILE_BYTES) -> bytes:
        """At most `limit` bytes of a file as this run sees it. Raises OSError."""
        relative = self.overlay.relative(path)
        staged = self.overlay.staged(relative) if relative is not None else None
        if staged is not None:
            return staged.encode("utf-8", "replace")[:limit]
        root = next((root for root in self.roots if inside(path, root)), None)
        if root is None:
            raise PermissionError(13, "Outside the folders that may be read", path)
        return read_inside(root, path[len(root) + 1 :], limit)


def number(tool_input: Mapping[str, object], key: str, default: int, low: int, high: int) -> int:
    """A whole number of the input within its limits; models send them as strings too. Raises ToolError."""
    value = tool_input.get(key)
    if value is None:
        return default
    try:
        given = int(value) if isinstance(value, (int, float, str)) else None
    except (ValueError, OverflowError):
        given = None
    if given is None:
        raise ToolError(f"{key} must be a whole number.")
    return min(max(given, low), high)


def words(tool_input: Mapping[str, object], key: str) -> str:
    """A string of the input. Raises ToolError when it is missing, no string, or not text that can be stored."""
    value = tool_input.get(key)
    if not isinstance(value, str):
        raise ToolError(f"{key} is missing; give it as a string.")
    if any(0xD800 <= ord(c) <= 0xDFFF for c in value) or "\0" in value:
        raise ToolError(f"{key} has characters that cannot be stored; leave out NUL and lone surrogates.")
    return value
