"""What tokens cost: list prices in US dollars for a million tokens, each table with its date. Pure. Req: J3.

Seen on the date below in what Claude Code 2.1.332 charges for each model. Estimates are made from them; where the
client states what a run cost, the dearer figure counts.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from lib.model.task import Usage

DATE = "2026-11-30"
MILLION = 1_000_000


class Price(NamedTuple):
    """US dollars for a million tokens of each kind."""

    input: float
    output: float
    cache_read: float
    cache_write: float


# The name's beginning, without `claude-`; the longest that matches counts.
PRICES: dict[str, Price] = {
    "fable": Price(8.0, 40.0, 0.2, 10.0),
    "opus": Price(4.0, 20.0, 0.2, 5.0),
    "sonnet": Price(2.0, 10.0, 0.1, 2.5),
    "haiku": Price(0.1, 0.5, 0.01, 0.125),
    "haiku-4": Price(1.0, 5.0, 0.1, 1.25),
}
DEAREST = max(PRICES.values())


def price(model: str) -> Price:
    """The row for a model's name (`claude-` and a context suffix aside); of an unknown one the dearest is assumed."""
    name = re.sub(r"\[.*", "", model.strip().casefold())
    name = name.rpartition("claude-")[2] or name
    rows = [row for row in PRICES if name.startswith(row)]
    return PRICES[max(rows, key=len)] if rows else DEAREST


def cost(model: str, usage: Usage) -> float:
    """US dollars for these tokens of this model."""
    row = price(model)
    return (
        usage.input * row.input
        + usage.output * row.output
        + usage.cache_read * row.cache_read
        + usage.cache_write * row.cache_write
    ) / MILLION
