"""Every model has a price, an unknown one the dearest: an estimate that is too low would spend the person's money."""
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.model.catalog import DEFAULTS
from lib.model.prices import DEAREST, PRICES, cost, price
from lib.model.task import Usage


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("claude-sonnet-5-5", "sonnet"), ("sonnet", "sonnet"), ("claude-opus-5-5[1m]", "opus"),
        ("us.anthropic.claude-haiku-4-5-20251001-v1:0", "haiku-4"), ("claude-haiku-5-5", "haiku"),
        (" Claude-Fable-5-2 ", "fable"),
    ],
)  # fmt: skip
def test_a_name_finds_its_row(name: str, row: str) -> None:
    assert price(name) == PRICES[row]


@pytest.mark.parametrize("name", ["", "gpt-7", "claude-", "[1m]"])
def test_an_unknown_model_costs_what_the_dearest_does(name: str) -> None:
    assert price(name) == DEAREST


def test_every_default_model_has_a_row_of_its_own() -> None:
    assert all(price(name) != DEAREST for name in DEFAULTS.values())


def test_each_kind_of_token_has_its_price() -> None:
    usage = Usage(input=1_000_000, output=1_000_000, cache_read=1_000_000, cache_write=1_000_000)
    assert cost("claude-sonnet-5-5", usage) == pytest.approx(2.0 + 10.0 + 0.1 + 2.5)


@given(st.text(max_size=40), st.integers(0, 10**9), st.integers(0, 10**9))
def test_more_tokens_never_cost_less(name: str, few: int, more: int) -> None:
    assert cost(name, Usage(input=few)) <= cost(name, Usage(input=few + more))
