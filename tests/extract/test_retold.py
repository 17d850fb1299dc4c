"""In a sub-agent's task only what the person said is the person's."""
from __future__ import annotations

from pathlib import Path

import pytest

from lib.extract import by_model, retold
from lib.extract.rules import Candidate
from lib.extract.source import Report, Source
from lib.host import settings
from lib.host.transcript import Turn
from lib.journal import State
from lib.model.choice import Choice
from lib.model.task import Outcome, Task, Usage

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


def test_a_sub_agent_s_run_is_read_afresh_and_never_as_a_fork(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, object] = {}

    class Model:
        def run_agent(self, task: Task, *, check: object) -> Outcome:
            asked["prompt"] = task.prompt
            return Outcome((), 1, "nothing", Usage(), "end_turn")

    def thinker(chosen: Choice, work: object, **how: object) -> Model:
        asked.update(how)
        return Model()

    monkeypatch.setattr("lib.model.thinkers.thinker", thinker)
    chosen = settings.load({}, "", managed=str(tmp_path / "none"))
    source = Source("s", str(tmp_path), str(tmp_path / "m"), chosen, {}, str(tmp_path / "s"), PERSON)
    turn = Turn(0, "p", "2026-11-30T12:00:00Z")
    turn.human, turn.assistant = [("u", f"Review auth. {PERSON[0]}")], ["Done."]
    report = Report()
    assert by_model.propose(source, State(), [turn], report, Choice("claude", "your own client")) == []
    assert (asked["parent"], asked["mode"]) == (None, "delta")
    assert "P| Always use pnpm here" in str(asked["prompt"]) and "P| Review" not in str(asked["prompt"])
