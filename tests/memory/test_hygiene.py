"""No agent's memory holds a secret, what the repository says itself, or a date that only counted on its day."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.memory import frontmatter, hygiene, store

MONDAY = datetime.date(2026, 11, 30)
TOKEN = "ghp_" + "k3J9xQ2mV7bT1cR8wZ5n" + "L4hD6sF0gYpA2eUo"


@pytest.fixture
def project(tmp_path: Path) -> str:
    (tmp_path / "CLAUDE.md").write_text("- Always run the tests before committing.\n")
    (tmp_path / "src").mkdir()
    (tmp_path / "src/token.ts").write_text("export function parseToken(){}\n")
    return str(tmp_path)


def text(description: str = "the release is due", body: str = "The release is due.") -> str:
    return store.text_of("release", "project", description, body, {"quote": "said"})


@pytest.mark.parametrize(
    "held",
    [
        text(body=f"The token is {TOKEN}."),
        text(description=f"the token is {TOKEN}"),
        text().replace('"said"', f'"{TOKEN}"'),
        text(body="The token is " + "\u200b".join(TOKEN)),
        TOKEN,
    ],
    ids=["body", "description", "metadata", "zero-width", "alone"],
)
def test_a_secret_anywhere_keeps_it_out_and_is_named_by_its_kind_alone(held: str, project: str) -> None:
    why = hygiene.objection(held, "we release on Fridays", project)
    assert why.startswith("it holds what looks like a secret (") and why.endswith(")")
    assert TOKEN not in why and TOKEN[:12] not in why


@pytest.mark.parametrize(
    ("statement", "where"),
    [
        ("always run the tests before committing", "CLAUDE.md says this already"),
        ("parseToken is defined in src/token.ts", "src/token.ts shows this already"),
    ],
)
def test_what_the_project_says_itself_is_kept_out(statement: str, where: str, project: str) -> None:
    assert hygiene.objection(text(description=statement), statement, project) == where


def test_a_secret_is_told_before_what_the_project_says(project: str) -> None:
    statement = "always run the tests before committing"
    assert "secret" in hygiene.objection(f"{statement} {TOKEN}", statement, project)


def test_anything_else_is_let_in(project: str) -> None:
    assert hygiene.objection(text(), "the release is due on 2026-12-04", project) == ""
    assert hygiene.objection("", "", project) == ""
    assert hygiene.objection(text(), "always run the tests before committing", "") == ""


def test_dates_of_description_and_body_are_counted_from_the_day() -> None:
    given = text("the release is due tomorrow", "The release is due tomorrow, the freeze began last Monday.")
    document = frontmatter.parse(hygiene.dated(given, MONDAY))
    assert document.problem == ""
    assert document.fields["description"] == "the release is due 2026-12-01"
    assert document.body == "\nThe release is due 2026-12-01, the freeze began 2026-11-23.\n"
    assert (document.fields["name"], document.fields["metadata"]) == ("release", {"type": "project", "quote": "said"})


def test_the_persons_words_and_unknown_keys_stay_as_they_are() -> None:
    given = text("due tomorrow").replace('quote: "said"', 'quote: "it is due tomorrow"\n  mine: "tomorrow"')
    metadata = frontmatter.parse(hygiene.dated(given, MONDAY)).fields["metadata"]
    assert (metadata["quote"], metadata["mine"]) == ("it is due tomorrow", "tomorrow")


def test_a_text_without_relative_dates_says_the_same() -> None:
    assert hygiene.dated(text(), MONDAY) == text()


def test_line_ends_stay() -> None:
    given = text("due tomorrow", "Due tomorrow.").replace("\n", "\r\n")
    made = hygiene.dated(given, MONDAY)
    assert made.count("\n") == made.count("\r\n") == given.count("\n")
    assert "Due 2026-12-01.\r\n" in made


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("Due tomorrow.\n", "Due 2026-12-01.\n"),
        ("---\nname: x\nDue tomorrow.\n", "---\nname: x\nDue 2026-12-01.\n"),
        ("", ""),
    ],
    ids=["plain", "never closed", "empty"],
)
def test_without_frontmatter_the_whole_text_is_the_body(given: str, expected: str) -> None:
    assert hygiene.dated(given, MONDAY) == expected


@pytest.mark.parametrize(
    "block",
    [
        "name: x\ndescription: due tomorrow: at noon\n",
        "name: [x\ndescription: due tomorrow\n",
        "description: &a due tomorrow\nname: *a\n",
        "name: x\ndescription: [due tomorrow]\n",
        "name: x\n",
    ],
)
def test_a_damaged_or_unusual_block_is_left_byte_for_byte(block: str) -> None:
    given = f"---\n{block}---\nDue tomorrow.\n"
    assert hygiene.dated(given, MONDAY) == f"---\n{block}---\nDue 2026-12-01.\n"


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_raises_and_a_second_time_changes_nothing(block: str, body: str) -> None:
    once = hygiene.dated(f"---\n{block}\n---\n{body}", MONDAY)
    assert hygiene.dated(once, MONDAY) == once
