"""An update reads what is new since its own cursor, writes one whole file, and uses the conversation alone."""
from __future__ import annotations

import dataclasses
import os
from typing import Any

import pytest

from lib.model import choice, thinkers
from lib.model.choice import Choice
from lib.model.task import Completion, Request, Unavailable
from lib.session import run, summary
from tests.session.conftest import Room
from tests.support.rows import boundary, model, person, result, row, use
from tests.support.rows import summary as compacted

RULES = {"memoryHooks": {"backend": "rules"}}
TOKEN = "ghp_" + "a1B2c3D4e5" * 4  # made up


class Model:
    """A backend that answers what it is told to and remembers what it was asked."""

    def __init__(self, answer: str | Unavailable, stopped: str = "end_turn") -> None:
        self.answer = answer
        self.stopped = stopped
        self.asked: list[Request] = []

    def complete(self, request: Request) -> Completion:
        self.asked.append(request)
        if isinstance(self.answer, Unavailable):
            raise self.answer
        return Completion(self.answer, stopped=self.stopped)


@pytest.fixture
def thinking(monkeypatch: pytest.MonkeyPatch) -> Any:
    def use_model(made: Model) -> Model:
        monkeypatch.setattr(choice, "choose", lambda *_: Choice("anthropic", "asked for"))
        monkeypatch.setattr(thinkers, "thinker", lambda *_: made)
        return made

    return use_model


def update(room: Room, start: int = -1, **settings: Any) -> run.Report:
    return run.update(room.source(**(settings or RULES)), start, room.transcript.stat().st_size)


def points(room: Room) -> dict[str, list[str]]:
    return {name: found for name, found in summary.parse(room.file.read_text()).items() if found}


def test_the_rules_write_the_file_beside_the_transcript(room: Room) -> None:
    room.say(person(1, None, "Fix the parser."), model(2, 1, "Fixed."))
    report = update(room)
    assert (report.backend, report.turns) == ("rules", 1)
    assert points(room) == {"What was asked": ["Fix the parser."], "Last state": ["Fixed."]}
    assert sorted(path.name for path in room.file.parent.iterdir()) == ["summary.md"]
    assert room.file.stat().st_mode & 0o077 == 0


def test_the_next_update_begins_where_the_last_ended(room: Room) -> None:
    at = room.say(person(1, None, "Fix the parser."), model(2, 1, "Fixed."))
    update(room)
    room.say(person(3, 2, "Now the lexer."), model(4, 3, "Fixed too."))
    assert update(room, at).turns == 1
    assert points(room)["What was asked"] == ["Fix the parser.", "Now the lexer."]


def test_a_file_that_was_deleted_is_made_of_everything(room: Room) -> None:
    at = room.say(person(1, None, "Fix the parser."), person(3, 1, "Now the lexer."))
    update(room)
    room.file.unlink()
    update(room, at)
    assert points(room)["What was asked"] == ["Fix the parser.", "Now the lexer."]


def test_only_the_conversation_is_used(room: Room) -> None:
    room.say(
        person(1, None, "Fix it. <system-reminder>hidden hook text</system-reminder>"),
        row("attachment", 9, 1, attachment={"type": "hook_additional_context", "content": ["hidden hook text"]}),
        model(2, 1, [use("t", command="make")]), result(3, 2, "t", "hidden result. We decided to use nothing."),
        model(4, 3, "API Error: hidden", isApiErrorMessage=True), boundary(5, 4), compacted(6, 5, "hidden summary"),
        person(7, 6, "hidden meta", isMeta=True), model(8, 7, "hidden side", isSidechain=True),
    )  # fmt: skip
    update(room)
    text = room.file.read_text()
    assert "Fix it." in text and "`make`" in text
    assert "hidden" not in text and "decided" not in text


def test_no_secret_is_written_or_sent(room: Room, thinking: Any) -> None:
    room.say(person(1, None, f"Use the token {TOKEN} for it."), model(2, 1, "Yes."))
    update(room)
    assert TOKEN not in room.file.read_text() and "[secret:" in room.file.read_text()
    made = thinking(Model(f"## Decisions\n- The token is {TOKEN}.\n"))
    room.file.unlink()
    update(room)
    assert TOKEN not in made.asked[0].prompt + made.asked[0].system
    assert TOKEN not in room.file.read_text()


