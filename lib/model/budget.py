"""How much may still be spent today: the daily budget against the ledger. Over it the rules think. Req: J3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from lib.model import ledger


class Options(Protocol):
    """The part of the settings that is asked here: our own options by name."""

    def option(self, name: str) -> object: ...


@dataclass(frozen=True)
class Budget:
    """US dollars of the person's calendar day; `limit` 0 = no model at all."""

    limit: float
    spent: float

    @property
    def left(self) -> float:
        return max(0.0, self.limit - self.spent)

    def refusal(self, estimate: float = 0.0) -> str:
        """Why a call of this estimated cost may not start, as a sentence, or ""."""
        if self.left <= 0:
            return f"the daily budget of ${self.limit:.2f} is used up (${self.spent:.2f} spent)"
        if estimate > self.left:
            return (
                f"a call of about ${estimate:.2f} would exceed the daily budget of ${self.limit:.2f} "
                f"(${self.spent:.2f} spent)"
            )
        return ""


def today(config: str, settings: Options, now: float) -> Budget:
    """The budget of the day that `now` lies in; the ledger of all projects counts, since one person pays."""
    value = settings.option("budget.dailyUsd")
    limit = float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else 0.0
    return Budget(limit, sum(entry.usd for entry in ledger.since(config, ledger.day_start(now), now)))
