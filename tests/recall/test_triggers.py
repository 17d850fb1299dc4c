"""When standing memories apply: each kind of entry against prompts that need it and prompts that do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.recall.prompt import query
from lib.recall.triggers import KINDS, RICH, astray, matching_entry

FIRES = [
    ("tests", "write a test for the parser", True),
    ("tests", "my test account is gone", False),
    ("tests", "we need more unit tests here", True),
    ("dependencies", "add a dependency for dates", True),
    ("dependencies", "which package manager do we use?", True),
    ("dependencies", "what are the auth service dependencies?", False),
    ("dependencies", "extract the sorter into its own package", False),
    ("dependencies", "replace the plugin by our own code", True),
    ("pulls", "clean up the merge conflict in the strings", False),
    ("commits", "commit these changes", True),
    ("commits", "show me the last five commits", False),
    ("pulls", "open a pull request", True),
    ("deploy", "can we deploy the relay today?", True),
    ("deploy", "when was the last deploy?", False),
    ("logging", "add some logging to the reaper", True),
    ("logging", "how do I leave the pager of git log?", False),
    ("style", "fix the lint errors", True),
    ("docs", "update the user guide", True),
    ("explanations", "explain the outbox", True),
    ("python", "what is wrong in src/app.py?", True),
    ("python", "rewrite it in Python", True),
    ("python", "rewrite it in Rust", False),
    ("go", "let's go on", False),
    ("go", "fix services/berth/solve.go", True),
    ("*.sql", "tidy db/queries/sailing.sql", True),
    ("*.sql", "tidy db/queries/sailing.ts", False),
    ("src/api/", "look at src/api/users.ts", True),
    ("src/api/", "look at src/ui/users.ts", False),
    ("src/**/*.test.ts", "look at src/ui/users.test.ts", True),
    ("release notes", "draft the release notes", True),
    ("kubernetes", "the kubernetes pods restart", True),
    ("kubernetes", "what is kubernetes?", False),
    ("add", "add a spinner", False),
    ("upgrade", "upgrade react", True),
    ("bash", "list the files", False),
    ("", "list the files", False),
    ("認証", "認証を変えたい", True),
]


@pytest.mark.parametrize(("entry", "prompt", "fires"), FIRES)
def test_an_entry_fires_on_work_it_is_about(entry: str, prompt: str, fires: bool) -> None:
    assert bool(matching_entry([entry], query(prompt))) is fires


def test_two_everyday_words_of_one_order_fire_together() -> None:
    assert matching_entry(["add", "name"], query("add a name to it")) == "add name"
    assert matching_entry(["add", "name"], query("add a colour. the name is fine")) == ""


def test_the_first_entry_that_fits_is_told() -> None:
    assert matching_entry(["docs", "tests", "python"], query("write tests in a.py")) == "tests"
    assert matching_entry([], query("write tests in a.py")) == ""


ASTRAY = [
    ("tests", "write tests for the tariff engine", "tariff", False),
    ("tests", "write tests for the tariff engine", "", True),
    ("tests", "write a test for the tariff frobnicator", "tariff", False),
    ("commits", "commit these changes", "", False),
    ("delete", "delete the old OpenGL backend", "gl", True),
    ("delete", "delete the old relay", "relai", False),
    ("drop table", "drop table legacy_fare", "", False),
    ("kubernetes", "the pods of the frobnicator restart in kubernetes", "", False),
    ("dependencies", "install the frobnicator", "", False),
    ("dependencies", "bump the frobnicator to 1.74", "", True),
    ("dependencies", "bump the frobnicator to 1.74", "frobnic", False),
    ("ui", "translate the settings page into Finnish", "translat", True),
]


@pytest.mark.parametrize(("entry", "prompt", "known", "strange"), ASTRAY)
def test_an_order_about_something_nobody_knows_is_meant_for_another_project(
    entry: str, prompt: str, known: str, strange: bool
) -> None:
    asked = query(prompt)
    assert known == "" or known in asked.terms
    assert astray(entry, asked, {known}, RICH) is strange
    assert astray(entry, asked, {known}, RICH - 1) is False


def test_every_kind_can_fire() -> None:
    assert len(KINDS) > 15
    assert all(kind.ordered or kind.anywhere for kind in KINDS.values())


@given(st.lists(st.text(max_size=20), max_size=5), st.text(max_size=120))
def test_no_entry_and_no_prompt_is_refused(entries: list[str], prompt: str) -> None:
    assert isinstance(matching_entry([entry.casefold() for entry in entries], query(prompt)), str)
