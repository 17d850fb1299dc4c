"""A summary is due first at 10,000 tokens, then each 5,000 with three tool calls or a turn without any."""
from __future__ import annotations

from typing import Any

import pytest

from lib.session import thresholds

READY: dict[str, Any] = {"tokens": 20_000, "noted": 15_000, "calls": 3, "turn_calls": 1}


@pytest.mark.parametrize(("change", "reason"), [
    ({}, ""),
    ({"off": "disabled", "enabled": False}, "disabled"),
    ({"enabled": False}, "summary_off"),
    ({"noted": None, "tokens": 9_999}, "below_init"),
    ({"noted": None, "tokens": 10_000, "calls": 0}, ""),
    ({"noted": None, "tokens": 10_000, "init": 10_001}, "below_init"),
    ({"tokens": 19_999}, "below_update"),
    ({"tokens": 19_999, "update": 4_999}, ""),
    ({"calls": 2}, "busy"),
    ({"calls": 2, "turn_calls": 0}, ""),
    ({"calls": 0, "turn_calls": 0}, ""),
    ({"calls": 2, "update_calls": 2}, ""),
    ({"tokens": 19_999, "calls": 9, "turn_calls": 0}, "below_update"),
])  # fmt: skip
def test_the_first_no_gives_the_reason(change: dict[str, Any], reason: str) -> None:
    assert thresholds.decide(**{**READY, **change}).reason == reason
