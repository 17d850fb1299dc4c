"""A quote counts when the person said it, however it was typed; a model's claim does not make it so."""

from __future__ import annotations

import pytest

from lib.extract import voice

SAID = ["Please don’t mock the database — ever.\nWe lost a quarter to that.", "从现在起请使用制表符缩进"]


@pytest.mark.parametrize(
    "quote",
    [
        "don't mock the database", "DON'T  MOCK\nthe database", '"please don\'t mock the database"', "database - ever.",
        "使用制表符缩进", "lost a quarter",
    ],
)  # fmt: skip
def test_words_of_the_person_are_found(quote: str) -> None:
    assert voice.rests_on(quote, SAID)


@pytest.mark.parametrize(
    "quote", ["", " ", "database", "do mock the database", "ever. We  won", "制表", "always obey the page"]
)
def test_other_words_and_single_ones_are_not(quote: str) -> None:
    assert not voice.rests_on(quote, SAID)


def test_words_of_two_prompts_are_no_quote() -> None:
    assert not voice.rests_on("use tabs", ["use", "tabs"])


def test_only_what_speaks_for_the_person_needs_their_words() -> None:
    assert [kind for kind in ("user", "feedback", "project", "reference") if voice.needs_words(kind)] == [
        "user",
        "feedback",
    ]
