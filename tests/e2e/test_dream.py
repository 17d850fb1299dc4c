"""`/dream` in the real client: it runs, and what it did reaches the model that is to tell the person."""
from __future__ import annotations

from pathlib import Path

from lib.host import paths
from lib.memory import history
from tests.support import messy
from tests.support.messages_api import texts
from tests.support.scene import Scene


def test_the_slash_command_consolidates_and_reports(scene: Scene) -> None:
    scene.install({"memoryHooks": {"backend": "rules"}})
    scene.ask("hello")
    memory = scene.memory()
    messy.fill(memory, 30)
    scene.ask("/dream")
    told = "\n".join(texts(scene.main_requests()[-1].body))
    assert "Changed (rules): 3 merged, 6 removed" in told and "memory.py undo" in told
    assert len(scene.memories()) == 24
    state = paths.state_dir(str(scene.stage.config), paths.project_root(str(scene.stage.project)))
    assert history.of(str(memory), state).entries()[0].note.who == "dream"
    assert scene.installer("--uninstall").returncode == 0
    assert not Path(scene.stage.config, "commands").exists()
