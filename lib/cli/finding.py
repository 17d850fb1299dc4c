"""One part that was looked at, and which ailment it has."""

from __future__ import annotations

from dataclasses import dataclass

from lib.cli.ailments import BY_ID


@dataclass(frozen=True)
class Row:
    """One part: `what`, what was `found`, and which ailment that is ("" = it is well); `host` is another agent's."""

    what: str
    found: str
    ailment: str = ""
    remedy: str = ""  # more exact than the table's, where that is known
    host: str = ""

    @property
    def fix(self) -> str:
        return self.remedy or (BY_ID[self.ailment].fix if self.ailment else "")

    @property
    def mendable(self) -> bool:
        return bool(self.ailment and BY_ID[self.ailment].mends)
