"""What one consolidation works on, and what it reports. Req: G3, J2."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field

from lib.host.settings import Settings
from lib.memory.transaction import Change

ROW = 2_000  # bytes of rows that one line of the journal names


@dataclass(frozen=True)
class Scene:
    """One project's memory directory and state; `transcripts` are the sessions since the last time, newest first."""

    memory: str
    state: str
    launch: str
    settings: Settings
    env: Mapping[str, str]
    today: datetime.date
    session: str = ""
    transcripts: tuple[str, ...] = ()
    seconds: float = 200.0  # that a model may take, within the worker's own deadline


@dataclass
class Report:
    """`ok`: it was a consolidation. `rows` hold (action, file, why); `refused` says why nothing was written."""

    ok: bool = False
    backend: str = "none"
    reason: str = ""
    refused: str = ""
    rows: list[tuple[str, str, str]] = field(default_factory=list)
    dropped: tuple[str, ...] = ()
    dangling: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    details: dict[str, object] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)

    def left_out(self, problems: Mapping[str, str]) -> None:
        """Turn the rows of changes that were not written into DROP rows with their reasons."""
        self.rows = [
            ("DROP", file, problem) if (problem := problems.get(file, "")) else (action, file, why)
            for action, file, why in self.rows
        ]

    def row(self) -> dict[str, object]:
        """The journal's fields, within one line: of many rows the first are named and the rest counted."""
        named: list[list[str]] = []
        size = 0
        for row in self.rows:
            size += sum(len(part) for part in row) + 12
            if size > ROW:
                break
            named.append(list(row))
        more = len(self.rows) - len(named)
        return {
            "ok": self.ok, "backend": self.backend, "reason": (self.refused or self.reason)[:300], "changes": named,
            **({"more_changes": more} if more else {}), **self.details,
        }  # fmt: skip


def summary(rows: list[tuple[str, str, str]]) -> str:
    """`3 merged, 1 removed`: what a consolidation did, for one line."""
    words = {"MERGE": "merged", "REMOVE": "removed", "UPDATE": "updated", "CREATE": "created", "INDEX": "index tidied"}
    counts = {word: len({file for action, file, _ in rows if action == name}) for name, word in words.items()}
    told = [word if name == "INDEX" else f"{counts[word]} {word}" for name, word in words.items() if counts[word]]
    return ", ".join(told) or "nothing to change"
