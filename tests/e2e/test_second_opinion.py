"""A memory that shares no word with the prompt: a model names it meanwhile, and the next tool brings it. Req: C1."""

from __future__ import annotations

import time
from typing import Any

from lib.memory import store
from tests.support.messages_api import Body, text, texts, tool_results, tool_use
from tests.support.scene import Scene, reminders

PROMPT = "put the door on its hinges and oil it"
OTTER = "The workshop keys hang behind the boiler"


def test_what_a_model_found_comes_with_the_next_tool(scene: Scene) -> None:
    scene.install({"memoryHooks": {"backend": "anthropic"}})
    scene.ask("hello")
    scene.stage.settle(60)
    scene.memory().mkdir(parents=True, exist_ok=True)
    (scene.memory() / "keys.md").write_text(store.text_of("keys", "project", OTTER, OTTER, {}))
    before = len(scene.main_requests())

    def select(body: Body) -> list[dict[str, Any]]:
        return [text('["keys.md"]' if any(PROMPT in words for words in texts(body)) else "[]")]

    def told() -> bool:
        return any(event.get("files") for event in scene.stage.journal() if event["e"] == "selected")

    def main(body: Body) -> list[dict[str, Any]]:
        if tool_results(body):
            return [text("Done.")]
        end = time.monotonic() + 60
        while not told() and time.monotonic() < end:
            time.sleep(0.05)
        return [tool_use("Bash", {"command": "echo oiled", "description": "oil it"})]

    scene.play.extraction, scene.play.main = select, main
    scene.ask(PROMPT, "--allowedTools", "Bash")
    first, last = scene.main_requests()[before], scene.main_requests()[-1]
    assert reminders(first.body) == []
    (block,) = reminders(last.body, "PostToolUse")
    assert "keys.md (project" in block and OTTER in block
    scene.stage.settle(60)
    assert [event["e"] for event in scene.stage.journal()].count("ask") == 1
