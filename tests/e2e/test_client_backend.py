"""The person's own client thinks: a fork of the session that shares its prompt cache, or a fresh run of it."""
from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lib.memory import frontmatter
from lib.model import ledger
from tests.support.client import MADE_UP_KEY
from tests.support.messages_api import Body, Reply, Request, main_loop, text, texts, tool_names, tool_results, tool_use
from tests.support.scene import Scene

SAID = "Remember: always use pnpm here, npm corrupts the lockfile"
QUOTE = "always use pnpm here, npm corrupts the lockfile"
FACT = """\
---
name: use-pnpm
description: Dependencies are added with pnpm, npm corrupts the lockfile
metadata:
  type: feedback
  quote: "{quote}"
---
Use pnpm for every dependency in this project.

**Why:** npm corrupts the lockfile.
**How to apply:** run pnpm wherever npm would be run.
"""
ASKED_APART = "This message is not from the person"
FRESH = "You keep the long-term memory of a coding assistant."


def own(mode: str, **more: Any) -> dict[str, Any]:
    return {"memoryHooks": {"backend": "claude", "extract": {"mode": mode}, **more}}


def of_the_fork(body: Body) -> bool:
    return any(ASKED_APART in words for words in texts(body, role="user"))


def of_a_fresh_run(body: Body) -> bool:
    # With some models the client adds a placeholder for tools that it could load later; there are none.
    return tool_names(body) - {"DeferredToolPlaceholder"} == {"Read", "Grep", "Glob", "Edit", "Write"}


class Model:
    """Answers the person's session with a tool call and "Done.", and our child with `rounds`, one after another."""

    def __init__(self, scene: Scene, rounds: list[Any] | None = None) -> None:
        self.scene = scene
        self.rounds = rounds
        self.asked = 0

    def __call__(self, body: Body) -> Reply | list[dict[str, Any]]:
        if not (of_the_fork(body) or of_a_fresh_run(body)):
            if not main_loop(body):
                return [text("ok")]
            if tool_results(body):
                return Reply([text("Noted.")], usage=CACHED)
            return Reply([tool_use("Read", {"file_path": str(self.scene.stage.project / "a.txt")})], usage=CACHED)
        rounds = self.rounds if self.rounds is not None else self.saving()
        self.asked += 1
        return rounds[min(self.asked, len(rounds)) - 1]  # type: ignore[no-any-return]

    def saving(self, quote: str = QUOTE) -> list[Any]:
        memory = self.scene.memory()
        write = {"file_path": str(memory / "use-pnpm.md"), "content": FACT.format(quote=quote)}
        # The client offers no Glob to a session that has Bash; a model that asks for it anyway goes on.
        look = tool_use("Glob", {"pattern": "*.md", "path": str(memory)})
        return [[look], [tool_use("Write", write)], [text("Saved one memory.")]]


CACHED = {"input_tokens": 20, "cache_read_input_tokens": 9_000, "cache_creation_input_tokens": 500}


@pytest.fixture
def own_client(scene: Scene) -> Iterator[Scene]:
    """The scene with the client where install.py finds it and a model that saves what was said."""
    folder = scene.stage.home / ".local" / "bin"
    folder.mkdir(parents=True)
    (folder / "claude").symlink_to(scene.client.program)
    (scene.stage.project / "a.txt").write_text("hello\n")
    scene.api.script = Model(scene)
    yield scene


def forks(scene: Scene) -> list[Request]:
    return [request for request in scene.api.requests if of_the_fork(request.body)]


def fresh_runs(scene: Scene) -> list[Request]:
    return [request for request in scene.api.requests if of_a_fresh_run(request.body)]


def extraction(scene: Scene) -> dict[str, Any]:
    scene.stage.settle(90)
    [event] = [event for event in scene.stage.journal() if event["e"] == "extract"]
    return event


