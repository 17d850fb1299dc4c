"""A sub-agent with a memory of its own under the real client: taught in one run, told in the next, apart from ours."""
from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from lib.memory import frontmatter
from tests.support.messages_api import Body, main_loop, text, texts, tool_results, tool_use
from tests.support.scene import Scene, reminders

SAID = "Remember: always use pnpm here, npm corrupts the lockfile"
ROLE = "You review what others wrote."
REPORT = "Looked at it. Dana owns the auth module until March."


def reviewer(folder: Path, scope: str = "project") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    words = f"---\nname: reviewer\ndescription: reviews\nmemory: {scope}\n---\n{ROLE}\n"
    (folder / "reviewer.md").write_text(words)


def inside(body: Body) -> bool:
    """Whether it is the sub-agent that asks."""
    return ROLE in "\n".join(texts(body)) and main_loop(body)


def launching(task: str) -> Any:
    """A main loop that starts the reviewer once with this task and ends; the reviewer reports at once."""

    def say(body: Body) -> list[dict[str, Any]]:
        if inside(body):
            return [text(REPORT)]
        if tool_results(body) or any("task-notification" in words for words in texts(body, role="user")):
            return [text("Done.")]
        return [tool_use("Agent", {"description": "review", "prompt": task, "subagent_type": "reviewer"})]

    return say


def runs(scene: Scene) -> list[Body]:
    return [request.body for request in scene.api.requests if inside(request.body)]


def learned(folder: Path, scene: Scene, seconds: float = 30.0) -> dict[str, str]:
    """The memories of a scope as soon as it has one that its index names."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = {path.name: path.read_text() for path in folder.glob("*.md") if path.name != "MEMORY.md"}
        index = folder / "MEMORY.md"
        if found and index.exists() and all(f"({name})" in index.read_text() for name in found):
            return found
        time.sleep(0.05)
    raise AssertionError(f"nothing in {folder}: {scene.stage.log()}\n{scene.stage.journal()}")


@pytest.mark.parametrize("below", ["", "src/deep"], ids=["root", "subfolder"])
def test_e2e_agents_what_a_run_taught_is_in_its_scope_and_in_the_next_run(scene: Scene, below: str) -> None:
    scene.install({"memoryHooks": {"backend": "rules"}})
    project = scene.stage.project
    reviewer(project / ".claude" / "agents")
    launch = project / below
    launch.mkdir(parents=True, exist_ok=True)
    scene.play.main = launching(f"Review the auth module. {SAID}")
    scene.ask(f"Let the reviewer look at auth. {SAID}", cwd=launch)
    scope = project / ".claude" / "agent-memory" / "reviewer"
    ((name, words),) = learned(scope, scene).items()
    document = frontmatter.parse(words)
    assert document.problem == "" and "pnpm" in document.body
    assert document.fields["metadata"]["said_by"] == "user"
    scene.stage.settle(60)
    first = len(runs(scene))
    scene.play.main = launching("Add a dependency for parsing dates.")
    scene.ask("Let the reviewer do it.", cwd=launch)
    request = runs(scene)[first]
    told = reminders(request, "SubagentStart")
    assert len(told) == 1 and name in told[0] and "npm corrupts the lockfile" in told[0]
    assert "**Why:**" in told[0]
    # The client shows the index of the folder it was launched in: ours is told where that is another one, never twice.
    assert ("The index of these notes" in told[0]) is bool(below)
    agents, projects = 1, 1  # the client shows the project's own index to sub-agents as well
    assert "\n".join(texts(request)).count(f"]({name})") == agents + projects
    assert scene.stage.log() == []
