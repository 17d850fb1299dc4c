"""Offline, a summary is made of what the person and the model said, in their words."""
from __future__ import annotations

from lib.host.transcript import Tool, Turn
from lib.session import rules, tokens
from lib.session.summary import Sections


def turn(human: str = "", *replies: str, tools: list[Tool] | None = None) -> Turn:
    made = Turn(0)
    made.human = [("u", human)] if human else []
    made.assistant = list(replies)
    made.tools = tools or []
    return made


def tool(name: str, path: str = "", command: str = "") -> Tool:
    return Tool(name, path, "t", {"command": command} if command else {"file_path": path})


def test_what_was_asked_done_corrected_decided_and_left_open() -> None:
    turns = [
        turn("Fix the parser. It fails on old files.", "I will look.", tools=[tool("Read", "/src/a.py")]),
        turn("No, don't use regular expressions here. Let's use the tokenizer.",
             "Done with the tokenizer. Two tests still fail. Should I fix them too?",
             tools=[tool("Edit", "/src/a.py"), tool("Bash", command="pytest -q")]),
    ]  # fmt: skip
    assert rules.update({}, turns) == {
        "What was asked": ["Fix the parser. It fails on old files.",
                           "No, don't use regular expressions here. Let's use the tokenizer."],
        "Corrections and preferences": ["No, don't use regular expressions here."],
        "Decisions": ["Let's use the tokenizer."],
        "Files touched": ["/src/a.py: changed"],
        "Commands run": ["`pytest -q`"],
        "Open ends": ["Two tests still fail.", "Should I fix them too?"],
        "Last state": ["Done with the tokenizer. Two tests still fail. Should I fix them too?"],
    }  # fmt: skip


def test_what_was_known_stays_and_what_was_open_is_replaced() -> None:
    before: Sections = {"What was asked": ["Fix it."], "Files touched": ["/a.py: changed", "/b.py: looked at"],
                        "Commands run": ["`make`"], "Open ends": ["Which one?"], "Last state": ["Working."]}
    told = rules.update(before, [turn("Now the docs.", "Written.", tools=[
        tool("Read", "/a.py"), tool("Bash", command="make"), tool("Bash", command="make docs\nls")])])  # fmt: skip
    assert told["What was asked"] == ["Fix it.", "Now the docs."]
    assert told["Files touched"] == ["/b.py: looked at", "/a.py: changed"]
    assert told["Commands run"] == ["`make`", "`make docs` and 1 more lines"]
    assert (told["Open ends"], told["Last state"]) == ([], ["Written."])


def test_no_turn_changes_nothing() -> None:
    before: Sections = {"What was asked": ["Fix it."], "Open ends": ["Which one?"], "Last state": ["Working."]}
    told = rules.update(before, [])
    assert {name: points for name, points in told.items() if points} == before


def test_a_prompt_without_an_answer_is_open() -> None:
    assert rules.update({}, [turn("Fix it.")])["Open ends"] == ["Not answered yet: Fix it."]


def test_of_a_long_prompt_whole_sentences_stay_and_a_paste_is_passed_over() -> None:
    asked = rules.update({}, [turn("x" * 5_000 + ". Why does this fail?"), turn("Do it. " + "And more of it. " * 200)])
    first, second = asked["What was asked"]
    assert first == "Why does this fail?"
    assert second.startswith("Do it. And more of it.") and second.endswith("of it.") and tokens.of_text(second) <= 120


def test_a_paste_alone_leaves_no_torn_piece() -> None:
    assert rules.update({}, [turn("x" * 5_000)])["What was asked"] == []


def test_items_of_a_list_are_sentences_of_their_own() -> None:
    told = rules.update({}, [turn("Go.", "Status:\n\n- parser done\n- the lexer is still open\n")])
    assert told["Open ends"] == ["- the lexer is still open"]
