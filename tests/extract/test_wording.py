"""Slug, description, reason, the words a statement applies to."""

from __future__ import annotations

import pytest

from lib.extract import reasons, tools, wording
from lib.extract.statement import STRONG, Statement, plain


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Always use pnpm here, npm corrupts the lockfile", "npm corrupts the lockfile"),
        ("Never force-push because others work on it", "others work on it"),
        ("Run the linter first, otherwise CI fails", "CI fails"),
        ("Don't mock the db - we had a broken migration", "we had a broken migration"),
        ("Always use pnpm, never npm", ""),
        ("Never push to main, always open a PR", ""),
        ("Use tabs", ""),
        ("总是使用 pnpm，因为 npm 会破坏锁文件", "npm 会破坏锁文件"),
    ],
)
def test_reason_is_in_the_persons_words_or_absent(line: str, reason: str) -> None:
    assert reasons.inside(line) == reason


@pytest.mark.parametrize(
    ("after", "reason"),
    [
        ("Because the linter wants it.", "the linter wants it"),
        ("npm breaks the workspace.", "npm breaks the workspace"),
        ("It corrupts the lockfile.", "It corrupts the lockfile"),
        ("Now run the tests.", ""),
        ("", ""),
    ],
)
def test_reason_in_the_next_sentence(after: str, reason: str) -> None:
    assert reasons.after(after, "always use pnpm") == reason


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Always use pnpm here, npm corrupts the lockfile", "use-pnpm"),
        ("Merge freeze from 2026-12-03 until 2026-12-11", "merge-freeze"),
        ("Don't mock the database", "dont-mock-database"),
        ("The runbook is at https://wiki.example.com/x", "runbook"),
        ("Préférer les tests réels", "preferer-les-tests-reels"),
    ],
)
def test_slug_leaves_out_dates_links_and_little_words(line: str, name: str) -> None:
    assert wording.name(Statement("feedback", "asked", line, STRONG), line) == name


def test_slug_of_nothing_but_little_words_still_is_one() -> None:
    line = "it is"
    assert wording.name(Statement("project", "asked", line, STRONG), line).startswith(("is", "project-", "it"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("always use pnpm", {"pnpm", "dependency", "install", "add"}),
        ("write docstrings in python", {"python", "docs"}),
        ("never edit src/generated/*.ts", {"src/generated/*.ts"}),
        ("squash before you merge", {"commit", "branch"}),
        ("keep answers short", {"answer"}),
        ("see https://example.com/test/commit", set()),
    ],
)
def test_words_a_statement_applies_to(text: str, words: set[str]) -> None:
    assert words <= set(wording.applies(text))
    assert bool(words) == bool(wording.applies(text))


def test_description_is_one_line_under_150_characters() -> None:
    assert wording.description("word " * 60) == "word " * 28 + "word…"
    assert len(wording.description("x" * 500)) == 149


def test_how_to_apply_says_when_the_person_said_when() -> None:
    assert wording.how("Show a plan before you write code", "", ()) == "Before you write code."
    assert wording.how("Never push in this repo", "", ("branch",)) == "Whenever the work touches branch."
    assert wording.how("Be nice", "", ()) == "Whenever it comes up in this project."


def test_words_that_only_lead_in_are_left_out() -> None:
    assert plain("Ok, and also: please use pnpm") == "use pnpm"
    assert plain("**Note:** I’m new") == "I'm new"


def test_a_tool_is_known_by_its_whole_name() -> None:
    assert tools.named("use npm, pnpm and npmrc.") == ("npm", "pnpm")
    assert tools.workshop("react and vitest") == ("vitest",)
