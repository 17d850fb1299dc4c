"""Text gets shorter at the ends of sentences only."""
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.session import condense, tokens


@pytest.mark.parametrize(("text", "expected"), [
    ("", []), ("one", ["one"]), ("One. Two.", ["One.", "Two."]), ("Is it? Yes! Fine…", ["Is it?", "Yes!", "Fine…"]),
    ('He said "no." Then left.', ['He said "no."', "Then left."]),
    ("Use e.g. tabs. Or i.e. so.", ["Use e.g. tabs.", "Or i.e. so."]),
    ("See v1.2 and a.py now", ["See v1.2 and a.py now"]),
    ("wrapped\nlines go on", ["wrapped lines go on"]), ("A head\n\n- one\n- two", ["A head", "- one", "- two"]),
    ("。です。", ["。です。"]), ("Run it. then look", ["Run it. then look"]),
])  # fmt: skip
def test_sentences(text: str, expected: list[str]) -> None:
    assert condense.sentences(text) == expected


def test_of_a_text_the_first_whole_sentences_are_kept() -> None:
    text = "One two three. Four five six. Seven."
    assert condense.first(text, 100) == text
    assert condense.first(text, 10) == "One two three. Four five six."
    assert condense.first(text, 5) == "One two three."
    assert condense.first(text, 4) == ""


def test_points_are_items_or_paragraphs() -> None:
    assert condense.points("- one\n  goes on\n* two\n\nplain\n") == ["one goes on", "two", "plain"]


def test_the_first_and_the_newest_points_stay_and_the_rest_is_counted() -> None:
    items = [f"Point number {n} is here." for n in range(50)]
    lines = condense.within(items, 100).split("\n")
    assert lines[0] == "- Point number 0 is here."
    assert lines[-2] == "- Point number 49 is here."
    assert lines[-1] == f"- ({50 - len(lines) + 1} more left out)"


SENTENCE = st.lists(st.sampled_from(["parse", "the", "file", "日本", "x" * 40]), min_size=1, max_size=30).map(
    lambda words: "A " + " ".join(words) + "."
)
POINT = st.lists(SENTENCE, min_size=1, max_size=4).map(" ".join)


@given(items=st.lists(POINT, max_size=30), limit=st.integers(20, 400), point=st.integers(10, 200))
def test_whatever_is_left_is_whole_and_within_the_limit(items: list[str], limit: int, point: int) -> None:
    text = condense.within(items, limit, point=point)
    assert tokens.of_text(text) <= limit
    whole = {sentence for item in items for sentence in condense.sentences(item)}
    rows = [row.removeprefix("- ") for row in text.split("\n") if row and not row.endswith("more left out)")]
    assert all(sentence in whole for row in rows for sentence in condense.sentences(row))
    if items:
        assert text
