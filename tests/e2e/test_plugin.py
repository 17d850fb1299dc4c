"""The checkout loaded with the client's plugin mechanism, alone and beside a registered copy."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.messages_api import texts
from tests.support.scene import Scene, reminders

SAID = "Remember: always use pnpm here, npm corrupts the lockfile"


@pytest.fixture
def python3(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The `python3` that the plugin finds on PATH is the interpreter of the tests."""
    shims = tmp_path_factory.mktemp("shims")
    (shims / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (shims / "python3").chmod(0o755)
    monkeypatch.setenv("PATH", str(shims), prepend=":")


def plain(checkout: Path, tmp_path: Path) -> str:
    link = tmp_path / "plugin"
    link.symlink_to(checkout)
    return str(link)


@pytest.mark.usefixtures("python3")
def test_a_statement_is_remembered_and_recalled_by_the_plugin_alone(
    scene: Scene, checkout: Path, tmp_path: Path
) -> None:
    settings = scene.stage.config / "settings.json"
    settings.write_text('{"memoryHooks": {"backend": "rules"}}')
    options = ("--plugin-dir", plain(checkout, tmp_path))
    scene.ask(SAID, *options)
    name, _ = scene.wait_for_memory()
    scene.stage.settle(60)
    scene.ask("add a dependency with the package manager", *options)
    said = reminders(scene.main_requests()[-1].body)
    assert len(said) == 1 and "pnpm" in said[0]
    assert name in scene.memories()
    for command, begins, answer in (
        ("dream", "The memories of this project", "Changed (rules): "),
        ("memories pnpm", "The person asked what", name),
        ("remember Tabs are 4 wide", "The person asked to remember", "Saved "),
    ):
        scene.ask(f"/memory-hooks:{command}", *options)
        (told,) = [words for words in texts(scene.main_requests()[-1].body) if words.startswith(begins)]
        assert answer in told
    assert settings.read_text() == '{"memoryHooks": {"backend": "rules"}}'


@pytest.mark.usefixtures("python3")
def test_beside_a_registered_copy_each_prompt_is_answered_once(scene: Scene, checkout: Path, tmp_path: Path) -> None:
    scene.install({"memoryHooks": {"backend": "rules"}})
    options = ("--plugin-dir", plain(checkout, tmp_path))
    scene.ask(SAID, *options)
    scene.wait_for_memory()
    scene.stage.settle(60)
    scene.ask("add a dependency with the package manager", *options)
    assert len(reminders(scene.main_requests()[-1].body)) == 1
    told = scene.installer("--check").stdout
    assert "registers the hooks as well: those act, the plugin in " in told
