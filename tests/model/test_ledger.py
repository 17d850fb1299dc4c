"""The ledger holds every call for good and never invents one; the budget is what it leaves of a day."""
from __future__ import annotations

import json
import math
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.host.settings import Settings
from lib.model import budget, ledger
from lib.model.ledger import Entry

NOON = time.mktime((2026, 11, 30, 12, 0, 0, 0, 0, -1))
DAY = 86_400.0


@pytest.fixture
def config(own_home: Path) -> str:
    return str(own_home / ".claude")


def entry(t: float, usd: float = 0.25, **fields: object) -> Entry:
    return Entry(t, "/p", "extract", "claude", "claude-sonnet-5-5", usd=usd, **fields)  # type: ignore[arg-type]


def settings(limit: object) -> Settings:
    return Settings({}, {"budget.dailyUsd": limit}, [])


def test_what_was_noted_comes_back_over_the_end_of_a_month(config: str) -> None:
    made = [entry(NOON + n * DAY, mode="fork", cache_read=7, estimate=0.5, rounds=2) for n in range(4)]
    for one in reversed(made):
        ledger.add(config, one)
    assert ledger.since(config, NOON, NOON + 3 * DAY) == made
    assert ledger.since(config, NOON + DAY, NOON + 2 * DAY) == made[1:3]
    assert sorted(path.name for path in Path(config, "memory-hooks", "ledger").iterdir()) == [
        "2026-11.jsonl", "2026-12.jsonl"
    ]  # fmt: skip


def test_a_torn_or_forged_line_is_passed_over(config: str) -> None:
    ledger.add(config, entry(NOON))
    path = Path(config, "memory-hooks", "ledger", "2026-11.jsonl")
    good = json.loads(path.read_text())
    wrong = [{**good, "usd": -5}, {**good, "usd": "1"}, {**good, "input": True}, {**good, "usd": 1e300}, 7]
    lines = [*map(json.dumps, wrong), '{"t": NaN}', '{"t": 1', "\x00", "[" * 50_000]
    path.write_text(path.read_text() + "\n".join(lines) + "\n" + json.dumps(good) + "\n")
    assert ledger.since(config, 0, NOON + 1) == [entry(NOON)] * 2


def test_today_is_the_person_s_day_and_counts_every_project(config: str) -> None:
    start = ledger.day_start(NOON)
    assert time.localtime(start)[3:6] == (0, 0, 0)
    for at in (start - 1, start, NOON, NOON + 1):
        ledger.add(config, entry(at))
    assert budget.today(config, settings(1.0), NOON).spent == 0.5


@pytest.mark.parametrize(
    ("limit", "spent", "estimate", "said"),
    [(1.0, 0.5, 0.4, ""), (1.0, 0.5, 0.6, "would exceed"), (1.0, 1.0, 0.0, "used up"), (0.0, 0.0, 0.0, "used up")],
)
def test_a_call_that_would_exceed_the_day_does_not_start(
    limit: float, spent: float, estimate: float, said: str
) -> None:
    refusal = budget.Budget(limit, spent).refusal(estimate)
    assert (said in refusal) and bool(refusal) is bool(said)


@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_what_is_left_is_never_less_than_nothing(limit: float, spent: float) -> None:
    left = budget.Budget(limit, spent).left
    assert 0 <= left <= limit and math.isclose(left, max(0.0, limit - spent))


@pytest.mark.parametrize("limit", [True, "1", None])
def test_a_limit_that_is_no_number_is_no_budget(config: str, limit: object) -> None:
    assert budget.today(config, settings(limit), NOON).refusal()
