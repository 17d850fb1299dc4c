"""The live conversation is what the real client sends on --resume, and after /compact the summary arrives, once."""
from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from lib.host import paths
from lib.host.transcript import live_chain
from lib.recall.render import OPEN
from tests.host.test_chain import CASES
from tests.support.client import Outcome
from tests.support.messages_api import Body, text, texts, tool_results, tool_use
from tests.support.rows import jsonl
from tests.support.scene import Scene

RULES = {"memoryHooks": {"backend": "rules"}}
LATER = "And one more thing."
# What the client puts between, in the person's or the model's name.
NOT_SAID = ("<system-reminder>", "<local-command", "[Request interrupted", "No response requested.")
QUEUED = "sent a new message while you were working:\n"
Said = list[tuple[str, str]]
# Entries that are in the file twice: the client takes the last, we the first, so that a copy loses nothing.
DOUBLE = ("the first lines again at the end", "again without their parents", "again with other words")
FOREIGN = ("no identities at all", "a sub-agent's own file", "nothing")


def sent(body: Body) -> Said:
    """The texts of the person and of the model in one request."""
    found: Said = []
    for message in body["messages"]:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for words in (block["text"].strip() for block in blocks if block["type"] == "text"):
            if words.startswith(NOT_SAID[0]) and QUEUED in words:
                words = words.partition(QUEUED)[2].partition("\n\n")[0]
            if words.startswith("<command-name>"):
                words = words.partition("<command-args>")[2].partition("<")[0]
            if message["role"] != "system" and words and not words.startswith(NOT_SAID) and words != "meta":
                found.append((message["role"], words))
    return found


def expected(path: Path) -> Said:
    return [
        ("assistant" if message.role == "assistant" else "user", message.text.strip())
        for message in live_chain(str(path)) if message.text.strip()
    ]  # fmt: skip


def transcript(scene: Scene, session: str) -> Path:
    (found,) = scene.stage.config.glob(f"projects/*/{session}.jsonl")
    return found


def agrees(scene: Scene, session: str) -> Said:
    """Resume the session; what the client sent is what we read before, and the new prompt."""
    before = expected(transcript(scene, session))
    scene.ask(LATER, "--resume", session)
    assert sent(scene.main_requests()[-1].body) == [*before, ("user", LATER)]
    return before


def working(body: Body) -> list[dict[str, Any]]:
    """A model that reads and runs, side by side, when it is asked to; else it answers in one sentence."""
    if tool_results(body):
        return [text("I have looked.")]
    last = texts(body, role="user")[-1]
    if "look around with an agent" in last:
        call = {"description": "look", "prompt": "List the files.", "subagent_type": "general-purpose"}
        return [tool_use("Agent", {**call, "run_in_background": False})]
    if "look" in last:
        return [text("I look."), tool_use("Bash", {"command": "echo one", "description": "x"}),
                tool_use("Bash", {"command": "echo two", "description": "y"})]  # fmt: skip
    return [text(f"Answer to: {last[:20]}")]


@pytest.fixture
def talk(scene: Scene) -> Scene:
    scene.play.main = working
    scene.install(RULES)
    return scene


def begun(scene: Scene, *prompts: str) -> str:
    session = scene.ask(prompts[0]).session
    for prompt in prompts[1:]:
        scene.ask(prompt, "--resume", session)
    return session


def test_a_plain_session(talk: Scene) -> None:
    session = begun(talk, "first", "please look at it", "third")
    said = agrees(talk, session)
    assert [words for who, words in said if who == "user"] == ["first", "please look at it", "third"]
    assert ("assistant", "I look.") in said and ("assistant", "I have looked.") in said


def test_a_session_after_compaction(talk: Scene) -> None:
    session = begun(talk, "first", "please look at it", "/compact", "third")
    said = agrees(talk, session)
    assert said[0][1].startswith("This session is being continued")
    assert ("user", "first") not in said and ("user", "third") in said


def test_a_session_after_a_rewind(talk: Scene) -> None:
    session = begun(talk, "first", "second")
    rows = map(json.loads, transcript(talk, session).read_text().splitlines())
    answer = next(row["uuid"] for row in rows if row["type"] == "assistant")
    talk.ask("another way", "--resume", session, "--resume-session-at", answer)
    said = agrees(talk, session)
    assert [words for who, words in said if who == "user"] == ["first", "another way"]


