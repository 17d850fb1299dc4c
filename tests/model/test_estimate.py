"""A fork or a fresh run: the cheaper one, by sizes and prices, and never beyond what one run may read."""
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.host.usage import LONG_LIFE, SHORT_LIFE, LastRequest
from lib.model import estimate
from lib.model.estimate import Plan

NOW = 1_800_000_000.0
SMALL, LARGE = "claude-haiku-5-5", "claude-opus-5-5"


def last(context: int, model: str = LARGE, age: float = 10.0, life: float = SHORT_LIFE) -> LastRequest:
    return LastRequest(model, context, NOW - age, life)


def plan(
    request: LastRequest | None, wanted: str = "auto", model: str = SMALL, most: int = 10**9, obstacle: str = ""
) -> Plan:
    return estimate.plan(
        wanted, request, model, fork_characters=6_000, delta_characters=8_000, now=NOW, most_tokens=most,
        obstacle=obstacle,
    )  # fmt: skip


def test_a_large_context_of_a_large_model_is_read_afresh_by_a_small_one() -> None:
    made = plan(last(100_000))
    assert made.mode == "delta" and made.usd < estimate.fork(last(100_000), 6_000, NOW)
    assert "fork $" in made.reason and "delta $" in made.reason


def test_a_small_warm_context_of_the_same_model_is_forked() -> None:
    assert plan(last(4_000, "claude-sonnet-5-5"), model="claude-sonnet-5-5").mode == "fork"


def test_a_context_that_has_gone_cold_is_as_dear_as_new() -> None:
    warm, cold = last(50_000), last(50_000, age=SHORT_LIFE + 1)
    assert estimate.fork(cold, 0, NOW) > 5 * estimate.fork(warm, 0, NOW)
    assert estimate.fork(last(50_000, age=SHORT_LIFE + 1, life=LONG_LIFE), 0, NOW) == estimate.fork(warm, 0, NOW)


@pytest.mark.parametrize("wanted", ["auto", "fork"])
def test_what_cannot_be_forked_is_read_afresh_and_why_is_said(wanted: str) -> None:
    assert plan(last(10), wanted, obstacle="the folder is gone").reason == "the folder is gone"
    assert plan(None, wanted).mode == "delta"
    over = plan(last(50_000), wanted, most=90_000)
    assert over.mode == "delta" and "budget.runInputTokens" in over.reason


def test_the_person_s_choice_holds() -> None:
    assert plan(last(10), "delta").mode == "delta"
    assert plan(last(100_000), "fork").mode == "fork"


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**5))
def test_an_estimate_is_positive_and_grows_with_what_is_read(context: int, more: int, characters: int) -> None:
    few, many = (estimate.fork(last(size), characters, NOW) for size in (context, context + more))
    assert 0 < few <= many
    assert 0 < estimate.fresh(SMALL, characters) <= estimate.fresh(SMALL, characters + more)
