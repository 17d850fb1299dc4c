"""A statement in one session reaches the model in the next, under the real client, without anybody waiting."""
from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from lib.memory import frontmatter
from tests.support.client import MADE_UP_KEY
from tests.support.messages_api import Body, text, texts, tool_names, tool_results, tool_use
from tests.support.scene import Scene, git, native_memory, reminders, writes

SAID = "Remember: always use pnpm here, npm corrupts the lockfile"
ANTHROPIC = {"memoryHooks": {"backend": "anthropic"}}
FACT = """\
---
name: use-pnpm
description: Dependencies are added with pnpm, npm corrupts the lockfile
metadata:
  type: feedback
  quote: "always use pnpm here, npm corrupts the lockfile"
---
Use pnpm for every dependency in this project.

**Why:** npm corrupts the lockfile.
**How to apply:** run pnpm wherever npm would be run.
"""


def extracting(memory: Path) -> Any:
    """The extraction model: reads the index and asks what is there, writes one memory, ends."""

    def say(body: Body) -> list[dict[str, Any]]:
        rounds = sum(message["role"] == "assistant" for message in body["messages"])
        if rounds == 0:
            return [tool_use("Glob", {"pattern": "*.md", "path": str(memory)})]
        if rounds == 1:
            assert tool_results(body)
            return [tool_use("Write", {"file_path": str(memory / "use-pnpm.md"), "content": FACT})]
        return [text("Saved one memory.")]

    return say


def extraction_beside(scene: Scene) -> Any:
    """`extracting`, with the memory directory taken from what the client said last."""
    return lambda body: extracting(scene.memory())(body)


def valid(words: str) -> frontmatter.Document:
    document = frontmatter.parse(words)
    assert document.problem == ""
    assert document.fields["name"] and document.fields["description"]
    assert "pnpm" in document.body
    return document


def test_rules_make_a_memory_of_what_was_said(scene: Scene) -> None:
    scene.install({"memoryHooks": {"backend": "rules"}})
    scene.ask(SAID)
    name, words = scene.wait_for_memory()
    document = valid(words)
    assert document.fields["metadata"]["type"] == "feedback"
    assert scene.index().count(f"({name})") == 1
    assert scene.sdk_requests() == []


def test_the_model_makes_a_memory_of_what_was_said(scene: Scene) -> None:
    scene.install(ANTHROPIC)
    scene.play.extraction = extraction_beside(scene)
    scene.ask(SAID)
    name, words = scene.wait_for_memory(60)
    assert name == "use-pnpm.md"
    valid(words)
    scene.stage.settle(60)
    asked = scene.sdk_requests()
    assert len(asked) == 3
    assert tool_names(asked[0].body) >= {"Read", "Write", "Edit"}
    assert SAID in "\n".join(texts(asked[0].body, role="user"))
    # The key goes into one of two headers, depending on the SDK's version.
    keys = [request.headers.get("x-api-key") or request.headers.get("authorization") for request in asked]
    assert set(keys) <= {MADE_UP_KEY, f"Bearer {MADE_UP_KEY}"}
    # The stable prefix is marked for the cache, and the rounds share it.
    assert "cache_control" in str(asked[0].body["system"]) + str(asked[0].body["tools"])
    assert asked[0].body["system"] == asked[1].body["system"] and asked[0].body["tools"] == asked[1].body["tools"]


def carrying(scene: Scene, memory: tuple[str, str]) -> list[str]:
    """The reminders of the latest request that carry this memory: its file's name and its first sentence."""
    name, words = memory
    sentence = frontmatter.parse(words).body.strip().splitlines()[0]
    return [block for block in reminders(scene.main_requests()[-1].body) if name in block and sentence in block]


# The client gives hook output a message of its own on new models, and wraps it in a reminder of its own on old ones.
@pytest.mark.parametrize("model", ["claude-sonnet-5-5", "claude-sonnet-4-5"])
def test_a_new_session_gets_the_memory_once_in_one_reminder(scene: Scene, model: str) -> None:
    scene.install({"memoryHooks": {"backend": "rules"}})
    first = scene.ask(SAID, "--model", model)
    memory = scene.wait_for_memory()
    second = scene.ask("add a dependency", "--model", model)
    assert second.session != first.session
    (block,) = carrying(scene, memory)
    assert "system-reminder" not in block
    everything = "\n".join(texts(scene.main_requests()[-1].body))
    assert everything.count(block) == 1
    assert everything.count("UserPromptSubmit hook additional context") == 1


