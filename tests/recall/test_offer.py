"""What a model found is told once: to the turn it was asked for, or to the prompt just after, or to nobody."""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from lib.host.call import Call
from lib.host.payload import Payload
from lib.journal import Journal, fold
from lib.memory import files, store
from lib.recall import answer, offer
from lib.recall.lexical import Hit, Selection

SESSION = "3f0c4b1e-9d43-4c57-9e3f-0d7f0b9c2a11"
UNSURE, CERTAIN = Selection(certain=False), Selection(certain=True)
SURE_HIT = Selection([Hit("/m/a.md", 1.0, "name")])


class Chat:
    """One session with two memories and a key in the environment."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self.env: dict[str, str] = {"ANTHROPIC_API_KEY": "sk-not-a-key"}
        self.later = 0.0
        self.fields: dict[str, Any] = {}
        memory = self.call("PostToolUse").memory
        for name, said in (("otter", "The staging server is called otter"), ("season", "High season begins in June")):
            files.write(memory, f"{name}.md", store.text_of(name, "project", said, said, {}).encode())

    def call(self, event: str, **fields: Any) -> Call:
        given = {"session_id": SESSION, "cwd": str(self.project), "hook_event_name": event, **self.fields, **fields}
        return Call(event, Payload(given), {**os.environ, **self.env}, time.time() + self.later)

    @property
    def journal(self) -> Journal:
        return Journal(self.call("Stop").state, SESSION)

    def prompt(self, words: str = "put the door on its hinges") -> tuple[str, bool]:
        return answer.respond(self.call("UserPromptSubmit", prompt=words), self.journal)

    def tool(self, **fields: Any) -> str:
        return offer.at_tool(self.call("PostToolUse", tool_name="Bash", **fields), self.journal)

    def found(self, *names: str) -> None:
        """The worker's part."""
        ask = offer.waiting(self.journal.events())
        assert ask is not None
        self.journal.append("asking", key=ask.key)
        self.journal.append("selected", key=ask.key, files=list(names), reason="found", pause=0.0)
        if names:
            offer.lay(self.call("Stop").state, SESSION)

    def settings(self, **own: Any) -> None:
        Path(os.environ["CLAUDE_CONFIG_DIR"], "settings.json").write_text(json.dumps({"memoryHooks": own}))

    def last(self, kind: str = "recall") -> dict[str, Any]:
        return [event for event in self.journal.events() if event["e"] == kind][-1]


@pytest.fixture
def chat(own_home: Path, tmp_path: Path) -> Chat:
    return Chat(tmp_path)


def test_an_unsure_prompt_asks_and_says_so(chat: Chat) -> None:
    assert chat.prompt() == ("", True)
    assert (chat.last()["reason"], chat.last()["model"]) == ("none_sure", "asked")
    ask = offer.waiting(chat.journal.events())
    assert ask is not None and ask.prompt == "put the door on its hinges" and ask.launch == str(chat.project)


def test_what_was_found_is_told_after_the_next_tool_once(chat: Chat) -> None:
    chat.prompt()
    assert chat.tool() == ""
    chat.found("otter.md")
    told = chat.tool()
    assert told.startswith("<system-reminder>") and "\notter.md (project" in told
    assert (chat.last()["by"], chat.last()["reason"], list(chat.last()["shown"])) == ("model", "shown", ["otter.md"])
    assert chat.tool() == "" and chat.prompt()[0] == ""
    assert "otter.md" in fold(chat.journal.events()).shown


def test_parallel_tools_tell_it_once(chat: Chat) -> None:
    chat.prompt()
    chat.found("otter.md")
    said: list[str] = []
    start = threading.Barrier(8)

    def use() -> None:
        start.wait(20)
        said.append(chat.tool())

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(map(bool, said)) == [False] * 7 + [True]


