"""install.py as a person runs it, with the interpreter that runs the tests (`--no-venv`), offline."""
from __future__ import annotations

import ast
import json
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lib.host import registration
from lib.setup import slash_commands
from tests.setup.conftest import ROOT, Installer

MINE = b'{\r\n\t"model": "x",\r\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}\r\n}'
CHECKED = len(registration.HOOKS) + len(slash_commands.NAMES)


@pytest.fixture
def mine(config: Path) -> Path:
    config.mkdir()
    path = config / "settings.json"
    path.write_bytes(MINE)
    return path


def test_from_nothing_to_a_memory_and_back(installer: Installer, config: Path, checkout: Path, mine: Path) -> None:
    done = installer("--no-venv")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{len(registration.HOOKS)} hooks registered in {mine}" in done.stdout
    assert "<system-reminder>" in done.stdout
    assert "Backend: rules" in done.stdout
    assert "nothing that you write is sent anywhere" in done.stdout
    hooks = json.loads(mine.read_bytes())["hooks"]
    assert hooks["UserPromptSubmit"] == registration.entries(sys.executable, str(checkout))["UserPromptSubmit"]
    sources = {path.parent / path.stem for path in (checkout / "lib").rglob("*.py")}
    compiled = {path.parent.parent / path.name.split(".")[0] for path in (checkout / "lib").rglob("*.pyc")}
    assert compiled == sources

    held = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in config.rglob("*") if path.is_file()}
    again = installer("--no-venv")
    assert (again.returncode, f"{len(registration.HOOKS)} hooks already installed" in again.stdout) == (0, True)
    assert held == {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in config.rglob("*") if path.is_file()}

    checked = installer("--check")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout.count("ok  ") == CHECKED
    assert checked.stdout.endswith(f"all {CHECKED} ok\n")

    gone = installer("--uninstall")
    assert gone.returncode == 0
    assert mine.read_bytes() == MINE
    assert installer("--uninstall").stdout.startswith("nothing of ours is registered")


def test_the_demonstration_leaves_the_person_s_folders_alone(
    installer: Installer, config: Path, tmp_path: Path
) -> None:
    assert installer("--no-venv").returncode == 0
    assert sorted(path.name for path in config.iterdir()) == ["commands", "memory-hooks", "settings.json"]
    assert not (tmp_path / "home").exists()


def test_a_broken_checkout_ends_with_one_sentence(installer: Installer, checkout: Path) -> None:
    (checkout / "hooks" / "user_prompt_submit.py").write_text("")
    done = installer("--no-venv")
    assert done.returncode == 1
    assert done.stderr.startswith("install.py: the demonstration failed: UserPromptSubmit recalled nothing")
    assert done.stderr.count("\n") == 1
    checked = installer("--check")
    assert checked.returncode == 1
    (failed,) = (line for line in checked.stdout.splitlines() if line.startswith("FAIL  UserPromptSubmit"))
    assert failed.endswith("  it ended quietly without doing its work")
    assert checked.stdout.endswith(f"1 of {CHECKED} need attention\n")


def test_a_moved_checkout_leaves_one_entry_each(installer: Installer, checkout: Path, mine: Path) -> None:
    assert installer("--no-venv").returncode == 0
    moved = checkout.parent / "moved"
    shutil.move(str(checkout), moved)
    assert "its script is gone" in installer("--check", root=moved).stdout
    assert installer("--no-venv", root=moved).returncode == 0
    text = mine.read_text(encoding="utf-8")
    assert (text.count("/moved/hooks/"), text.count("/hooks/")) == (len(registration.HOOKS),) * 2
    assert installer("--check", root=moved).returncode == 0
    assert installer("--uninstall", root=moved).returncode == 0
    assert mine.read_bytes() == MINE


