"""A hook's answer is nothing or one line of JSON that the client takes whole."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.host import reply


def test_no_text_is_no_answer() -> None:
    assert reply.context("SessionStart", "") == b""


def test_text_becomes_one_object_on_one_line() -> None:
    assert reply.context("UserPromptSubmit", "é\n\u2028<b>") == (
        b'{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"\xc3\xa9\\n\xe2\x80\xa8<b>"}}\n'
    )


@pytest.mark.parametrize("text", ["a" * reply.LIMIT, "é" * reply.LIMIT, "😀" * (reply.LIMIT // 2)])
def test_exactly_the_limit_is_taken_and_one_unit_more_is_an_error(text: str) -> None:
    assert json.loads(reply.context("Stop", text))["hookSpecificOutput"]["additionalContext"] == text
    with pytest.raises(ValueError, match="is over 9500"):
        reply.context("Stop", text + "a")


def test_the_limit_stays_below_what_the_client_replaces_by_a_preview() -> None:
    assert reply.LIMIT < 10_000


@given(st.text(st.characters(codec=None), max_size=80))
def test_any_text_makes_one_object_and_one_line_end(text: str) -> None:
    raw = reply.context("PostToolUse", text)
    assert raw.count(b"\n") == (1 if text else 0)
    if text:
        said = json.loads(raw)["hookSpecificOutput"]["additionalContext"]
        assert said == text.encode("utf-8", "replace").decode()


@given(st.text())
def test_units_are_what_utf16_needs(text: str) -> None:
    assert reply.units(text) == len(text.encode("utf-16-le")) // 2
