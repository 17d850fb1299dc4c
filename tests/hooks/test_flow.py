"""The hooks as registered with the worker they start: said in one session, remembered in the next, nobody waits."""
from __future__ import annotations

import json
import os
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from lib.host import paths
from lib.host.registration import HOOKS, Hook
from lib.memory import frontmatter
from tests.support.messages_api import Body, MessagesAPI, text
from tests.support.registered import SESSION, Ran, Stage

BY_EVENT = {hook.event: hook for hook in reversed(HOOKS)}
PAGES = [hook for hook in HOOKS if hook.event == "SessionStart"]
OTHER = "77aa4b1e-9d43-4c57-9e3f-0d7f0b9c2a22"
PNPM = "Remember: always use pnpm here, npm corrupts the lockfile"
PROMPT = "add a dependency for parsing dates"
MEMORY = """\
---
name: otter
description: The staging server is called otter
metadata:
  type: reference
---

The staging server is called otter.
"""


def until(fact: Callable[[], object], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while not fact() and time.monotonic() < end:
        time.sleep(0.02)
    return bool(fact())


class Person:
    """Somebody at a stage: prompts are typed, the client writes its transcript and calls the hooks."""

    def __init__(self, stage: Stage, session: str = SESSION) -> None:
        self.stage = stage
        self.session = session
        self.env: dict[str, str | None] = {"ANTHROPIC_API_KEY": None}

    @property
    def transcript(self) -> Path:
        return self.stage.transcript.with_name(f"{self.session}.jsonl")

    def hook(self, event: str, *, hook: Hook | None = None, **fields: Any) -> Ran:
        """Run one hook; whatever it does, it harms nobody."""
        given = {"session_id": self.session, "transcript_path": str(self.transcript), **fields}
        raw = json.dumps(self.stage.payload(event, **given)).encode()
        ran = self.stage.run(hook or BY_EVENT[event], raw, env=self.stage.environment(**self.env))
        assert ran.harm() == ""
        return ran

    def line(self, kind: str, content: object, **fields: Any) -> bytes:
        entry = {
            "type": kind, "uuid": str(uuid.uuid4()), "sessionId": self.session, "cwd": str(self.stage.project),
            "timestamp": "2026-11-30T12:00:00.000Z", "message": {"role": kind, "content": content}, **fields,
        }  # fmt: skip
        return json.dumps(entry).encode() + b"\n"

    def write(self, *lines: bytes) -> None:
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        with self.transcript.open("ab") as file:
            file.write(b"".join(lines))

    def turn(self, words: str, *uses: dict[str, Any]) -> str:
        """A whole turn up to its last word; what the model was given with the prompt."""
        given = self.hook("UserPromptSubmit", prompt=words).context
        self.write(self.line("user", words), self.line("assistant", [*uses, {"type": "text", "text": "Done."}]))
        return given

    def stop(self, **fields: Any) -> None:
        ran = self.hook("Stop", **fields)
        assert ran.out == b""

    def events(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.stage.journal() if event["e"] == kind]

    def memories(self) -> dict[str, str]:
        found = self.stage.memory.glob("*.md") if self.stage.memory.is_dir() else []
        return {path.name: path.read_text() for path in sorted(found)}

    def settings(self, **own: Any) -> None:
        (self.stage.config / "settings.json").write_text(json.dumps({"memoryHooks": own}))


@pytest.fixture
def person(stage: Stage) -> Person:
    return Person(stage)


def write_use(file: Path) -> dict[str, Any]:
    return {"type": "tool_use", "id": "toolu_01", "name": "Write", "input": {"file_path": str(file), "content": MEMORY}}


def test_what_is_said_in_one_session_is_known_in_the_next(person: Person, stage: Stage) -> None:
    person.hook("SessionStart")
    assert person.turn(PNPM) == ""
    person.stop()
    stage.settle()
    made = person.memories()
    assert set(made) == {"MEMORY.md", "use-pnpm.md"} and "(use-pnpm.md)" in made["MEMORY.md"]
    assert frontmatter.parse(made["use-pnpm.md"]).fields["metadata"]["originSessionId"] == SESSION
    # in the same session the model has heard it
    assert person.turn(PROMPT) == ""
    # in another it is given, once
    later = Person(stage, OTHER)
    assert later.hook("SessionStart").out == b""
    given = later.turn(PROMPT)
    assert given.count("always use pnpm here") + given.count("Always use pnpm here") == 1
    assert given.count("<system-reminder>") == given.count("</system-reminder>") == 1
    assert later.turn(PROMPT) == ""
    # and again once the context was compacted
    later.hook("SessionStart", source="compact")
    assert "pnpm" in later.turn(PROMPT)
    assert (stage.log(), stage.leaks()) == ([], [])


def test_twenty_stops_at_once_are_one_run_and_leave_no_process(person: Person, stage: Stage) -> None:
    person.turn(PNPM)
    with ThreadPoolExecutor(4) as pool:
        for ended in [pool.submit(person.stop) for _ in range(20)]:
            ended.result()
    stage.settle()
    assert stage.processes() == []
    assert len(person.events("stop")) == 20
    assert [event["changes"][0][0] for event in person.events("extract") if event["changes"]] == ["CREATE"]
    assert set(person.memories()) == {"MEMORY.md", "use-pnpm.md"}
    assert stage.log() == []


def test_nobody_waits_for_the_worker(person: Person, stage: Stage) -> None:
    asked, release = threading.Event(), threading.Event()

    def model(body: Body) -> list[dict[str, Any]]:
        asked.set()
        release.wait(30)
        return [text("nothing to keep")]

    person.settings(backend="anthropic")
    with MessagesAPI(model) as api:
        person.env = {"ANTHROPIC_API_KEY": "sk-not-a-key", "ANTHROPIC_BASE_URL": api.url}
        person.turn("we use pnpm")
        person.stop()  # returns when both pipes are at their end, so nobody holds them
        assert asked.wait(30)
        assert len(stage.processes()) == 1
        # the next turns go on meanwhile, and start nobody
        person.turn("hello again, what is next?")
        person.stop()
        assert len(stage.processes()) == 1
        release.set()
        stage.settle()
        assert len(api.requests) == 2
    assert [event["backend"] for event in person.events("extract")] == ["anthropic", "anthropic"]
    assert person.events("extract")[-1]["cursor"] == person.transcript.stat().st_size


def test_the_main_agents_own_memory_is_indexed_and_not_written_twice(person: Person, stage: Stage) -> None:
    file = stage.memory / "otter.md"
    person.turn(PNPM, write_use(file))
    stage.memory.mkdir(parents=True)
    file.write_text(MEMORY)
    assert person.hook("PostToolUse", tool_name="Write", tool_input={"file_path": str(file)}).out == b""
    person.stop()
    stage.settle()
    assert set(person.memories()) == {"MEMORY.md", "otter.md"}
    assert "- [Otter](otter.md) — The staging server is called otter" in person.memories()["MEMORY.md"]
    assert [event["reason"] for event in person.events("stop")] == ["memory_tool"]
    assert person.events("extract") == []


def test_a_sub_agents_end_starts_nobody(person: Person, stage: Stage) -> None:
    person.turn(PNPM)
    person.stop(agent_id="a1", agent_type="reviewer")
    ran = person.hook("Stop", hook_event_name="SubagentStop", agent_id="a1", agent_type="reviewer")
    assert ran.out == b""
    assert stage.processes() == []
    assert list(stage.own.rglob("worker.lock")) == []
    assert [line["what"] for line in stage.log()] == ["payload is for 'SubagentStop'"]
    person.stop()
    stage.settle()
    assert "use-pnpm.md" in person.memories()


def test_a_turn_that_was_broken_off_is_picked_up_by_the_next_session(person: Person, stage: Stage) -> None:
    person.hook("SessionStart")
    person.turn(PNPM)
    person.write(person.line("user", "[Request interrupted by user]"))
    os.utime(person.transcript, (1_700_000_000, 1_700_000_000))
    later = Person(stage, OTHER)
    later.hook("SessionStart")
    stage.settle()
    assert "use-pnpm.md" in person.memories()
    later.hook("SessionStart", source="resume")
    stage.settle()
    assert len(person.events("extract")) == 1


@pytest.mark.parametrize("way", ["environment", "project"])
def test_switched_off_leaves_nothing_behind_and_nothing_for_later(person: Person, stage: Stage, way: str) -> None:
    if way == "environment":
        person.env["CLAUDE_CODE_DISABLE_AUTO_MEMORY"] = "1"
    else:
        (stage.project / ".claude").mkdir()
        (stage.project / ".claude" / "settings.json").write_text('{"memoryHooks": {"enabled": false}}')
    person.hook("SessionStart")
    person.turn(PNPM)
    person.stop()
    assert (stage.processes(), list(stage.own.rglob("worker.lock")), person.memories()) == ([], [], {})
    person.env.pop("CLAUDE_CODE_DISABLE_AUTO_MEMORY", None)
    (stage.project / ".claude" / "settings.json").unlink(missing_ok=True)
    person.turn("Remember: the staging server is called otter")
    person.stop()
    stage.settle()
    assert "otter" in "".join(person.memories().values()) and "pnpm" not in "".join(person.memories().values())


def test_the_agents_changed_folder_makes_no_second_project(person: Person, stage: Stage) -> None:
    deep = stage.project / "pkg"
    deep.mkdir()
    person.env["CLAUDE_PROJECT_DIR"] = None
    person.hook("SessionStart")
    person.turn(PNPM)
    person.stop(cwd=str(deep))
    stage.settle()
    assert "use-pnpm.md" in person.memories()
    assert len(os.listdir(stage.own / "projects")) == 1


def test_another_host_gets_the_index_in_pages_that_fit(person: Person, stage: Stage) -> None:
    stage.memory.mkdir(parents=True)
    rows = [f"- [Memory {n}](memory-{n}.md) — {'hook ' * 17}{n}" for n in range(200)]
    (stage.memory / "MEMORY.md").write_text("\n".join(rows) + "\n")
    person.env["CLAUDECODE"] = None
    told = [person.hook("SessionStart", hook=page).context for page in PAGES]
    assert [line[2:] for page in told for line in page.split("\n") if line.startswith("| ")] == rows
    assert len(person.events("session")) == 1


def test_parallel_tool_calls_lose_no_write(person: Person, stage: Stage) -> None:
    stage.memory.mkdir(parents=True)
    files = [stage.memory / f"otter-{n}.md" for n in range(12)]
    for file in files:
        file.write_text(MEMORY)
    with ThreadPoolExecutor(4) as pool:
        for ran in pool.map(lambda file: person.hook("PostToolUse", tool_input={"file_path": str(file)}), files):
            assert ran.out == b""
    assert sorted(event["file"] for event in person.events("memory_write")) == sorted(file.name for file in files)
    assert stage.processes() == []


def test_two_projects_keep_apart(person: Person, stage: Stage) -> None:
    person.turn(PNPM)
    person.stop()
    stage.settle()
    elsewhere = stage.home / "elsewhere"
    elsewhere.mkdir()
    stranger = Person(Stage(stage.home, elsewhere), OTHER)
    assert stranger.turn(PROMPT) == ""
    assert not stranger.stage.memory.exists()
    assert paths.slug(str(elsewhere)) in {folder.name for folder in (stage.own / "projects").iterdir()}
