"""The person's own sentences, apart from what they pasted."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.extract import shape
from lib.extract.sentences import prose


def own(text: str) -> list[str]:
    return [sentence.text for sentence in prose(text).sentences]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("use e.g. pnpm. Then go", ["use e.g. pnpm.", "Then go"]),
        ("first thing\nsecond thing", ["first thing", "second thing"]),
        ("- one\n- two", ["one", "two"]),
        ("版本一。版本二！", ["版本一。", "版本二！"]),
        ("version 1.2.3 is out. ok", ["version 1.2.3 is out.", "ok"]),
        ("mine\n```\ncode\n```\nagain", ["mine", "again"]),
        ("mine\n```\nnever closed", ["mine"]),
        ("mine\n> quoted\nagain", ["mine", "again"]),
        ("<rules>\nalways\n</rules>\nmine", ["mine"]),
        ("mine\n    indented code", ["mine"]),
        ("mine\n2026-11-30 10:00:00 INFO log\nTraceback (most recent call last):", ["mine"]),
        ("mine\nFrom: Dana\nSubject: x\nalways y", ["mine"]),
        ("here is the feedback:\nalways y", ["here is the feedback:"]),
        ("remember the following rules:\nalways y", ["remember the following rules:", "always y"]),
        ("mine\nDana Ito  10:32 AM\nalways y\n\nagain", ["mine", "again"]),
        ("---\nname: x\n---\nalways y", []),
        ("if (a) { return b[0]; }", []),
    ],
)
def test_own_sentences(text: str, sentences: list[str]) -> None:
    assert own(text) == sentences


def test_wrapped_line_goes_on_and_stays_an_exact_part_of_the_text() -> None:
    text = "please always run the whole test suite with the race detector\nbefore you commit anything"
    assert own(text) == [text]


def test_turns_under_names_lose_the_names() -> None:
    text = "Ann: Hello there.\nBob: Hi.\nAnn: Bye.\nBob: Bye now."
    assert prose(text).dialogue
    assert own(text) == ["Hello there.", "Hi.", "Bye.", "Bye now."]


def test_tag_is_closed_by_its_own_next_closing_tag() -> None:
    assert own("<a>\nx\n</b>\ny\n</a>\nmine\n<a>\nz\n</a>") == ["mine"]


@given(st.text(alphabet="ab. \n`<>/-:!?。", max_size=300))
@settings(deadline=None)
def test_every_sentence_is_a_part_of_the_text(text: str) -> None:
    for sentence in own(text):
        assert sentence in text
        assert sentence.strip() == sentence != ""


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("fix the bug", "remark"),
        ("You are a careful reviewer. Always cite.", "specification"),
        ("Use this: you are an expert engineer. Never lie.", "specification"),
        ("# Task\nDo it", "specification"),
        ("\n".join(f"- rule {n}" for n in range(9)), "specification"),
        ("Some words that go on. " * 70, "specification"),
        ("Some longer words that go on and on for quite a while here. " * 30, "long"),
    ],
)
def test_shape_of_a_text(text: str, kind: str) -> None:
    assert shape.of(prose(text)) == kind


def test_prompts_to_a_tool_are_no_talk_between_people() -> None:
    assert not shape.talk([prose("Excellent, exactly. Feel free to refactor our project, of course.")] * 5)
    assert shape.talk([prose("Good morning, Jun. How are you settling in? Feel free to reach out to your mentor.")])