def test_a_session_with_a_sub_agent(talk: Scene) -> None:
    session = begun(talk, "look around with an agent", "second")
    assert list(transcript(talk, session).with_suffix("").glob("subagents/*.jsonl"))
    assert [words for who, words in agrees(talk, session) if who == "user"] == ["look around with an agent", "second"]


def test_a_session_with_a_hooks_text(talk: Scene) -> None:
    talk.ask("Remember: always use pnpm here, npm corrupts the lockfile")
    talk.wait_for_memory()
    session = begun(talk, "add a dependency", "second")
    assert "hook_additional_context" in transcript(talk, session).read_text()
    assert [words for who, words in agrees(talk, session) if who == "user"] == ["add a dependency", "second"]


def made(scene: Scene, rows: list[Any]) -> str:
    """A session of these rows, as if the client had written it."""
    session = str(uuid.uuid4())
    folder = scene.stage.config / "projects" / paths.slug(str(scene.stage.project.resolve()))
    folder.mkdir(parents=True, exist_ok=True)
    own = {"sessionId": session, "cwd": str(scene.stage.project), "gitBranch": "main"}
    whole = [{**row, **own} if isinstance(row, Mapping) else row for row in rows]
    (folder / f"{session}.jsonl").write_bytes(jsonl(*whole))
    return session


def test_every_shape_of_tree_is_read_as_the_client_reads_it(scene: Scene) -> None:
    scene.play.main = working
    wrong = {}
    for name, (rows, _) in CASES.items():
        if name not in (*DOUBLE, *FOREIGN):
            session = made(scene, rows)
            before = expected(transcript(scene, session))
            scene.ask(LATER, "--resume", session)
            got = sent(scene.main_requests()[-1].body)
            if got != [*before, ("user", LATER)]:
                wrong[name] = (before, got)
    assert wrong == {}


LONG = "Please fix the parser in src/parse.py. " + "It has to read old files as well, whatever is in them. " * 700




def compact(scene: Scene, session: str) -> Outcome:
    scene.stage.settle()
    return scene.ask("/compact", "--resume", session)


def test_after_compact_the_summary_is_in_the_next_request_once(talk: Scene) -> None:
    session = begun(talk, LONG, "please look at it")
    compact(talk, session)
    talk.ask("go on", "--resume", session)
    everything = "\n".join(texts(talk.main_requests()[-1].body))
    assert everything.count("before it was compacted") == 1
    assert everything.count("| - Please fix the parser in src/parse.py.") == 1
    assert OPEN in everything.replace("&lt;", "<")
    talk.ask("and on", "--resume", session)
    assert "\n".join(texts(talk.main_requests()[-1].body)).count("before it was compacted") == 1
    assert talk.stage.log() == []


def test_a_short_session_has_no_summary(talk: Scene) -> None:
    session = begun(talk, "hello")
    compact(talk, session)
    talk.ask("go on", "--resume", session)
    assert "before it was compacted" not in "\n".join(texts(talk.main_requests()[-1].body))
    assert list(talk.stage.config.glob("projects/*/*/session-memory/*")) == []


def test_where_the_client_does_not_compact_by_itself_there_is_no_summary(scene: Scene) -> None:
    scene.play.main = working
    scene.install({**RULES, "autoCompactEnabled": False})
    session = begun(scene, LONG)
    compact(scene, session)
    assert list(scene.stage.config.glob("projects/*/*/session-memory/*")) == []


def test_a_model_writes_the_summary_and_nothing_of_ours_holds_up_the_turn(scene: Scene) -> None:
    scene.play.main = working
    scene.install({"memoryHooks": {"backend": "anthropic"}})

    def think(body: Body) -> list[dict[str, Any]]:
        if "running summary" in "\n".join(texts(body)):
            return [text("## What was asked\n- The parser in src/parse.py must read old files.\n")]
        return [text("Nothing to save.")]

    scene.play.extraction = think
    session = begun(scene, LONG)
    compact(scene, session)
    scene.ask("go on", "--resume", session)
    everything = "\n".join(texts(scene.main_requests()[-1].body))
    assert everything.count("| - The parser in src/parse.py must read old files.") == 1
