"""A model is asked where words were not enough: the prompt waits for nobody, the answer comes with a tool."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from lib.host import paths
from lib.host.registration import HOOKS
from lib.memory import files, store
from lib.model import ledger
from tests.support.messages_api import Body, MessagesAPI, text, texts
from tests.support.registered import SESSION, Ran, Stage

BY_EVENT = {hook.event: hook for hook in reversed(HOOKS)}
PROMPT = "put the door on its hinges and oil it"


class Person:
    """Somebody with two memories and a key for a model that lives at `url`."""

    def __init__(self, stage: Stage, url: str) -> None:
        self.stage = stage
        self.env: dict[str, str | None] = {"ANTHROPIC_API_KEY": "sk-not-a-key", "ANTHROPIC_BASE_URL": url}
        stage.config.mkdir(exist_ok=True)
        (stage.config / "settings.json").write_text('{"memoryHooks": {"backend": "anthropic"}}')
        for name, said in (("otter", "The staging server is called otter"), ("season", "High season begins in June")):
            memory = store.text_of(name, "project", said, said, {})
            files.write(str(stage.memory), f"{name}.md", memory.encode())

    def hook(self, event: str, **fields: Any) -> Ran:
        raw = json.dumps(self.stage.payload(event, **fields)).encode()
        ran = self.stage.run(BY_EVENT[event], raw, env=self.stage.environment(**self.env))
        assert ran.harm() == ""
        return ran

    def events(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.stage.journal() if event["e"] == kind]


def test_the_prompt_waits_for_nobody_and_a_tool_brings_the_answer(stage: Stage) -> None:
    release = threading.Event()
    asked: list[str] = []

    def model(body: Body) -> list[dict[str, Any]]:
        asked.extend(texts(body))
        release.wait(30)
        return [text('["otter.md"]')]

    with MessagesAPI(model) as api:
        person = Person(stage, api.url)
        assert person.hook("UserPromptSubmit", prompt=PROMPT).out == b""
        assert api.wait_for(lambda request: True, 30) is not None
        assert person.hook("PostToolUse", tool_name="Read").out == b""
        release.set()
        stage.settle()
        told = person.hook("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}).context
        assert "\notter.md (project" in told and told.count("<system-reminder>") == 1
        assert person.hook("PostToolUse", tool_name="Bash").out == b""
        assert person.hook("UserPromptSubmit", prompt="which staging server is called otter?").out == b""
        stage.settle()
        assert len(api.requests) == 1
    assert any(PROMPT in words for words in asked)
    rows = ledger.since(str(stage.config), 0.0, time.time() + 9)
    assert [(row.job, row.backend) for row in rows] == [("select", "anthropic")]
    assert (stage.log(), stage.leaks(), stage.processes()) == ([], [], [])


def test_small_talk_and_certain_prompts_ask_nobody(stage: Stage) -> None:
    with MessagesAPI(lambda body: [text("[]")]) as api:
        person = Person(stage, api.url)
        for words in ("thanks", "yes, continue", "/compact", "which staging server is called otter?"):
            person.hook("UserPromptSubmit", prompt=words)
        stage.settle()
        assert api.requests == [] and person.events("ask") == []


def test_a_prompt_during_the_workers_job_is_asked_after_it(stage: Stage) -> None:
    asked: list[str] = []

    def model(body: Body) -> list[dict[str, Any]]:
        asked.append("select" if "JSON list" in texts(body)[-1] else "extract")
        time.sleep(0.3)
        return [text('["season.md"]' if asked[-1] == "select" else "nothing to keep")]

    with MessagesAPI(model) as api:
        person = Person(stage, api.url)
        stage.transcript.parent.mkdir(parents=True, exist_ok=True)
        entry = {
            "type": "user", "uuid": "u-1", "sessionId": SESSION, "timestamp": "2026-11-30T12:00:00.000Z",
            "message": {"role": "user", "content": "we oil doors on Mondays"},
        }  # fmt: skip
        stage.transcript.write_text(json.dumps(entry) + "\n")
        person.hook("Stop")
        assert api.wait_for(lambda request: True, 30) is not None
        person.hook("UserPromptSubmit", prompt=PROMPT)
        stage.settle()
    assert asked[0] == "extract" and asked.count("select") == 1
    assert "season.md" in person.hook("PostToolUse").context


@pytest.mark.parametrize("damage", ["not a list", '["../../../etc/passwd"]', ""])
def test_what_a_model_makes_up_reaches_nobody(stage: Stage, damage: str) -> None:
    with MessagesAPI(lambda body: [text(damage or " ")]) as api:
        person = Person(stage, api.url)
        person.hook("UserPromptSubmit", prompt=PROMPT)
        stage.settle()
        assert person.hook("PostToolUse").out == b""
    assert person.events("selected")[-1]["files"] == []


def test_what_a_memory_names_and_is_gone_is_said_by_the_hook(stage: Stage) -> None:
    person = Person(stage, "http://127.0.0.1:9")
    said = "Tokens of the login are refreshed in `src/auth.ts` by `refreshToken`"
    files.write(str(stage.memory), "tokens.md", store.text_of("token-refresh", "project", said, said, {}).encode())
    (stage.project / "src").mkdir()
    Path(stage.project, "src", "login.ts").write_text("export const refreshToken = 1\n")
    told = person.hook("UserPromptSubmit", prompt="where are the tokens of the login refreshed?").context
    assert "\n`src/auth.ts` no longer exists.\n" in told and "refreshToken` is found" not in told
    assert person.events("recall")[-1]["gone"] == {"tokens.md": ["`src/auth.ts` no longer exists."]}
    state = Path(paths.state_dir(str(stage.config), str(stage.project)))
    assert (state / "evidence.txt").read_text().endswith(" 1\n")
