"""A new statement against what is remembered: said already, changed or new; and how a change keeps the former."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

import pytest

from lib.extract.decision import Decision, decide, merge
from lib.extract.rules import Candidate, candidates

TODAY = datetime.date(2026, 11, 30)
KNOWN = {
    "pnpm": "Remember: always use pnpm here, npm corrupts the lockfile",
    "mock": "don't mock the database",
    "role": "I'm a backend engineer, new to React",
    "beta": "The deadline for the beta is January 15",
    "names": "from now on, always start function names with 'a_'",
    "german": "from now on answer in German",
    "tabs": "I prefer tabs",
    "ingest": "pipeline bugs are tracked in the Linear project INGEST",
    "freeze": "merge freeze from Thursday until March 5",
    "anna": "Anna owns billing",
    "latency": "latency dashboard: https://grafana.example.com/d/abc",
    "unit": "Always run the unit tests before committing",
    "comments": "stop adding comments to the code",
    "pytest": "always use pytest for the backend in this repo",
}


@dataclass(frozen=True)
class Known:
    file: str
    name: str
    description: str
    type: str
    body: str


def candidate(text: str) -> Candidate:
    (found,) = candidates([text], today=TODAY)
    return found


def memory(file: str, text: str) -> Known:
    made = candidate(text)
    return Known(file, made.name, made.description, made.type, made.body)


MEMORIES = [memory(f"{name}.md", text) for name, text in KNOWN.items()]


def verdict(text: str) -> tuple[str, str]:
    decision = decide(candidate(text), MEMORIES)
    assert decision.reason
    return decision.action, decision.file.removesuffix(".md")


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_the_same_words_again_are_skipped(name: str) -> None:
    assert verdict(KNOWN[name]) == ("SKIP", name)


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("always use pnpm in this repo", "pnpm"),
        ("Remember that we use pnpm, not npm", "pnpm"),
        ("Never mock the db in this repo", "mock"),
        ("I'm a backend engineer", "role"),
        ("the beta deadline is January 15", "beta"),
        ("Run the unit tests before every commit from now on", "unit"),
        ("never add comments to code in this repo", "comments"),
    ],
)
def test_the_same_fact_in_other_words_is_skipped(text: str, file: str) -> None:
    assert verdict(text) == ("SKIP", file)


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("use npm after all", "pnpm"),
        ("we switched to bun", "pnpm"),
        ("use yarn instead of pnpm", "pnpm"),
        ("Always use mocks for the database in this repo", "mock"),
        ("The beta deadline is moved to February 2", "beta"),
        ("from now on, always start function names with 'b_'", "names"),
        ("from now on answer in English", "german"),
        ("I prefer spaces", "tabs"),
        ("pipeline bugs are tracked in Jira", "ingest"),
        ("the merge freeze is lifted", "freeze"),
        ("The merge freeze is extended until March 20", "freeze"),
        ("Bob owns billing", "anna"),
        ("latency dashboard: https://grafana.example.com/d/xyz", "latency"),
    ],
)
def test_another_word_on_the_same_subject_is_an_update(text: str, file: str) -> None:
    assert verdict(text) == ("UPDATE", file)


@pytest.mark.parametrize(
    "text",
    [
        "from now on use uv instead of pip",
        "always use vitest for the frontend in this repo",
        "from now on, always end function names with '_b'",
        "from now on, always start method names with 'a_'",
        "Anna owns payments",
        "error dashboard: https://grafana.example.com/d/err",
        "Always run the linter before committing",
        "the deadline for the audit is March 1",
        "stop adding emojis to commit messages",
        "I hate long functions",
        "Remember: use conventional commits",
        "staging: https://staging.example.com",
        "记住：我们总是用中文写文档",
    ],
)
def test_another_subject_never_touches_a_memory(text: str) -> None:
    assert verdict(text) == ("CREATE", "")


def test_nothing_remembered_means_create() -> None:
    assert decide(candidate("I prefer tabs"), []) == Decision("CREATE", "", "nothing remembered on this subject")


def test_words_that_this_program_adds_to_a_body_do_not_make_a_statement_known() -> None:
    # "How to apply" of the pnpm memory names npm too.
    assert verdict("Remember: use npm in this repo") == ("UPDATE", "pnpm")


def test_return_to_what_was_replaced_is_an_update_not_said_already() -> None:
    first = MEMORIES[0]
    description, body = merge(candidate("use npm after all"), first, TODAY)
    changed = Known(first.file, first.name, description, first.type, body)
    assert decide(candidate("Remember: always use pnpm here"), [changed]).action == "UPDATE"


def test_merge_states_the_new_fact_and_keeps_the_former_one_with_its_date() -> None:
    beta = next(known for known in MEMORIES if known.file == "beta.md")
    assert merge(candidate("The beta deadline is moved to February 2"), beta, TODAY) == (
        "The beta deadline is moved to 2027-02-02",
        "The beta deadline is moved to 2027-02-02.\n\n**Why:** not stated.\n"
        "**How to apply:** Whenever it comes up in this project.\n\n"
        "Earlier, until 2026-11-30: The deadline for the beta is 2027-01-15.\n"
        "  **How to apply:** Whenever it comes up in this project.\n",
    )


def test_merge_twice_loses_no_line_and_keeps_the_order() -> None:
    known = Known("a.md", "a", "Use npm", "feedback", "Use npm.\n\n**Why:** it is there.\n\nSee [[ci]].\n")
    description, body = merge(candidate("from now on use pnpm"), known, TODAY)
    again = Known("a.md", "a", description, "feedback", body)
    _, body = merge(candidate("from now on use yarn"), again, datetime.date(2027, 1, 2))
    places = [
        body.index(part)
        for part in (
            "Use yarn.", "Earlier, until 2027-01-02: Use pnpm.", "Earlier, until 2026-11-30: Use npm.",
            "  **Why:** it is there.", "  See [[ci]].",
        )
    ]  # fmt: skip
    assert places == sorted(places)
    assert body.count("Earlier, until") == 2


def test_model_written_memory_with_its_own_headings_is_compared_by_its_description() -> None:
    known = Known(
        "testing.md", "testing_policy", "Integration tests must use real databases, no mocks", "feedback",
        "**Rule:** Integration tests must connect to a real database.\n",
    )  # fmt: skip
    new = candidate("Remember: don't use mocks in integration tests, use real databases")
    assert decide(new, [known]).action == "SKIP"


def test_hostile_memories_are_compared_without_an_error() -> None:
    odd = [Known("x.md", "", text, "", text) for text in ("", "\x00" * 100, "'" * 3000, "not " * 2000, "\ud800")]
    assert decide(candidate("I prefer tabs"), odd).action == "CREATE"


@pytest.mark.parametrize(
    ("said", "before"),
    [
        ("I prefer dupoles over anything else for nivinun", "I prefer kegatimik over anything else for nivinun"),
        ("Remember: the staging server of the billing team is called otter",
         "Remember: the staging server of the search team is called otter"),
        ("Remember: reports about the nightly export go to the channel harbour",
         "Remember: reports about the nightly export go to the channel lighthouse"),
        ("Never deploy the pricing service without asking Maria first",
         "Never deploy the pricing service without asking Jonas first"),
        ("Remember: the design of the ticket printer is kept in the wiki page Papyrus",
         "Remember: the design of the ticket printer is kept in the wiki page Vellum"),
    ],
)  # fmt: skip
def test_one_word_in_anothers_place_is_not_said_already(said: str, before: str) -> None:
    known = [memory("known.md", before)]
    assert decide(candidate(said), known).action in ("UPDATE", "CREATE")
    assert decide(candidate(before), known).action == "SKIP"