def test_print_shows_the_difference_and_changes_nothing(installer: Installer, checkout: Path, mine: Path) -> None:
    done = installer("--print")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"--- {mine}\n+++ {mine}\n@@ ")
    assert json.dumps(f"{checkout}/.venv/bin/python", ensure_ascii=False).strip('"').split("$")[0] in done.stdout
    assert mine.read_bytes() == MINE
    assert os.listdir(mine.parent) == ["settings.json"]
    assert not (checkout / ".venv").exists()
    assert installer("--print", "--uninstall").stdout == f"{mine} would not change\n"


@pytest.mark.parametrize("act", [["--no-venv"], ["--print"], ["--check"], ["--uninstall"]])
def test_a_settings_file_that_is_no_json_is_refused_unchanged(installer: Installer, mine: Path, act: list[str]) -> None:
    mine.write_bytes(b'{\n  "a": 1, // mine\n}')
    done = installer(*act)
    assert done.returncode == 1
    assert "line 2, column 11: a comment, which JSON does not allow" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert mine.read_bytes() == b'{\n  "a": 1, // mine\n}'
    assert os.listdir(mine.parent) == ["settings.json"]


def test_a_folder_named_on_the_command_line_is_used(installer: Installer, config: Path, tmp_path: Path) -> None:
    done = installer("--no-venv", "--config-dir", str(tmp_path / "else where"))
    assert done.returncode == 0
    assert f"python install.py --uninstall --config-dir '{tmp_path}/else where'\n" in done.stdout
    assert (tmp_path / "else where" / "settings.json").is_file()
    assert not config.exists()


@pytest.mark.parametrize("act", [["--no-venv"], ["--check"], ["--print"], ["--uninstall"]])
def test_without_a_home_it_says_so_and_touches_nothing(installer: Installer, act: list[str]) -> None:
    done = installer(*act, env={"HOME": ""})
    assert done.returncode == 1
    assert done.stderr.startswith("install.py: HOME is empty")
    assert not os.path.exists("/.claude")


def test_anthropic_without_a_key_is_told_plainly(
    installer: Installer, mine: Path, config: Path, tmp_path: Path
) -> None:
    mine.write_text('{"memoryHooks": {"backend": "anthropic"}}')
    env = {"CLAUDE_CONFIG_DIR": str(config), "HOME": str(tmp_path)}
    without = installer("--no-venv", env=env)
    assert "Backend: rules (the settings ask for anthropic, but ANTHROPIC_API_KEY is not" in without.stdout
    with_key = installer("--no-venv", env={**env, "ANTHROPIC_API_KEY": "made-up-value"})
    assert "Backend: anthropic" in with_key.stdout
    assert "is sent to the Anthropic API" in with_key.stdout
    assert "made-up-value" not in with_key.stdout + with_key.stderr


def test_wrong_usage_is_told_by_the_parser(installer: Installer) -> None:
    done = installer("--check", "--uninstall")
    assert (done.returncode, "not allowed with argument" in done.stderr) == (2, True)


def test_the_face_parses_under_python_3_6() -> None:
    source = (ROOT / "install.py").read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 6))
    assert "from __future__" not in source


def test_an_older_python_is_told_the_floor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 18, "final", 0))
    with pytest.raises(SystemExit) as caught:
        runpy.run_path(str(ROOT / "install.py"))
    assert str(caught.value.code).startswith("install.py needs Python 3.10 or newer; this is 3.9 (")


def test_nothing_beyond_the_standard_library_is_loaded(checkout: Path, config: Path) -> None:
    probe = (
        "import runpy, sys\n"
        "sys.argv = ['install.py', '--print']\n"
        "try:\n    runpy.run_path('install.py', run_name='__main__')\nexcept SystemExit:\n    pass\n"
        "print(sorted({name.split('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)), file=sys.stderr)"
    )
    env = {"CLAUDE_CONFIG_DIR": str(config), "HOME": str(config)}
    done = subprocess.run(
        [sys.executable, "-S", "-c", probe], cwd=checkout, env=env, capture_output=True, text=True, check=True
    )
    assert set(ast.literal_eval(done.stderr)) <= {"__main__", "__mp_main__", "lib"}
