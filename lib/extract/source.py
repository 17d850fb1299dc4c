"""What an extraction works on, and what it reports. Req: B5, J2."""
from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from lib.host.settings import Settings
from lib.memory import store

ROW = 2_000  # bytes of changes that one line of the journal names


@dataclass(frozen=True)
class Source:
    """Whose turns: one session of one project, and where its memories and our state lie.

    With `words` the turns are a sub-agent's: its prompts are what another agent made of the person's words, which are
    these. What rests on none of them is nobody's rule. Req: F1, J9.
    """

    session: str
    launch: str
    memory: str
    settings: Settings
    env: Mapping[str, str]
    state: str = ""
    words: tuple[str, ...] | None = None


@dataclass
class Report:
    """What a run did, in the form the journal keeps: `changes` holds (action, file, reason) rows."""

    backend: str = "none"
    reason: str = ""
    cursor: int = 0
    turns: int = 0
    changes: list[tuple[str, str, str]] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    details: dict[str, object] = field(default_factory=dict)

    def refuse(self, problems: Mapping[str, str]) -> None:
        """Turn the rows of changes that could not be written into DROP rows with their reasons, the index's too."""
        self.changes = [
            ("DROP", file, problem)
            if action in ("CREATE", "UPDATE") and (problem := problems.get(file, ""))
            else (action, file, reason)
            for action, file, reason in self.changes
        ]
        if index := problems.get(store.INDEX):
            self.changes.append(("DROP", store.INDEX, f"the index waits for the next change ({index})"))


def day_of(timestamp: str) -> datetime.date:
    """The person's calendar day of a transcript timestamp (UTC); today when there is none."""
    try:
        return datetime.datetime.fromisoformat(timestamp.replace("Z", "+00:00")).astimezone().date()
    except ValueError:
        return datetime.date.today()


def row(report: Report) -> dict[str, object]:
    """The journal's fields of a report, within one line: of many changes the first are named and the rest counted."""
    named: list[object] = [list(change) for change in report.changes]
    while len(json.dumps(named)) > ROW:
        named.pop()
    more = len(report.changes) - len(named)
    return {
        "backend": report.backend, "reason": report.reason[:300], "turns": report.turns, "changes": named,
        **({"more_changes": more} if more else {}), **report.details,
    }  # fmt: skip
