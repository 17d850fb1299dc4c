"""In a sub-agent's task only what the person said is the person's."""
from __future__ import annotations

from lib.extract import retold
from lib.extract.rules import Candidate
from lib.host.transcript import Turn

PERSON = ("Ask the reviewer. Always use pnpm here, npm corrupts the lockfile.",)


def candidate(quote: str, said: str = "") -> Candidate:
    return Candidate("feedback", "x", said or quote, "body", quote)


def test_a_quote_that_the_person_said_stays() -> None:
    quote = "Always use pnpm here, npm corrupts the lockfile"
    assert retold.rested(candidate(quote), PERSON).quote == quote


def test_a_retold_rule_rests_on_the_person_s_own_sentence() -> None:
    made = retold.rested(candidate("You must use pnpm because npm corrupts the lockfile"), PERSON)
    assert made.quote == "Always use pnpm here, npm corrupts the lockfile."


def test_what_the_person_never_said_rests_on_nothing() -> None:
    assert retold.rested(candidate("Never touch the database schema"), PERSON).quote == ""
    assert retold.rested(candidate("Always use pnpm here"), ()).quote == ""


def test_a_rule_turned_into_its_opposite_rests_on_nothing() -> None:
    assert retold.rested(candidate("Never use pnpm here, npm keeps the lockfile"), PERSON).quote == ""


def test_a_task_is_told_as_an_agent_s_words() -> None:
    turn = Turn(0, "p", "2026-11-30T12:00:00Z")
    turn.human = [("u", "Review auth and never touch the schema. Always use pnpm here, npm corrupts the lockfile.")]
    turn.assistant = ["Done."]
    (told,) = retold.told_apart([turn], PERSON)
    assert told.human == [("u", "Always use pnpm here, npm corrupts the lockfile.")]
    assert told.assistant[0].startswith("The task of this run, from the agent that started it:\nReview auth")
    assert told.assistant[1:] == ["Done."] and told.time == turn.time
    (nobody,) = retold.told_apart([turn], ())
    assert nobody.human == []
