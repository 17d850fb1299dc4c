"""The files of the plugin form are what the tables give, and a check tells a person how the plugin stands."""
from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest

from lib.host import plugin, registration
from lib.setup import check, generated, plan, plugin_form, slash_commands
from lib.setup.plugin_form import Loaded
from tests.setup.conftest import Installer

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("place", sorted(generated.texts()))
def test_a_generated_file_is_what_the_tables_give(place: str) -> None:
    stands = (ROOT / place).read_text(encoding="utf-8")
    assert stands == generated.texts()[place], "run: python -m lib.setup.generated"


def test_the_plugin_s_hooks_are_the_table_s_rows() -> None:
    hooks = json.loads((ROOT / plugin_form.HOOKS).read_text())["hooks"]
    table = registration.entries("P", "R")
    assert {event: len(groups) for event, groups in hooks.items()} == {e: len(groups) for e, groups in table.items()}
    for event, groups in table.items():
        for ours, theirs in zip(groups, hooks[event], strict=True):
            command = theirs["hooks"][0]["command"]
            assert command.endswith(" --plugin")
            assert {**theirs, "hooks": 0} == {**ours, "hooks": 0}
            words = command.removesuffix(" --plugin").replace("python3", '"P"').replace("${CLAUDE_PLUGIN_ROOT}", "R")
            assert words == ours["hooks"][0]["command"]
            assert theirs["hooks"][0]["timeout"] == ours["hooks"][0]["timeout"]


def test_the_manifest_names_a_command_for_each_of_install_s() -> None:
    manifest = json.loads((ROOT / plugin_form.MANIFEST).read_text())
    assert [Path(place).name for place in manifest["commands"]] == list(slash_commands.NAMES)
    assert all((ROOT / place).is_file() for place in manifest["commands"])
    for place in manifest["commands"]:
        text = (ROOT / place).read_text(encoding="utf-8")
        assert registration.CHECKOUT_MARK not in text
        assert "{mark}" not in text and "{command}" not in text
        assert 'python3 "${CLAUDE_PLUGIN_ROOT}/memory.py"' in text


def loaded(root: Path = ROOT, version: tuple[int, ...] = (3, 12), quiet_for: str = "") -> Loaded:
    return Loaded(str(root), "/usr/bin/python3", version, quiet_for)


def test_an_old_python_is_a_fault_that_says_what_to_do() -> None:
    problem, fix, _ = plugin_form.judged(loaded(version=(3, 9)))
    assert problem.startswith("Python 3.9 is too old for the plugin in ")
    assert fix == "put a python3 of 3.10 or newer first on PATH"


def test_two_copies_are_told_while_the_settings_still_register_one(tmp_path: Path) -> None:
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"hooks": registration.entries("/p", str(ROOT))}))
    problem, fix, _ = plugin_form.judged(loaded(quiet_for=str(settings)))
    assert problem.startswith(f"{settings} registers the hooks as well: those act, the plugin in {ROOT}")
    assert "install.py --uninstall" in fix
    settings.write_text("{}")
    assert plugin_form.judged(loaded(quiet_for=str(settings)))[0] == ""


def test_without_packages_it_works_and_says_what_adds_them(tmp_path: Path) -> None:
    problem, _, note = plugin_form.judged(loaded(tmp_path))
    assert problem == ""
    assert f"python3 {tmp_path}/install.py --packages" in note
    own = tmp_path / ".venv" / "bin" / "python"
    own.parent.mkdir(parents=True)
    own.symlink_to(sys.executable)
    assert plugin_form.judged(loaded(tmp_path)) == ("", "", f"loaded from {tmp_path}, under /usr/bin/python3")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"root": 1, "python": 2, "version": "x", "quiet_for": ""}'])
def test_a_note_of_another_shape_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "memory-hooks").mkdir()
    (tmp_path / "memory-hooks" / plugin.NOTE).write_text(text)
    assert plugin_form.loaded(str(tmp_path), time.time()) is None


def test_a_plugin_that_no_session_loads_is_forgotten(tmp_path: Path) -> None:
    plugin._note(str(tmp_path), "", (3, 12))
    assert plugin_form.loaded(str(tmp_path), time.time()) == Loaded(str(ROOT), sys.executable, (3, 12), "")
    assert plugin_form.loaded(str(tmp_path), time.time() + 15 * 86_400) is None


def test_packages_alone_registers_nothing(installer: Installer, config: Path) -> None:
    done = installer("--packages", "--no-venv")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"interpreter: {sys.executable}; nothing was registered\n"
    assert not config.exists()


def test_the_check_of_who_has_the_plugin_alone_misses_nothing_in_the_settings(config: Path, tmp_path: Path) -> None:
    plugin._note(str(config), "", (3, 12))
    found = check.rows(str(config), str(ROOT), {"HOME": str(tmp_path)}, str(tmp_path))
    assert [(row.what, row.problem) for row in found] == [("plugin", "")]
    assert found[0].note.startswith("loaded from ")


def test_the_check_tells_of_both_copies(config: Path, checkout: Path, tmp_path: Path) -> None:
    plan.apply(plan.install(str(config), sys.executable, str(checkout)))
    plugin._note(str(config), str(config / "settings.json"), (3, 12))
    found = check.rows(str(config), str(checkout), {"HOME": str(tmp_path)}, str(tmp_path))
    assert [row.what for row in found if row.problem] == ["plugin"]
    assert len(found) == len(registration.HOOKS) + 1
    assert os.path.isfile(checkout / "hooks" / "stop.py")
