"""What an end-to-end test stands on: the real client, a network of its own, and a clear word where they are missing."""
from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import client
from tests.support.client import Client
from tests.support.messages_api import MessagesAPI
from tests.support.netns import Network
from tests.support.registered import ROOT, Stage
from tests.support.scene import Play, Scene, git

# Read before a test's own environment is made.
REQUIRED = bool(os.environ.get("MEMORY_HOOKS_REQUIRE_CLIENT"))
PRODUCT = (
    "lib", "hooks", "commands", ".claude-plugin", "install.py", "memory.py", "requirements.txt",
    "settings.example.json",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.e2e)


@pytest.fixture(scope="session")
def program() -> Path:
    found = client.binary()
    if found is None:
        message = f"the client {client.VERSION} is not installed: `python tests` installs it where npm is present"
        if REQUIRED:
            pytest.fail(message)
        pytest.skip(message)
    return found


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The product in a folder whose name is as awkward as a person's may be."""
    folder = tmp_path_factory.mktemp("checkout") / "o'brien's $HOME \"hooks\""
    folder.mkdir()
    for name in PRODUCT:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy2(source, folder / name)
    return folder


@pytest.fixture
def scene(program: Path, checkout: Path, own_home: Path, tmp_path: Path) -> Iterator[Scene]:
    """A fresh repository and an API on which the model so far says "Done."; nothing is installed yet."""
    project = tmp_path / "pro ject"
    project.mkdir()
    git(project, "init", "--quiet", "--initial-branch=main")
    git(project, "commit", "--quiet", "--allow-empty", "--message=start")
    play, stage = Play(), Stage(own_home, project)
    with Network() as network, MessagesAPI(play, network.listener()) as api:
        yield Scene(stage, checkout, Client(program, own_home, api.url, network), api, play)
        stage.settle(60)
