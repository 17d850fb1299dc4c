"""The guards that every other test stands on."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.write_guard import WriteGuard

ROOT = Path(__file__).resolve().parent.parent

OFFENDERS = {
    "open": 'open(OUTSIDE + "/file", "w").close()',
    "append": 'open(OUTSIDE + "/file", "a").close()',
    "os_open": 'os.close(os.open(OUTSIDE + "/file", os.O_WRONLY | os.O_CREAT))',
    "dir_fd": 'd = os.open(OUTSIDE, os.O_RDONLY); os.close(os.open("file", os.O_WRONLY | os.O_CREAT, dir_fd=d))',
    "mkdir": 'os.mkdir(OUTSIDE + "/folder")',
    "rename": 'open("mine", "w").close(); os.rename("mine", OUTSIDE + "/file")',
    "remove": 'os.remove(OUTSIDE + "/kept")',
    "symlink": 'os.symlink("/etc", OUTSIDE + "/link")',
    "through_a_link": 'os.symlink(OUTSIDE, "link"); open("link/file", "w").close()',
    "swallowed": 'import contextlib\n    with contextlib.suppress(OSError): open(OUTSIDE + "/file", "w")',
}


def run_under_guard(tmp_path: Path, body: str) -> tuple[int, str, set[str]]:
    """Exit status, output, and what lies outside afterwards, of a one-test run with only the guard loaded."""
    outside, inside, project = (tmp_path / name for name in ("outside", "inside", "project"))
    for folder in (outside, inside, project):
        folder.mkdir()
    (outside / "kept").write_text("kept")
    lines = ["import os, pathlib, pytest", f"OUTSIDE = {str(outside)!r}"]
    lines += ["def test_it(tmp_path, monkeypatch):", "    monkeypatch.chdir(tmp_path)", f"    {body}"]
    (project / "test_it.py").write_text("\n".join(lines) + "\n")
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["-p", "tests.support.write_guard", "--rootdir", str(project), str(project)]
    environment = {**os.environ, "TMPDIR": str(inside), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, cwd=project, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr, set(os.listdir(outside))


@pytest.mark.parametrize("body", OFFENDERS.values(), ids=OFFENDERS)
def test_a_write_outside_fails_its_test_and_does_not_happen(tmp_path: Path, body: str) -> None:
    status, output, left = run_under_guard(tmp_path, body)
    assert status == 1, output
    assert f"write here: {tmp_path}/outside" in output or "wrote outside the temporary folder" in output
    assert left == {"kept"}


def test_a_write_inside_passes(tmp_path: Path) -> None:
    body = 'open("a", "w").close(); os.mkdir("b"); os.rename("a", "b/a"); os.remove("b/a"); open(OUTSIDE + "/kept")'
    status, output, _ = run_under_guard(tmp_path, body)
    assert status == 0, output


def test_inside_the_repository_only_ignored_folders_may_be_written(tmp_path: Path) -> None:
    guard = WriteGuard(str(tmp_path), [str(tmp_path.parent)])
    assert guard.allowed(str(tmp_path / ".venv" / "x"))
    assert guard.allowed(str(tmp_path / "lib" / "__pycache__" / "x.pyc"))
    assert guard.allowed(str(tmp_path.parent / "elsewhere"))
    assert not guard.allowed(str(tmp_path / "lib" / "x.py"))
    assert not guard.allowed(str(tmp_path / ".venv-of-a-friend"))
    assert not guard.allowed("/etc/passwd")


def test_home_and_configuration_are_the_tests_own(own_home: Path, tmp_path: Path) -> None:
    assert os.environ["HOME"] == str(own_home) == os.path.expanduser("~")
    assert os.environ["CLAUDE_CONFIG_DIR"] == str(own_home / ".claude")
    assert os.listdir(own_home / ".claude") == os.listdir(tmp_path) == []
    assert os.getcwd() == str(tmp_path)


def test_no_variable_of_the_machine_reaches_a_test() -> None:
    strangers = {"CLAUDE_", "ANTHROPIC_", "GIT_", "MEMORY_HOOKS_"}
    ours = {"CLAUDE_CONFIG_DIR", "GIT_CONFIG_NOSYSTEM", "MEMORY_HOOKS_TEST_CLIENT"}
    assert [n for n in os.environ if n not in ours and n.startswith(tuple(strangers))] == []