def test_a_memory_is_not_given_twice_in_a_session_until_it_is_compacted(scene: Scene) -> None:
    scene.install({"memoryHooks": {"backend": "rules"}})
    scene.ask(SAID)
    memory = scene.wait_for_memory()
    session = scene.ask("add a dependency").session
    scene.ask("add a dependency, please", "--resume", session)
    assert len(carrying(scene, memory)) == 1
    compacted = len(scene.main_requests())
    scene.ask("/compact", "--resume", session)
    scene.ask("now add a dependency again", "--resume", session)
    assert len(scene.main_requests()) > compacted
    assert len(carrying(scene, memory)) == 1


@pytest.mark.parametrize("prompt", ["thanks", "continue", "yes"])
def test_a_quiet_prompt_carries_nothing_of_ours(scene: Scene, prompt: str) -> None:
    scene.install({"memoryHooks": {"backend": "rules"}})
    scene.ask(SAID)
    scene.wait_for_memory()
    scene.ask(prompt)
    assert "hook additional context" not in "\n".join(texts(scene.main_requests()[-1].body))


@pytest.mark.parametrize("settings", [{"memoryHooks": {"backend": "rules"}}, ANTHROPIC], ids=["rules", "anthropic"])
def test_nothing_is_extracted_where_the_main_agent_wrote_a_memory(scene: Scene, settings: dict[str, Any]) -> None:
    scene.install(settings)
    scene.ask("hello")
    scene.stage.settle(60)
    place = scene.memory()
    asked = len(scene.sdk_requests())
    scene.play.main = writes((place / "use-pnpm.md", FACT))
    scene.ask(SAID, "--permission-mode", "acceptEdits")
    scene.stage.settle(60)
    assert list(scene.memories()) == ["use-pnpm.md"]
    assert len(scene.sdk_requests()) == asked
    assert "memory_tool" in str(scene.stage.journal())
    # The main agent forgot the index line; it is mended all the same.
    assert scene.index().count("(use-pnpm.md)") == 1


def test_the_end_of_a_subagent_starts_nothing(scene: Scene) -> None:
    scene.install({"memoryHooks": {"backend": "rules"}})
    task = "Remember: always use tabs in Makefiles, spaces break them"

    def main(body: Body) -> list[dict[str, Any]]:
        if any(task in words for words in texts(body, role="user")):
            return [text("The sub-agent is done.")]
        if tool_results(body):
            return [text("All done.")]
        call = {"description": "look around", "prompt": task, "subagent_type": "general-purpose"}
        return [tool_use("Agent", {**call, "run_in_background": False})]

    scene.play.main = main
    scene.ask("Look around in this repository, using an agent")
    scene.stage.settle()
    assert any(task in words for r in scene.api.requests for words in texts(r.body, role="user"))
    assert [event["e"] for event in scene.stage.journal()].count("stop") == 1
    assert scene.memories() == {}


def test_the_client_does_not_wait_for_the_extraction(scene: Scene) -> None:
    scene.install(ANTHROPIC)
    returned = threading.Event()

    def slow(body: Body) -> Any:
        # The model stays silent until the client has ended: a client that waited for it would never end.
        assert returned.wait(100)
        return extraction_beside(scene)(body)

    scene.play.extraction = slow
    scene.ask(SAID)
    assert scene.memories() == {}
    returned.set()
    scene.wait_for_memory(60)
    assert scene.sdk_requests()


@pytest.mark.parametrize("place", ["subfolder", "worktree", "link"])
def test_the_memory_lies_where_the_client_looks_for_it(scene: Scene, tmp_path: Path, place: str) -> None:
    scene.install({"memoryHooks": {"backend": "rules"}})
    start = tmp_path / place
    if place == "subfolder":
        start = scene.stage.project / "deep" / "down"
        start.mkdir(parents=True)
    elif place == "worktree":
        git(scene.stage.project, "worktree", "add", "--quiet", str(start))
    else:
        start.symlink_to(scene.stage.project)
    scene.ask(SAID, cwd=start)
    scene.wait_for_memory()
    # The client names the directory in its own prompt; the main checkout shares it.
    scene.ask("hello")
    assert native_memory(scene.main_requests()[-1].body) == native_memory(scene.main_requests()[0].body)
    assert len(scene.memories()) == 1
    assert len(list(scene.stage.config.glob("projects/*/memory/MEMORY.md"))) == 1


def test_nothing_of_the_person_leaks_into_our_files(scene: Scene) -> None:
    scene.install(ANTHROPIC)
    scene.play.extraction = extraction_beside(scene)
    scene.ask(SAID)
    scene.wait_for_memory(60)
    scene.stage.settle(60)
    held = [path for path in scene.stage.own.rglob("*") if path.is_file()]
    assert held
    assert [path for path in held if MADE_UP_KEY.encode() in path.read_bytes()] == []
