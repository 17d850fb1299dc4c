"""`/memories` and `/remember` in the real client: what is typed reaches the program whole, its answer the model."""
from __future__ import annotations

from pathlib import Path

from lib.journal import failing
from tests.support.messages_api import texts
from tests.support.scene import Scene

AWKWARD = "the staging server isn't called `id` or $(whoami), it's \"otter\"; rm -rf /"


def test_what_is_typed_is_kept_searched_and_told(scene: Scene) -> None:
    scene.install({"memoryHooks": {"backend": "rules"}})
    scene.ask(f"/remember {AWKWARD}")
    told = "\n".join(texts(scene.main_requests()[-1].body))
    assert "Saved " in told and "memory.py undo" in told, told
    ((name, text),) = scene.memories().items()
    assert 'quote: "the staging server isn\'t called `id` or $(whoami)' in text and f"({name})" in scene.index()
    scene.ask("/memories staging server's name?")
    told = "\n".join(texts(scene.main_requests()[-1].body))
    assert name in told and "score" in told
    for _ in range(failing.IN_A_ROW):
        failing.failed(str(scene.stage.config), "learning", "OSError: full")
    scene.ask("hello there")
    assert "OSError" not in "\n".join(texts(scene.main_requests()[-1].body))
    assert not (scene.stage.own / "alarm.txt").exists()
    scene.stage.settle()
    assert list(scene.memories()) == [name]
    assert scene.installer("--uninstall").returncode == 0
    assert not Path(scene.stage.config, "commands").exists()

