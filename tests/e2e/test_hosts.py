"""One memory, four agents: what is said in one real client reaches the model of another."""
from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from lib.host import hosts
from tests.e2e.conftest import REQUIRED
from tests.support import other_clients
from tests.support.model_apis import ModelAPIs
from tests.support.other_clients import OtherClient
from tests.support.scene import Scene, reminders

SAID = "Remember: always use pnpm here, npm corrupts the lockfile"
FACT = "Always use pnpm here, npm corrupts the lockfile."
PROMPT = "add a dependency"
OFFLINE = {"memoryHooks": {"backend": "rules"}}


@pytest.fixture(params=hosts.NAMES)
def other(request: pytest.FixtureRequest, scene: Scene) -> Iterator[tuple[OtherClient, ModelAPIs]]:
    """Another agent of the same person, with our hooks, beside Claude Code."""
    host = request.param
    if not other_clients.command(host):
        package, version = other_clients.PACKAGES[host]
        message = f"{package} {version} is not here: `python tests` installs it where npm and Node 20 are present"
        if REQUIRED and host in other_clients.wanted():
            pytest.fail(message)
        pytest.skip(message)
    with ModelAPIs(scene.client.network.listener()) as apis:
        client = OtherClient(host, scene.stage.home, apis.url, scene.client.network)
        client.settle_in()
        scene.install(OFFLINE)
        done = scene.installer("--no-venv", "--host", host)
        assert done.returncode == 0, done.stdout + done.stderr
        yield client, apis


def memory_appears(scene: Scene, seconds: float = 20.0) -> None:
    """Wait for the memory with its line in the index, where Claude Code keeps it for this repository."""
    folder, end = scene.stage.memory, time.monotonic() + seconds
    while time.monotonic() < end:
        index = folder / "MEMORY.md"
        if (folder / "use-pnpm.md").is_file() and index.is_file() and "(use-pnpm.md)" in index.read_text():
            assert FACT in (folder / "use-pnpm.md").read_text()
            return
        time.sleep(0.05)
    raise AssertionError(f"no memory in {folder}\nlog: {scene.stage.log()}\njournal: {scene.stage.journal()}")


def test_said_in_claude_code_it_is_recalled_in_the_other(scene: Scene, other: tuple[OtherClient, ModelAPIs]) -> None:
    client, apis = other
    scene.ask(SAID)
    memory_appears(scene)
    assert scene.memory() == scene.stage.memory
    client.ask(PROMPT, scene.stage.project, scene.stage.config)
    asked = apis.asked(PROMPT)
    assert asked and asked[0].count(FACT) == 1, asked
    assert ("the index of this project's memory" in asked[0].lower()) is (hosts.adapter(client.host).PAGES > 0)
    assert scene.stage.log() == []


def test_said_in_the_other_it_is_recalled_in_claude_code(scene: Scene, other: tuple[OtherClient, ModelAPIs]) -> None:
    client, _ = other
    client.ask(SAID, scene.stage.project, scene.stage.config)
    memory_appears(scene)
    scene.ask(PROMPT)
    [told] = reminders(scene.main_requests()[-1].body)
    assert FACT in told
    assert scene.stage.log() == []


def test_what_recall_put_beside_a_prompt_is_not_learned_again(
    scene: Scene, other: tuple[OtherClient, ModelAPIs]
) -> None:
    client, _ = other
    client.ask(SAID, scene.stage.project, scene.stage.config)
    memory_appears(scene)
    client.ask(PROMPT, scene.stage.project, scene.stage.config)
    scene.stage.settle(60)
    runs = [event for event in scene.stage.journal() if event["e"] == "extract"]
    assert sorted(len(event["changes"]) for event in runs) == [0, 1]
