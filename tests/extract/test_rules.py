"""Statements that become candidates, and exactly how they are written down."""

from __future__ import annotations

import datetime
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lib.extract.rules import Candidate, candidates

TODAY = datetime.date(2026, 11, 30)  # a Monday
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def found(*texts: str) -> list[Candidate]:
    return candidates(list(texts), today=TODAY)


def one(text: str) -> Candidate:
    got = found(text)
    assert len(got) == 1, [c.description for c in got]
    return got[0]


def test_explicit_rule_becomes_feedback_with_the_persons_reason() -> None:
    text = "Remember: always use pnpm here, npm corrupts the lockfile"
    got = one(text)
    assert (got.type, got.name) == ("feedback", "use-pnpm")
    assert got.description == "Always use pnpm here, npm corrupts the lockfile"
    assert got.body == (
        "Always use pnpm here, npm corrupts the lockfile.\n\n**Why:** npm corrupts the lockfile.\n"
        "**How to apply:** Whenever the work touches pnpm, npm, dependency, dependencies, package, install.\n"
    )
    assert got.quote == text
    assert {"pnpm", "dependency", "install", "add"} <= set(got.applies)
    assert got.advice == "CLAUDE.md"


def test_reason_that_was_not_given_is_not_invented() -> None:
    assert "**Why:** not stated.\n" in one("don't mock the database").body


def test_reason_may_stand_in_the_next_sentence() -> None:
    got = one("No, use pnpm. npm breaks the workspace.")
    assert got.quote == "No, use pnpm."
    assert "**Why:** npm breaks the workspace.\n" in got.body


def test_user_and_reference_carry_the_fact_alone() -> None:
    assert one("I'm a backend engineer, new to React").body == "User is a backend engineer, new to React.\n"
    pointer = one("dashboard: https://grafana.example.com/d/abc")
    assert (pointer.type, pointer.body) == ("reference", "Dashboard: https://grafana.example.com/d/abc.\n")


@pytest.mark.parametrize(
    ("text", "name", "description"),
    [
        ("from now on answer in German", "answer-german", "Answer in German"),
        ("please use uv for everything python from now on", "use-uv-everything-python", "Use uv for everything python"),
        (
            "merge freeze from Thursday until next Friday",
            "merge-freeze",
            "Merge freeze from 2026-12-03 until 2026-12-11",
        ),
        ("the deadline for the beta is March 5", "deadline-beta", "The deadline for the beta is 2027-03-05"),
        ("I've been writing Go for ten years", "writing-go-ten-years", "User has been writing Go for ten years"),
        ("my pronouns are they/them", "pronouns", "User's pronouns are they/them"),
        ("I don't like nested ternaries", "doesnt-like-nested-ternaries", "User doesn't like nested ternaries"),
    ],
)
def test_name_states_the_topic_and_description_the_fact(text: str, name: str, description: str) -> None:
    got = one(text)
    assert (got.name, got.description) == (name, description)


def test_name_of_a_text_outside_ascii_is_a_stable_slug() -> None:
    first, again, other = (
        one("记住：我们总是用中文写文档"),
        one("记住：我们总是用中文写文档"),
        one("记住：我们总是先写测试"),
    )
    assert first.name == again.name != other.name
    assert SLUG.fullmatch(first.name)
    assert first.description == "我们总是用中文写文档"


def test_long_statement_is_cut_in_the_description_and_whole_in_the_body() -> None:
    text = "Remember: always use pnpm here because " + "the lockfile of the workspace is shared with the build and " * 4
    got = one(text.strip())
    assert len(got.description) < 150
    assert got.description.endswith("…")
    assert got.body.count("shared with the build") == 8  # in the statement and in the reason


def test_statement_beside_an_order_is_kept_and_the_order_is_not() -> None:
    got = one("Fix the date bug in the importer. And remember for the future: we always store timestamps in UTC.")
    assert got.quote == "And remember for the future: we always store timestamps in UTC."
    assert got.description == "We always store timestamps in UTC"


