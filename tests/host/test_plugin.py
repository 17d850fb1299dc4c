"""The plugin's copy gives way to one that the settings register, by the mark of a checkout and never by its name."""
from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from lib.host import plugin, registration
from lib.host.registration import HOOKS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


def register(path: Path, root: str, event: str = "Stop", script: str = "stop.py") -> None:
    hook = next(hook for hook in HOOKS if (hook.event, hook.script) == (event, script))
    path.write_text(json.dumps({"hooks": {event: [registration.entry(hook, "/p/python", root)]}}))


def registered(path: Path, event: str = "Stop", script: str = "stop.py") -> str:
    return plugin.registered_in(event, script, [str(path)])


def test_the_mark_is_the_one_that_checkouts_carry() -> None:
    line = plugin._MARK_LINE.decode()
    assert f'CHECKOUT_MARK = "{registration.CHECKOUT_MARK}"'.startswith(line)
    assert registration.MARK_FILE == "/".join(plugin._MARK_PLACE)
    assert registration.PLUGIN_OPTION == plugin.OPTION


def test_a_registered_checkout_is_found_whatever_its_path(settings: Path, tmp_path: Path) -> None:
    odd = tmp_path / "a b" / "it's $HOME \"x\" `y` \\z"
    odd.parent.mkdir()
    odd.symlink_to(ROOT)
    for root in (str(ROOT), str(odd)):
        register(settings, root)
        assert registered(settings) == str(settings)


def test_each_event_is_judged_by_itself(settings: Path) -> None:
    register(settings, str(ROOT))
    assert registered(settings, "UserPromptSubmit", "user_prompt_submit.py") == ""
    assert registered(settings, "SessionStart", "session_start.py") == ""


def test_a_folder_of_the_same_name_without_the_mark_is_somebody_elses(settings: Path, tmp_path: Path) -> None:
    (tmp_path / "memory-hooks" / "hooks").mkdir(parents=True)
    (tmp_path / "memory-hooks" / "hooks" / "stop.py").write_text("")
    register(settings, str(tmp_path / "memory-hooks"))
    assert registered(settings) == ""


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", "null", '{"hooks": 1}', '{"hooks": {"Stop": 1}}', '{"hooks": {"Stop": [1, {"hooks": 2}]}}',
     '{"hooks": {"Stop": [{"hooks": [3, {"command": 4}, {"command": "\\u0000/hooks/stop.py"}]}]}}'],
)  # fmt: skip
def test_settings_of_any_other_shape_register_nothing(settings: Path, text: str) -> None:
    settings.write_text(text)
    assert registered(settings) == ""


def test_the_worker_gets_the_interpreter_that_has_the_packages(tmp_path: Path) -> None:
    assert plugin.worker_python(str(tmp_path)) == ""
    for name, target, found in (("made", sys.executable, True), ("broken", str(tmp_path / "gone"), False)):
        own = tmp_path / name / ".venv" / "bin" / "python"
        own.parent.mkdir(parents=True)
        own.symlink_to(target)
        assert plugin.worker_python(str(tmp_path / name)) == (str(own) if found else "")


def test_the_note_is_rewritten_only_when_it_changed(tmp_path: Path) -> None:
    path = tmp_path / "memory-hooks" / plugin.NOTE
    plugin._note(str(tmp_path), "/s.json", (3, 12))
    told = json.loads(path.read_text())
    assert told == {"root": str(ROOT), "python": sys.executable, "version": "3.12", "quiet_for": "/s.json"}
    os.utime(path, (1, 1))
    inode = path.stat().st_ino
    plugin._note(str(tmp_path), "/s.json", (3, 12))
    assert path.stat().st_ino == inode and path.stat().st_mtime > 1
    plugin._note(str(tmp_path), "", (3, 12))
    assert json.loads(path.read_text())["quiet_for"] == ""
