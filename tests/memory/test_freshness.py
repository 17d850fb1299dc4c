"""Age in words, and a caveat for what is older than a day."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.memory import freshness

DAY = 86_400.0


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (0, "today"), (1, "today"), (DAY - 1, "today"), (DAY, "yesterday"), (2 * DAY - 1, "yesterday"),
        (2 * DAY, "2 days ago"), (47 * DAY + 5, "47 days ago"), (400 * DAY, "400 days ago"), (-1, "today"),
        (-9 * DAY, "today"),
    ],
)  # fmt: skip
def test_age_is_told_in_whole_days_and_the_future_is_today(age: float, words: str) -> None:
    now = 1_800_000_000.0
    assert freshness.words(now - age, now) == words
    assert bool(freshness.caveat(now - age, now)) is words.endswith("ago")


def test_the_caveat_names_the_age_and_asks_for_a_check() -> None:
    assert freshness.caveat(0.0, 47 * DAY) == (
        "Noted 47 days ago and true then: check it against the code as it is now before relying on it."
    )


@given(st.floats(-1e12, 1e12), st.floats(-1e12, 1e12))
def test_no_age_is_negative_and_an_older_memory_never_looks_younger(then: float, now: float) -> None:
    assert freshness.days(then, now) >= 0
    assert freshness.days(then - DAY, now) >= freshness.days(then, now)