def test_without_a_tool_the_next_prompt_tells_it(chat: Chat) -> None:
    chat.prompt()
    chat.found("otter.md")
    assert "\notter.md (project" in chat.prompt("now oil the lock of the gate as well")[0]
    assert chat.last()["why"] == {"otter.md": "chosen by the model for the prompt before"}
    assert chat.prompt("now oil the lock of the gate once more")[0] == "" and chat.tool() == ""


def test_a_prompt_that_comes_late_does_not(chat: Chat) -> None:
    chat.prompt()
    chat.found("otter.md")
    chat.later = offer.FRESH + 5
    assert chat.prompt("now oil the lock of the gate as well")[0] == ""
    assert chat.tool() == "" and not os.path.exists(offer.mark(chat.call("Stop").state, SESSION))


def test_small_talk_does_not_end_the_turn(chat: Chat) -> None:
    chat.prompt()
    chat.found("otter.md")
    assert chat.prompt("yes, go ahead")[0] == ""
    assert "otter.md" in chat.tool()


def test_an_answer_that_comes_after_the_next_prompt_is_not_told(chat: Chat) -> None:
    chat.prompt()
    ask = offer.waiting(chat.journal.events())
    assert ask is not None
    chat.settings(recall={"selector": "offline"})
    chat.prompt("now oil the lock of the gate as well")
    chat.settings()
    chat.journal.append("selected", key=ask.key, files=["otter.md"], reason="found", pause=0.0)
    offer.lay(chat.call("Stop").state, SESSION)
    assert chat.tool() == "" and chat.prompt("paint it")[0] == ""


def test_a_sub_agent_gets_nothing_and_takes_nothing_away(chat: Chat) -> None:
    chat.prompt()
    chat.found("otter.md")
    assert chat.tool(agent_id="a1") == ""
    assert "otter.md" in chat.tool()


def test_a_model_that_named_a_file_that_is_gone_says_nothing(chat: Chat) -> None:
    chat.prompt()
    chat.found("otter.md")
    os.unlink(os.path.join(chat.call("Stop").memory, "otter.md"))
    assert (chat.tool(), chat.last()["reason"]) == ("", "already_known")


def test_no_more_than_the_limit_in_all(chat: Chat) -> None:
    chat.settings(recall={"max": 1})
    chat.prompt()
    chat.found("otter.md", "season.md")
    told = chat.prompt("when does the high season begin?")[0]
    assert "\nseason.md (" in told and "\notter.md (" not in told


@pytest.mark.parametrize("way", ["offline", "off", "disabled"])
def test_switched_off_tells_nothing(chat: Chat, way: str) -> None:
    chat.prompt()
    chat.found("otter.md")
    chat.settings(**({"enabled": False} if way == "disabled" else {"recall": {"selector": way}}))
    assert chat.tool() == ""
    assert chat.prompt("now oil the lock of the gate as well")[1] is False


def test_a_broken_journal_is_no_offer(chat: Chat) -> None:
    odd: list[dict[str, Any]] = [
        {}, {"e": 7}, {"e": "ask"}, {"e": "selected"}, {"e": "selected", "files": "x", "key": "k"},
        {"e": "selected", "files": ["a.md"], "key": 3}, {"e": "selected", "files": [3], "key": "k"},
        {"e": "ask", "key": "k", "t": "x", "tools": 3}, {"e": "selected", "files": ["a.md"], "key": "other"},
    ]  # fmt: skip
    for events in ([event] for event in odd):
        assert offer.pending(events) is None
    assert offer.pending(odd) is None
    waiting = offer.waiting(odd[7:8])
    assert waiting is not None and (waiting.tools, waiting.at) == ([], 0.0)


# ---- who is asked

