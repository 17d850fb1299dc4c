"""memory.py from anywhere: an unfit Python hands over to the bundle's own, once; what is missing is one sentence."""
from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import memory as face
from tests.cli.conftest import ROOT, Desk


def bare(*arguments: str) -> tuple[str, ...]:
    """This interpreter without any package, as a system's python may be."""
    return (sys.executable, "-I", "-S", *arguments)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """The face in another checkout, so that this one's .venv has no say."""
    folder = tmp_path / "che ckout"
    folder.mkdir()
    (folder / "memory.py").write_text((ROOT / "memory.py").read_text())
    (folder / "lib").symlink_to(ROOT / "lib")
    return folder


def run(folder: Path, *arguments: str, python: tuple[str, ...] = (), **env: str) -> subprocess.CompletedProcess[str]:
    command = [*(python or bare()), str(folder / "memory.py"), *arguments]
    return subprocess.run(command, env={**os.environ, **env}, capture_output=True, text=True, timeout=60)


def interpreter(path: Path, shell: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{shell}\n")
    path.chmod(0o755)


def test_any_python_from_3_6_on_can_read_it_far_enough_to_hand_over() -> None:
    ast.parse((ROOT / "memory.py").read_text(), feature_version=(3, 6))


def test_it_goes_on_under_the_venv_beside_it_with_the_same_arguments(elsewhere: Path, desk: Desk) -> None:
    interpreter(elsewhere / ".venv" / "bin" / "python", f'exec "{sys.executable}" "$@"')
    shown = run(elsewhere, "list", "--json")
    assert shown.stderr == "" and json.loads(shown.stdout)["memories"] == []
    shown = run(elsewhere, "show", "it's \"here\"")
    assert shown.stderr.startswith("memory.py: there is no memory 'it\\'s \"here\"' in")


def test_without_a_venv_the_interpreter_of_the_registered_hooks_is_taken(elsewhere: Path, desk: Desk) -> None:
    own = desk.config / "memory-hooks"
    own.mkdir()
    commands = [f'"/gone/python" -I -S "{elsewhere}/hooks/stop.py"', f'"{sys.executable}" -I "{elsewhere}/hooks/x.py"']
    (own / "install.json").write_text(json.dumps({"commands": commands}))
    assert run(elsewhere, "list").stdout.startswith("Nothing is remembered")


@pytest.mark.parametrize("noted", ["", "[]", "{", '{"commands": [3, "\\"/usr/bin/env\\" /else/where.py"]}'])
def test_with_none_of_ours_it_says_what_to_do(elsewhere: Path, desk: Desk, noted: str) -> None:
    own = desk.config / "memory-hooks"
    own.mkdir()
    (own / "install.json").write_text(noted)
    shown = run(elsewhere, "lint")
    assert (shown.returncode, shown.stdout) == (1, "")
    assert shown.stderr == (
        f"memory.py needs yaml and psutil, which {sys.executable} has not got; run `python install.py` in {elsewhere} "
        "with Python 3.10 or newer once, it prepares one\n"
    )


def test_it_hands_over_once_and_never_in_a_circle(elsewhere: Path, desk: Desk) -> None:
    interpreter(elsewhere / ".venv" / "bin" / "python", f'exec "{sys.executable}" -S "$@"')
    shown = run(elsewhere, "lint")
    assert shown.returncode == 1 and shown.stderr.count("\n") == 1 and "needs yaml" in shown.stderr


def test_a_broken_venv_is_named(elsewhere: Path, desk: Desk) -> None:
    interpreter(elsewhere / ".venv" / "bin" / "python", "")
    (elsewhere / ".venv" / "bin" / "python").write_text("#!/no/such/interpreter\n")
    shown = run(elsewhere, "lint")
    assert shown.returncode == 1 and f"cannot start {elsewhere}/.venv/bin/python" in shown.stderr


@pytest.mark.parametrize("verb", [verb for verb in face.VERBS if verb not in (*face.JUDGING, "report")])
def test_whatever_only_looks_works_without_any_package(elsewhere: Path, desk: Desk, verb: str) -> None:
    """Seen in this process, with the imports of packages failing; `doctor` itself in one of its own."""
    desk.put("one", "Number one")
    arguments = {"show": ["one"], "forget": ["one", "--yes"], "search": ["number one"], "completion": ["bash"],
                 "complete": ["--", "show"]}.get(verb, [])  # fmt: skip
    missing = dict.fromkeys(face.NEEDED)
    with pytest.MonkeyPatch.context() as patch:
        for name in missing:
            patch.setitem(sys.modules, name, None)
        shown = desk.run(verb, *arguments)
    assert shown.returncode in (0, 1) and "Traceback" not in shown.stderr
    if verb in ("list", "status", "show", "forget"):
        assert shown.returncode == 0, shown.stderr


def test_doctor_says_what_is_missing_under_a_bare_python(elsewhere: Path, desk: Desk) -> None:
    shown = run(elsewhere, "doctor")
    assert shown.returncode == 1 and shown.stderr == ""
    assert "yaml, psutil, anthropic missing (a package is missing) -> python install.py" in shown.stdout


def test_through_a_link_and_from_another_folder_it_is_the_same(desk: Desk, tmp_path: Path) -> None:
    link = tmp_path / "memory"
    link.symlink_to(ROOT / "memory.py")
    done = subprocess.run([sys.executable, str(link), "list"], cwd="/", capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("Nothing is remembered for / yet")


def test_an_old_python_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(face.sys, "version_info", (3, 8, 10))  # type: ignore[attr-defined]
    assert face.lacks() == f"needs Python 3.10 or newer; this is 3.8 ({sys.executable})"


def test_a_folder_that_is_gone_is_one_sentence(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    command = f'cd "{folder}" && rmdir "{folder}" && "{sys.executable}" "{ROOT}/memory.py" list'
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and done.stderr.startswith("memory.py: [Errno 2]") and done.stderr.count("\n") == 1


def test_each_verb_explains_itself(desk: Desk) -> None:
    for verb in face.VERBS:
        shown = desk.run(verb, "--help")
        assert shown.returncode == 0 and shown.stdout.startswith("`memory.py "), verb