def test_remember_that_speaks_of_the_sentence_before() -> None:
    assert one("Use named exports. Remember that for all future projects.").quote == "Use named exports."


def test_announced_preferences_are_kept_one_by_one() -> None:
    got = found("A few things about how I like to work: keep responses concise. Also use Zod for all schemas.")
    assert [c.quote for c in got] == [
        "A few things about how I like to work: keep responses concise.",
        "Also use Zod for all schemas.",
    ]


def test_the_last_word_on_a_subject_wins_and_each_fact_comes_once() -> None:
    got = found("always use pnpm here", "thanks", "from now on use pnpm, npm is broken")
    assert [c.description for c in got] == ["Use pnpm, npm is broken"]


@pytest.mark.parametrize(
    "text",
    [
        "Remember that the API key is sk-abc123def456ghi789",
        "remember: the staging password is Sup3r$ecret",
        "always use ghp_abcdefghijklmnop1234 for the api in this repo",
        "Remember the db is at postgres://admin:hunter22@db.example.com/app",
        "remember that AKIAIOSFODNN7EXAMPLE is our key in all projects",
    ],
)
def test_statement_with_a_secret_is_not_kept(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("we always squash merge", "CLAUDE.md"),
        ("Everyone on the team must always sign commits in this repo", "CLAUDE.md"),
        ("Remember: to cut a release, first run make changelog, then tag, then push the tag", "skill"),
        ("stop adding comments", ""),
        ("I prefer tabs", ""),
    ],
)
def test_rule_for_everybody_and_procedure_carry_advice(text: str, advice: str) -> None:
    assert one(text).advice == advice


def test_values_that_are_no_text_are_passed_over() -> None:
    assert candidates([None, 3, "I prefer tabs"], today=TODAY)[0].name == "prefers-tabs"  # type: ignore[list-item]


WORDS = st.lists(
    st.sampled_from(
        "always never remember : , . ! ? from now on use pnpm not npm the function should I prefer tabs don't mock "
        "database we deadline is March 5 freeze until Friday \n - > ``` <a> </a> A: B: 'x_' names start because "
        "记住 。 覚えておいて merk dir dass immer in this repo that it https://x.example/y dashboard Anna owns \u2028 "
        "\ud800".split(" ")
    ),
    max_size=60,
).map(" ".join)


@given(st.one_of(st.text(max_size=400), WORDS))
@example("Remember:")
@example("**")
@example("---\nname: x\n---\nalways use pnpm here")
@example("I prefer")
@settings(deadline=None, max_examples=400)
def test_any_text_is_read_without_an_error_and_every_quote_is_the_persons_own(text: str) -> None:
    for got in found(text):
        assert got.quote in text
        assert got.type in ("user", "feedback", "project", "reference")
        assert SLUG.fullmatch(got.name)
        assert len(got.name) <= 60
        assert 0 < len(got.description) < 150
        assert "\n" not in got.description
        assert got.body.endswith("\n")
        assert ("**Why:** " in got.body and "**How to apply:** " in got.body) == (got.type in ("feedback", "project"))


@pytest.mark.parametrize(
    "text",
    [
        "always " * 150_000, "remember: " * 100_000, "<a>\n" * 10_000, "```\n" * 10_000, "x: y\n" * 10_000,
        "\n" * 1_000_000, "we use " + "a " * 500_000, "记住" * 500_000, "\x00" * 1_000_000, "(" * 1_000_000,
    ],
    ids=lambda text: repr(text[:10]),
)  # fmt: skip
def test_a_megabyte_of_anything_is_read_and_gives_nothing(text: str) -> None:
    assert found(text) == []


def test_words_at_either_end_of_a_huge_paste_are_seen() -> None:
    paste = "row of a table that somebody pasted\n" * 30_000
    assert found(paste + "\n\nfrom now on, never push to main in this repo.") == []  # what follows is a specification
    fenced = "from now on answer in German\n\n```\n" + "x\n" * 100_000 + "```\n"
    assert [c.name for c in found(fenced)] == ["answer-german"]
