"""Patterns that a model wrote."""

from __future__ import annotations

import signal
import threading

import pytest

from lib.model.expressions import CpuLimit, TooSlow, finder
from lib.model.sandbox import ToolError


def test_plain_text_is_found_as_it_stands() -> None:
    assert finder("a b")("x a b y")
    assert finder("A", ignore_case=True)("a")
    assert finder(".", literal=True)("a.b") and not finder(".", literal=True)("ab")


def test_an_odd_set_warns_nobody() -> None:
    assert finder("[[a]x")("[x")


def test_the_limit_ends_a_search_and_leaves_no_timer_behind() -> None:
    before = signal.getsignal(signal.SIGVTALRM)
    with pytest.raises(TooSlow), CpuLimit(0.1):
        finder("(a|a)*$x")("a" * 50)
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGVTALRM) == before


def test_a_search_in_time_is_not_touched() -> None:
    with CpuLimit(5):
        assert finder("a+")("xa")


def test_away_from_the_main_thread_only_literal_text_is_searched_for() -> None:
    said: list[str] = []

    def other() -> None:
        try:
            with CpuLimit(1):
                assert finder("plain")("plain text")
            finder("a+")
        except ToolError as error:
            said.append(str(error))

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert said == ["Only literal text can be searched for here; set literal to true."]