REFUSALS: list[tuple[dict[str, Any], Selection, str]] = [
    ({}, UNSURE, ""),
    ({}, CERTAIN, "certain"),
    ({}, SURE_HIT, "certain"),
    ({"recall": {"selector": "model"}}, UNSURE, ""),
    ({"recall": {"selector": "model"}}, CERTAIN, ""),
    ({"recall": {"selector": "model"}}, SURE_HIT, "certain"),
    ({"recall": {"selector": "offline"}}, UNSURE, "offline"),
    ({"recall": {"selector": "off"}}, UNSURE, "offline"),
    ({"recall": {"selector": "what?"}}, UNSURE, ""),
    ({"backend": "rules"}, UNSURE, "no_model"),
    ({"backend": "anthropic"}, UNSURE, ""),
    ({"backend": "claude"}, UNSURE, "client_not_asked"),
    ({"backend": "claude", "recall": {"selector": "model"}}, UNSURE, ""),
    ({"backend": "hal"}, UNSURE, "no_model"),
]


@pytest.mark.parametrize(("own", "selection", "reason"), REFUSALS)
def test_a_model_is_asked_when_words_were_not_enough(
    chat: Chat, own: dict[str, Any], selection: Selection, reason: str
) -> None:
    chat.settings(**own)
    assert offer.refusal(chat.call("UserPromptSubmit"), selection, []) == reason


def test_a_project_cannot_have_a_model_asked(chat: Chat) -> None:
    chat.settings(recall={"selector": "offline"})
    folder = chat.project / ".claude"
    folder.mkdir()
    (folder / "settings.json").write_text('{"memoryHooks": {"recall": {"selector": "model"}, "backend": "anthropic"}}')
    assert offer.refusal(chat.call("UserPromptSubmit"), UNSURE, []) == "offline"
    chat.settings()
    (folder / "settings.json").write_text('{"memoryHooks": {"recall": {"selector": "offline"}}}')
    assert offer.refusal(chat.call("UserPromptSubmit"), UNSURE, []) == "offline"


def test_nobody_is_there_without_key_or_login(chat: Chat) -> None:
    chat.env = {}
    assert offer.refusal(chat.call("UserPromptSubmit"), UNSURE, []) == "no_model"
    Path(os.environ["CLAUDE_CONFIG_DIR"], ".credentials.json").write_text("{}")
    assert offer.refusal(chat.call("UserPromptSubmit"), UNSURE, []) == ""
    chat.settings(backend="anthropic")
    assert offer.refusal(chat.call("UserPromptSubmit"), UNSURE, []) == "no_model"


def test_after_a_fault_nobody_is_asked_for_a_while(chat: Chat) -> None:
    call = chat.call("UserPromptSubmit")
    failed = {"e": "selected", "t": call.now - 60, "pause": 100.0, "files": [], "key": "k"}
    assert offer.refusal(call, UNSURE, [failed]) == "paused"
    assert offer.refusal(call, UNSURE, [{**failed, "t": call.now - 101}]) == ""
    assert offer.refusal(call, UNSURE, [failed, {**failed, "pause": 0.0}]) == ""


def test_a_sub_agents_prompt_and_an_empty_folder_ask_nobody(chat: Chat) -> None:
    assert offer.refusal(chat.call("UserPromptSubmit", agent_id="a"), UNSURE, []) == "not_main_agent"
    memory = chat.call("Stop").memory
    for file in os.listdir(memory):
        os.unlink(os.path.join(memory, file))
    Path(memory, "MEMORY.md").write_text("- nothing\n")
    assert chat.prompt("build the door")[1] is False
    assert chat.last()["model"] in ("no_memories", "certain")


def test_only_the_newest_prompts_question_waits(chat: Chat) -> None:
    chat.prompt()
    first = offer.waiting(chat.journal.events())
    chat.prompt("now build the gate of the garden")
    second = offer.waiting(chat.journal.events())
    assert first is not None and second is not None and first.key != second.key
    chat.journal.append("recall", reason="quiet_prompt")
    assert offer.waiting(chat.journal.events()) is not None
    chat.journal.append("asking", key=second.key)
    assert offer.waiting(chat.journal.events()) is None
