"""What install.py registers works in the real client, and taking it out leaves nothing behind."""
from __future__ import annotations

from lib.host.registration import HOOKS
from tests.support.client import VERSION
from tests.support.scene import Scene

# As a person may have written it: tabs, no space after some colons, an escape, no line end at the end.
THEIRS = (
    '{\n\t"model":"claude-sonnet-5-5",\n\t"env": {"NOTE": "caf\\u00e9"},\n\t"hooks": {\n\t\t"Stop": [{"hooks": '
    '[{"type": "command", "command": "true"}]}]\n\t},\n\t"memoryHooks": {"backend":"rules"}\n}'
)
SAID = "Remember: always use pnpm here, npm corrupts the lockfile"


def test_install_check_use_and_uninstall_under_the_real_client(scene: Scene) -> None:
    settings = scene.stage.config / "settings.json"
    settings.write_text(THEIRS)

    installed = scene.installer("--no-venv")
    assert installed.returncode == 0, installed.stdout + installed.stderr
    registered = settings.read_text()
    assert registered != THEIRS
    assert '[{"type": "command", "command": "true"}]' in registered

    again = scene.installer("--no-venv")
    assert again.returncode == 0, again.stdout + again.stderr
    assert settings.read_text() == registered

    checked = scene.installer("--check")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert all(hook.script in checked.stdout or hook.title in checked.stdout for hook in HOOKS), checked.stdout

    scene.ask(SAID)
    scene.wait_for_memory()
    scene.stage.settle()
    memories, events = scene.memories(), len(scene.stage.journal())
    assert events
    assert scene.stage.log() == []

    removed = scene.installer("--uninstall")
    assert removed.returncode == 0, removed.stdout + removed.stderr
    assert settings.read_bytes() == THEIRS.encode()

    scene.ask("Remember: always use tabs in Makefiles, spaces break them")
    scene.stage.settle()
    assert scene.memories() == memories
    assert len(scene.stage.journal()) in (0, events)


def test_where_there_were_no_settings_there_are_none_after_uninstall(scene: Scene) -> None:
    settings = scene.stage.config / "settings.json"
    assert scene.installer("--no-venv").returncode == 0
    assert settings.exists()
    assert scene.installer("--uninstall").returncode == 0
    assert not settings.exists()


def test_the_client_of_these_tests_is_the_pinned_one(scene: Scene) -> None:
    scene.ask("hello")
    assert VERSION in scene.api.requests[0].headers["user-agent"]
