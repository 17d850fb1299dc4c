"""One slip of the keyboard is forgiven, another word is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.recall.fuzzy import nearest, one_edit

SLIPS = [
    ("typscript", "typescript", True),
    ("typsecript", "typescript", True),
    ("reedis", "redis", True),
    ("mongod", "mongo", True),
    ("eror", "error", True),
    ("mango", "mongo", False),
    ("mono", "mongo", False),
    ("cart", "chart", False),
    ("redis", "redis", False),
    ("kubernet", "kube", False),
]


@pytest.mark.parametrize(("word", "meant", "close"), SLIPS)
def test_a_slip_finds_the_word_that_was_meant(word: str, meant: str, close: bool) -> None:
    assert nearest(word, [meant, "unrelated"]) == (meant if close else "")


def test_the_first_in_order_wins_and_nothing_near_is_nothing() -> None:
    assert nearest("servis", ["serviz", "servit"]) == "servit"
    assert nearest("servis", []) == ""


@given(st.text(alphabet="abc", max_size=8), st.text(alphabet="abc", max_size=8))
def test_one_edit_is_symmetric_and_needs_a_difference(left: str, right: str) -> None:
    assert one_edit(left, right) == one_edit(right, left)
    assert not one_edit(left, left)


@given(st.text(alphabet="abcdef", min_size=3, max_size=10), st.integers(min_value=2, max_value=9))
def test_a_dropped_letter_is_one_edit(word: str, place: int) -> None:
    shorter = word[:place] + word[place + 1 :]
    assert one_edit(word, shorter) == (place < len(word))
