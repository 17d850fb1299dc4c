"""What a team's store can do, whichever it is: read all, read the checksums, write with the state it was made for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True)
class Snapshot:
    """Everything in the store. `checksum` is wire.EMPTY when nothing was ever stored; `authors`: key -> who, if told.

    Keys and texts are as they came: nothing is judged yet. `damaged`: key -> why its text could not be read.
    """

    checksum: str
    entries: Mapping[str, str]
    authors: Mapping[str, str] = field(default_factory=dict)
    damaged: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Hashes:
    """The checksum of everything and, by key, of each entry."""

    checksum: str
    entries: Mapping[str, str]


class Store(Protocol):
    """All may raise StoreProblem. `body_limit`: bytes that one `put` may take, encoded; 0 for no limit."""

    @property
    def body_limit(self) -> int: ...

    def fetch_all(self, known: str = "") -> Snapshot | None:
        """Everything, or None when the store's checksum still is `known`."""

    def fetch_hashes(self) -> Hashes: ...

    def put(self, entries: Mapping[str, str], if_match: str) -> str:
        """Store these entries beside the others if the checksum still is `if_match`; the new one. Raises Moved."""