def test_a_model_is_given_the_summary_and_what_is_new(room: Room, thinking: Any) -> None:
    at = room.say(person(1, None, "Fix the parser."), model(2, 1, "Fixed."))
    update(room)
    made = thinking(Model("## What was asked\n- Fix the parser, then the lexer.\n## Decisions\n- None.\n"))
    room.say(person(3, 2, "Now the lexer."), model(4, 3, [use("t", "Edit", file_path="/lexer.py")]))
    report = update(room, at)
    assert report.backend == "anthropic"
    asked = made.asked[0].prompt
    assert "- Fix the parser." in asked
    assert asked.endswith("What was said since:\n\nP| Now the lexer.\nT| Edit /lexer.py\n")
    assert points(room) == {"What was asked": ["Fix the parser, then the lexer."], "Decisions": ["None."],
                            "Last state": ["Fixed."]}  # fmt: skip


@pytest.mark.parametrize("made", [
    Model(Unavailable("no network", "network")), Model(""), Model("I cannot help with that."),
    Model("## What was asked\n- Fix the pars", stopped="max_tokens"), Model("## Decisions\n"),
])  # fmt: skip
def test_without_a_whole_answer_the_rules_do_it(room: Room, thinking: Any, made: Model) -> None:
    thinking(made)
    room.say(person(1, None, "Fix the parser."), model(2, 1, "Fixed."))
    report = update(room)
    assert report.backend == "rules" and "rules used instead" in report.reason
    assert points(room)["What was asked"] == ["Fix the parser."]


def test_a_model_that_writes_too_much_is_held_to_the_limits(room: Room, thinking: Any) -> None:
    much = "- A point of some length is here.\n" * 900
    thinking(Model("\n".join(f"## {name}\n{much}" for name in summary.SECTIONS)))
    room.say(person(1, None, "Fix the parser."), model(2, 1, "Fixed."))
    update(room)
    assert len(room.file.read_text()) <= 3 * summary.TOTAL_TOKENS
    assert all(line.endswith((".", "left out)", "ry", "-->")) or line.startswith("##")
               for line in room.file.read_text().splitlines() if line)  # fmt: skip


def test_the_clients_own_summary_is_left_alone(room: Room) -> None:
    room.say(person(1, None, "Fix the parser."), model(2, 1, "Fixed."))
    room.file.parent.mkdir(parents=True)
    room.file.write_text("# Session Title\nthe client's own\n")
    assert update(room).reason == "the client keeps a summary of its own"
    assert room.file.read_text() == "# Session Title\nthe client's own\n"


@pytest.mark.parametrize(("said", "state"), [
    ("All done. It works.", "All done. It works."), ("Looking. And more of it", "Looking. And more of it"),
    ("One. " * 240, "One. " * 238 + "One."), ("", "Looking."), ("Looking.", "Looking."),
])  # fmt: skip
def test_the_reply_that_is_not_written_down_yet_is_the_last_state(room: Room, said: str, state: str) -> None:
    size = room.say(person(1, None, "Fix the parser."), model(2, 1, "Looking."))
    run.update(dataclasses.replace(room.source(**RULES), last_said=said), -1, size)
    assert points(room)["Last state"] == [state]


def test_nothing_new_writes_nothing(room: Room) -> None:
    room.say({"type": "mode", "mode": "x"})
    assert update(room).reason == "nothing was said since"
    assert not room.file.exists()


def test_no_link_is_followed(room: Room, tmp_path: Any) -> None:
    room.say(person(1, None, "Fix the parser."), model(2, 1, "Fixed."))
    room.file.parent.parent.mkdir()
    outside = tmp_path / "outside"
    outside.mkdir()
    os.symlink(outside, room.file.parent)
    with pytest.raises(OSError):
        update(room)
    assert list(outside.iterdir()) == []
