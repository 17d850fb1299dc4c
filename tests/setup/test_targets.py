"""install.py --host: each host's own file, byte for byte back; what is only found is named, never changed."""
from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from lib.host import hosts
from tests.setup.conftest import Installer

MINE = b'{\r\n\t"theme": "x",\r\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}\r\n}'
FILES = {"codex": ".codex/hooks.json", "gemini": ".gemini/settings.json", "qwen": ".qwen/settings.json"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def write(home: Path, host: str, data: bytes) -> Path:
    path = home / FILES[host]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("host", hosts.NAMES)
@pytest.mark.parametrize("before", [MINE, b"{}", None], ids=["theirs", "empty", "none"])
def test_from_nothing_to_hooks_and_back(
    installer: Installer, home: Path, config: Path, host: str, before: bytes | None
) -> None:
    path = home / FILES[host] if before is None else write(home, host, before)
    done = installer("--no-venv", "--host", host)
    assert (done.returncode, done.stderr) == (0, "")
    rows = hosts.hooks(hosts.adapter(host))
    assert f"{len(rows)} hooks registered in {path}" in done.stdout
    assert hosts.adapter(host).NOTE in done.stdout
    assert not (config / "settings.json").exists()
    held = json.loads(path.read_bytes())["hooks"]
    ours = [run["command"] for groups in held.values() for group in groups for run in group["hooks"]]
    assert sum(command.endswith(f"--host {host}") for command in ours) == len(rows)
    assert ("mine" in ours) is (before == MINE)

    text = path.read_bytes()
    assert f"{len(rows)} hooks already installed" in installer("--no-venv", "--host", host).stdout
    assert path.read_bytes() == text
    assert "would not change" in installer("--no-venv", "--print", "--host", host).stdout

    checked = installer("--check", "--host", host)
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout
    assert checked.stdout.endswith(f"all {len(rows)} ok\n")

    gone = installer("--uninstall", "--host", host)
    assert gone.returncode == 0
    assert (path.read_bytes() if path.exists() else None) == before
    assert "nothing of ours" in installer("--uninstall", "--host", host).stdout


def test_a_host_that_is_found_is_named_with_the_command_and_left_alone(installer: Installer, home: Path) -> None:
    path = write(home, "gemini", MINE)
    done = installer("--no-venv")
    assert done.returncode == 0
    assert "Gemini CLI is here too and was left alone" in done.stdout
    assert "python install.py --host gemini" in done.stdout
    assert "Qwen Code" not in done.stdout
    assert path.read_bytes() == MINE
    # Once it is registered there is nothing to ask for; taking Claude Code's out tells what stays.
    assert installer("--no-venv", "--host", "gemini").returncode == 0
    assert "Gemini CLI" not in installer("--no-venv").stdout
    told = installer("--uninstall").stdout
    assert "Gemini CLI still has the hooks: python install.py --uninstall --host gemini" in told
    assert path.read_bytes() != MINE


def test_all_means_claude_code_and_what_is_found(installer: Installer, home: Path, config: Path) -> None:
    config.mkdir()
    (config / "settings.json").write_bytes(MINE)
    paths = [write(home, "gemini", MINE), write(home, "codex", b"{}")]
    done = installer("--no-venv", "--host", "all")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line for line in done.stdout.splitlines() if line.startswith("== ")] == [
        "== Claude Code", "== Codex CLI", "== Gemini CLI",
    ]  # fmt: skip
    assert not (home / ".qwen").exists()
    checked = installer("--check")
    assert checked.returncode == 0 and checked.stdout.count("== ") == 3, checked.stdout
    assert installer("--uninstall", "--host", "all").returncode == 0
    assert [path.read_bytes() for path in paths] == [MINE, b"{}"]
    assert (config / "settings.json").read_bytes() == MINE


def test_a_file_that_cannot_be_parsed_is_refused_by_name_and_unchanged(installer: Installer, home: Path) -> None:
    path = write(home, "qwen", b'{\n  // a comment\n  "theme": "x"\n}')
    done = installer("--no-venv", "--host", "qwen")
    assert done.returncode == 1
    assert f"{path}, line 2, column 3" in done.stderr and "unchanged" in done.stderr
    assert path.read_bytes() == b'{\n  // a comment\n  "theme": "x"\n}'


def test_a_registration_that_was_bent_is_told_with_the_command_that_mends_it(installer: Installer, home: Path) -> None:
    installer("--no-venv", "--host", "gemini")
    path = home / FILES["gemini"]
    path.write_text(path.read_text().replace('"timeout": 5000', '"timeout": 5'))
    done = installer("--check", "--host", "gemini")
    assert done.returncode == 1
    assert "its timeout is 5, in the table it is 5000" in done.stdout
    assert "-> run: python install.py --host gemini" in done.stdout
    assert installer("--no-venv", "--host", "gemini").returncode == 0
    assert '"timeout": 5000' in path.read_text()


def test_a_moved_checkout_leaves_one_entry_each(installer: Installer, home: Path, checkout: Path) -> None:
    installer("--no-venv", "--host", "codex")
    moved = checkout.rename(checkout.parent / "moved")
    assert installer("--no-venv", "--host", "codex", root=moved).returncode == 0
    text = (home / FILES["codex"]).read_text()
    assert text.count("stop.py") == 1 and "/moved/hooks/stop.py" in text and sys.executable in text
    assert installer("--uninstall", "--host", "codex", root=moved).returncode == 0
    assert not (home / FILES["codex"]).exists()


def test_a_backend_is_not_chosen_for_one_host(installer: Installer) -> None:
    done = installer("--no-venv", "--host", "codex", "--backend", "rules")
    assert done.returncode == 2
    assert "python install.py --backend rules" in done.stderr
