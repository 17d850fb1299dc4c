"""The folders of one run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Scope:
    """Writes only below `memory_dir`; reads below it and below each of `read_roots`, the project first."""

    memory_dir: str
    read_roots: tuple[str, ...]


@dataclass(frozen=True)
class Denied:
    """A command that may not run, and one sentence that says why and what to do instead."""

    reason: str
