"""What one prompt is given: what it needs, once, again when it changed or was forgotten, and why in the journal."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from lib.host.call import Call
from lib.host.payload import Payload
from lib.journal import Journal
from lib.memory import files
from lib.recall import answer, render, showing

SESSION = "3f0c4b1e-9d43-4c57-9e3f-0d7f0b9c2a11"
PROMPT = "add a dependency for the lockfile with pnpm"
TEXT = """\
---
name: use-pnpm
description: Always use pnpm for dependencies here, npm corrupts the lockfile
metadata:
  type: feedback
  originSessionId: {session}
---

Always use pnpm, npm corrupts the lockfile.

**Why:** the lockfile broke twice.
**How to apply:** run pnpm add for a dependency.
"""


class Chat:
    """One session of one project with its memories."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self.env: dict[str, str] = {}
        self.session = SESSION

    def call(self, prompt: object = PROMPT) -> Call:
        payload = {
            "session_id": self.session, "cwd": str(self.project), "prompt": prompt,
            "hook_event_name": "UserPromptSubmit",
        }  # fmt: skip
        return Call("UserPromptSubmit", Payload(payload), {**os.environ, **self.env}, 2_000_000_000.0)

    @property
    def journal(self) -> Journal:
        return Journal(self.call().state, self.session)

    def ask(self, prompt: object = PROMPT) -> str:
        return answer.respond(self.call(prompt), self.journal)[0]

    def last(self) -> dict[str, Any]:
        return self.journal.events()[-1]

    def remember(self, file: str = "use-pnpm.md", text: str = TEXT, session: str = "another") -> None:
        files.write(self.call().memory, file, text.replace("{session}", session).encode())

    def settings(self, **own: Any) -> None:
        (Path(os.environ["CLAUDE_CONFIG_DIR"]) / "settings.json").write_text(json.dumps({"memoryHooks": own}))


@pytest.fixture
def chat(own_home: Path, tmp_path: Path) -> Chat:
    made = Chat(tmp_path)
    made.remember()
    return made


def test_a_prompt_that_needs_a_memory_gets_it_with_the_reason_noted(chat: Chat) -> None:
    block = chat.ask()
    assert block.startswith("<system-reminder>\n") and "\nuse-pnpm.md (feedback, " in block
    assert "| Always use pnpm" in block
    event = chat.last()
    assert (event["e"], event["reason"]) == ("recall", "shown")
    assert list(event["shown"]) == ["use-pnpm.md"] and "use-pnpm.md" in event["why"]


def test_a_memory_is_given_once_in_a_session(chat: Chat) -> None:
    assert chat.ask()
    assert (chat.ask(), chat.last()["reason"], chat.last()["shown"]) == ("", "already_known", {})
    chat.session = "another-one"
    assert chat.ask()


def test_a_changed_memory_is_given_again_and_a_touched_one_is_not(chat: Chat) -> None:
    chat.ask()
    path = Path(chat.call().memory) / "use-pnpm.md"
    os.utime(path, (1_900_000_000, 1_900_000_000))
    assert chat.ask() == ""
    chat.remember(text=TEXT.replace("broke twice", "broke three times"))
    assert "broke three times" in chat.ask()
    assert chat.ask() == ""


@pytest.mark.parametrize("source", ["compact", "clear"])
def test_after_compaction_it_is_given_again(chat: Chat, source: str) -> None:
    chat.ask()
    chat.journal.append("session", source=source)
    assert chat.ask()
    assert chat.ask() == ""


def test_what_this_session_said_itself_is_not_given_until_it_was_compacted(chat: Chat) -> None:
    chat.remember(session=SESSION)
    assert (chat.ask(), chat.last()["reason"]) == ("", "already_known")
    chat.journal.append("session", source="compact")
    assert chat.ask()
    assert chat.ask() == ""


@pytest.mark.parametrize("prompt", ["thanks", "yes", "continue", "ok", "", "   ", None, 7, ["add a dependency"]])
def test_a_quiet_prompt_gets_nothing(chat: Chat, prompt: object) -> None:
    assert (chat.ask(prompt), chat.last()["reason"]) == ("", "quiet_prompt")


def test_a_prompt_about_something_else_gets_nothing(chat: Chat) -> None:
    assert (chat.ask("rename the colour of the sidebar heading"), chat.last()["reason"]) == ("", "none_sure")


def test_memory_that_is_off_gives_nothing_and_says_why(chat: Chat) -> None:
    chat.env = {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}
    assert (chat.ask(), chat.last()["reason"]) == ("", "disabled")
    chat.env = {}
    chat.settings(recall={"selector": "off"})
    assert (chat.ask(), chat.last()["reason"]) == ("", "switched_off")
    chat.settings(enabled=False)
    assert (chat.ask(), chat.last()["reason"]) == ("", "disabled")


def many(chat: Chat, count: int) -> None:
    for n in range(count):
        chat.remember(f"pnpm-rule-{n}.md", TEXT.replace("use-pnpm", f"pnpm-rule-{n}").replace("twice", f"{n} times"))


def test_at_most_five_are_given_and_fewer_when_the_person_wants_fewer(chat: Chat) -> None:
    many(chat, 12)
    assert 1 <= chat.ask().count("(feedback, ") <= 5
    chat.settings(recall={"max": 2})
    chat.session = "another-one"
    assert 1 <= chat.ask().count("(feedback, ") <= 2


def test_only_what_was_shown_counts_as_shown(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    many(chat, 8)
    monkeypatch.setattr(render, "MOST", 1)
    chat.settings(recall={"max": 8})
    block = chat.ask()
    assert block.count("(feedback, ") == 1
    assert [file for file in chat.last()["shown"] if f"\n{file} (" in block] == list(chat.last()["shown"])


def test_a_block_that_could_not_be_made_is_not_noted_as_shown(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> str:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(render, "memories", fail)
        with pytest.raises(MemoryError):
            chat.ask()
    assert chat.ask()


def test_no_memory_directory_is_a_quiet_no(chat: Chat, tmp_path: Path) -> None:
    chat.project = tmp_path / "elsewhere"
    chat.project.mkdir()
    assert chat.ask() == ""
    assert not os.path.exists(chat.call().memory)


def test_a_file_that_cannot_be_read_leaves_the_others(chat: Chat) -> None:
    memory = Path(chat.call().memory)
    (memory / "binary.md").write_bytes(b"pnpm lockfile dependency\xff\xfe\x00" * 500)
    os.mkfifo(memory / "pipe.md")
    (memory / "dangling.md").symlink_to("nowhere.md")
    assert "\nuse-pnpm.md (feedback, " in chat.ask()


def test_the_version_is_the_text_not_its_time(chat: Chat) -> None:
    from lib.memory.store import Memory

    text = TEXT.format(session="x")
    assert showing.version(Memory("a.md", text, 1.0)) == showing.version(Memory("b.md", text, 2.0))
    assert showing.version(Memory("a.md", text, 1.0)) != showing.version(Memory("a.md", text + "more", 1.0))
    assert showing.version(Memory("a.md", "\ud800", 1.0)) != ""