def pieces(body: Body) -> list[bytes]:
    """What stands in a request in the order in which a prompt cache reads it; a text is a text in either form."""
    found = [json.dumps(tool) for tool in body["tools"]] + [json.dumps(block) for block in body["system"]]
    for message in body["messages"]:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        plain = [{key: value for key, value in block.items() if key != "cache_control"} for block in blocks]
        found += [json.dumps([message["role"], block]) for block in plain]
    return [piece.encode() for piece in found]


def shared(parent: Body, child: Body) -> float:
    """The share of the parent's bytes that the child's request begins with, unchanged and in order."""
    theirs, ours = pieces(parent), pieces(child)
    same = 0
    for one, other in zip(theirs, ours, strict=False):
        if one != other:
            break
        same += len(one)
    return same / sum(map(len, theirs))


def valid(words: str) -> None:
    document = frontmatter.parse(words)
    assert (document.problem, document.fields["name"]) == ("", "use-pnpm")
    assert document.fields["metadata"]["said_by"] == "user"


def test_a_fork_saves_what_was_said_and_shares_the_parent_s_cache(
    own_client: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = own_client
    scene.install(own("fork"))
    session = scene.ask(SAID).session
    _, words = scene.wait_for_memory(90)
    valid(words)
    event = extraction(scene)
    assert (event["backend"], event["reason"]) == ("claude", "end_turn")
    assert event["changes"] == [["CREATE", "use-pnpm.md", ""]]
    asked = forks(scene)
    assert len(asked) == 3
    parent = [request for request in scene.main_requests() if not of_the_fork(request.body)][-1].body
    share = shared(parent, asked[0].body)
    with capsys.disabled():
        print(f"\nthe fork repeats {share:.2%} of the bytes of the parent's last request")
    assert share >= 0.98
    assert asked[0].body["model"] == parent["model"]
    # Nothing of the child is in the person's list of sessions, and none of its hooks did anything.
    kept = [path.name for path in scene.stage.config.glob("projects/*/*.jsonl")]
    assert kept == [f"{session}.jsonl"]
    assert [event["e"] for event in scene.stage.journal()].count("stop") == 1
    assert list((scene.stage.own / "runs").iterdir()) == [] and not (scene.stage.own / "child.json").exists()
    assert scene.stage.log() == []


def test_a_fresh_run_saves_what_was_said_outside_the_project(own_client: Scene) -> None:
    scene = own_client
    scene.install(own("delta"))
    scene.ask(SAID)
    _, words = scene.wait_for_memory(90)
    valid(words)
    assert extraction(scene)["mode"].startswith("delta")
    asked = fresh_runs(scene)
    assert len(asked) == 3 and not forks(scene)
    assert any(FRESH in block["text"] for block in asked[0].body["system"])
    assert SAID in "\n".join(texts(asked[0].body, role="user"))
    assert "memory-hooks/child" in "\n".join(texts(asked[0].body))
    assert len(list(scene.stage.config.glob("projects/*/*.jsonl"))) == 1


def test_auto_estimates_both_ways_and_the_ledger_shows_estimate_and_outcome(own_client: Scene) -> None:
    scene = own_client
    scene.install()  # nothing chosen: the client is here, and the key in the environment logs it in
    scene.ask(SAID)
    scene.wait_for_memory(90)
    event = extraction(scene)
    assert event["backend"] == "claude" and "fork $" in event["mode"] and "delta $" in event["mode"]
    [row] = ledger.since(str(scene.stage.config), 0, 1e11)
    assert (row.job, row.backend, row.changes, row.outcome) == ("extract", "claude", 1, "end_turn")
    assert row.mode in ("fork", "delta") and row.usd > 0 and row.estimate > 0 and row.input > 0
    told = scene.product("cost")
    assert "extract" in told and row.mode in told and str(scene.stage.project) in told


def test_the_child_may_look_and_may_save_and_nothing_else(own_client: Scene, tmp_path: Path) -> None:
    scene = own_client
    outside, secret = tmp_path / "outside.txt", scene.stage.project / ".env"
    secret.write_text("TOKEN=a-secret-of-the-project")

    def attempts() -> list[dict[str, Any]]:
        memory = scene.memory()
        content = FACT.format(quote=QUOTE)
        return [
            tool_use("Bash", {"command": f"touch {outside}", "description": "x"}),
            tool_use("Write", {"file_path": str(outside), "content": content}),
            tool_use("Write", {"file_path": str(memory / ".." / "escaped.md"), "content": content}),
            tool_use("Write", {"file_path": str(memory / "no-form.md"), "content": "just words"}),
            tool_use("Read", {"file_path": str(secret)}),
            tool_use("Agent", {"description": "x", "prompt": "y", "subagent_type": "general-purpose"}),
            tool_use("Write", {"file_path": str(memory / "use-pnpm.md"), "content": content}),
        ]

    model = Model(scene)
    scene.api.script = model
    scene.install(own("fork"))
    # The memory directory is known only from the first request.
    scene.api.script = lambda body: _late(model, attempts, body)
    scene.ask(SAID, "--allowedTools", "Bash")
    scene.wait_for_memory(90)
    event = extraction(scene)
    assert list(scene.memories()) == ["use-pnpm.md"] and not outside.exists()
    assert not list(scene.stage.config.rglob("escaped.md"))
    answers = [str(block["content"]) for block in tool_results(forks(scene)[1].body)]
    assert len(answers) == 7 and "a-secret-of-the-project" not in str(forks(scene)[-1].body)
    assert "STAGED" in answers[-1] and sum("STAGED" in answer for answer in answers) == 1
    assert "no-form.md" in answers[3]
    assert any(line.startswith("Bash") for line in event["refused"])


def _late(model: Model, attempts: Any, body: Body) -> Any:
    if model.rounds is None and of_the_fork(body):
        model.rounds = [attempts(), [text("done")]]
    return model(body)


def test_what_rests_on_no_words_of_the_person_is_held_back(own_client: Scene) -> None:
    scene = own_client
    model = Model(scene)
    scene.api.script = model
    model.saving = lambda quote="": Model.saving(model, "words that nobody said")  # type: ignore[method-assign]
    scene.install(own("fork"))
    scene.ask(SAID)
    event = extraction(scene)
    assert [row[:2] for row in event["changes"]] == [["HOLD", "use-pnpm.md"]]
    assert scene.memories() == {}
    assert "must rest on the person's own words" in str(tool_results(forks(scene)[2].body))


def test_without_a_login_the_rules_do_it_and_the_status_says_it_once(own_client: Scene) -> None:
    scene = own_client
    scene.api.script = lambda body: (
        Reply(status=401, error_type="authentication_error")
        if of_the_fork(body) or of_a_fresh_run(body) else [text("Noted.")]
    )  # fmt: skip
    scene.install(own("delta"))
    scene.ask(SAID)
    scene.wait_for_memory(90)
    event = extraction(scene)
    assert event["backend"] == "rules" and "not logged in" in event["reason"]
    asked = len(fresh_runs(scene))
    assert 0 < asked <= 3
    told = scene.product("status")
    assert told.count("is not logged in") == 1
    # It is not tried again at the next turn.
    scene.ask("From now on the staging server is called otter")
    scene.stage.settle(60)
    assert len(fresh_runs(scene)) == asked


def test_the_key_reaches_the_child_and_none_of_our_files(own_client: Scene) -> None:
    scene = own_client
    scene.install(own("delta"))
    scene.ask(SAID)
    scene.wait_for_memory(90)
    scene.stage.settle(60)
    assert {request.headers.get("x-api-key") for request in fresh_runs(scene)} == {MADE_UP_KEY}
    held = [path for path in scene.stage.own.rglob("*") if path.is_file()]
    assert held and [path for path in held if MADE_UP_KEY.encode() in path.read_bytes()] == []
    assert os.listdir(scene.stage.own / "runs") == []
