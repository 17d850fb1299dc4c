"""Relative dates made absolute."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.memory.dates import absolute, dated

MONDAY = datetime.date(2026, 11, 30)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("due tomorrow", "due 2026-12-01"),
        ("freeze until Friday", "freeze until 2026-12-04"),
        ("from next Friday on", "from 2026-12-11 on"),
        ("since last Monday", "since 2026-11-23"),
        ("on March 5", "on 2027-03-05"),
        ("on 5 March 2028", "on 2028-03-05"),
        ("on Dec 1st", "on 2026-12-01"),
        ("on November 20", "on 2026-11-20"),
        ("next week", "the week of 2026-12-07"),
        ("next month", "2026-12"),
        ("next quarter", "Q1 2027"),
        ("end of this month", "2026-11-30"),
        ("in two weeks", "on 2026-12-14"),
        ("three days ago", "2026-11-27"),
        ("bis Freitag", "bis 2026-12-04"),
        ("明天上线", "2026-12-01上线"),
        ("every Friday", "every Friday"),
        ("on Fridays", "on Fridays"),
        ("February 31", "February 31"),
        ("version 3/5", "version 3/5"),
    ],
)
def test_relative_date_becomes_absolute(text: str, said: str) -> None:
    assert absolute(text, MONDAY) == said


def test_what_is_absolute_stays() -> None:
    once = absolute("freeze from tomorrow until March 5, next week at the latest", MONDAY)
    assert absolute(once, datetime.date(2027, 6, 1)) == once


@given(st.text(max_size=100), st.dates())
@settings(deadline=None)
def test_any_text_on_any_day_is_read(text: str, today: datetime.date) -> None:
    assert isinstance(absolute(f"{text} tomorrow next month in 9 months", today), str)


def test_text_that_names_a_day_is_told_from_one_that_does_not() -> None:
    assert [dated(text) for text in ("by Friday", "on 2027-01-02", "Q2", "soon", "at 10:30")] == [
        True, True, True, False, False,
    ]  # fmt: skip
