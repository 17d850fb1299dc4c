"""The guards that every other test stands on."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.write_guard import WriteGuard

ROOT = Path(__file__).resolve().parent.parent

OFFENDERS = {
    "open": 'open(OUTSIDE + "/open", "w").close()',
    "append": 'open(OUTSIDE + "/append", "a").close()',
    "os_open": 'os.close(os.open(OUTSIDE + "/os_open", os.O_WRONLY | os.O_CREAT))',
    "dir_fd": 'os.close(os.open("dir_fd", os.O_WRONLY | os.O_CREAT, dir_fd=FOLDER))',
    "mkdir": 'os.mkdir(OUTSIDE + "/mkdir")',
    "mkdir_dir_fd": 'os.mkdir("mkdir_dir_fd", dir_fd=FOLDER)',
    "rename": 'open("mine", "w").close(); os.rename("mine", OUTSIDE + "/rename")',
    "remove": 'os.remove(OUTSIDE + "/kept")',
    "symlink": 'os.symlink("/etc", OUTSIDE + "/symlink")',
    "through_a_link": 'os.symlink(OUTSIDE, "link"); open("link/through", "w").close()',
    "swallowed": """
    try:
        open(OUTSIDE + "/swallowed", "w")
    except OSError:
        pass""",
}
INNOCENT = {
    "inside": 'open("a", "w").close(); os.mkdir("b"); os.rename("a", "b/a"); os.remove("b/a")',
    "reading": 'open(OUTSIDE + "/kept").close(); os.listdir(OUTSIDE)',
    "device": 'open("/dev/null", "w").close()',
}
HEAD = """\
import os
OUTSIDE = {0!r}
FOLDER = os.open(OUTSIDE, os.O_RDONLY)
"""


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, set[str]]:
    """The report of a run of all these as tests with only the guard loaded, and what lies outside afterwards."""
    base = tmp_path_factory.mktemp("guarded")
    outside, inside, project = (base / name for name in ("outside", "inside", "project"))
    for folder in (outside, inside, project):
        folder.mkdir()
    (outside / "kept").write_text("kept")
    tests = [
        f"def test_{name}(tmp_path, monkeypatch):\n    monkeypatch.chdir(tmp_path)\n    {body}\n"
        for name, body in {**OFFENDERS, **INNOCENT}.items()
    ]
    (project / "test_it.py").write_text("\n".join([HEAD.format(str(outside)), *tests]))
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", "-p", "no:hypothesispytest"]
    command += ["-p", "no:xdist", "-p", "tests.support.write_guard", "--rootdir", str(project), str(project)]
    environment = {"PATH": os.environ["PATH"], "TMPDIR": str(inside), "PYTHONPATH": str(ROOT), "HOME": str(inside)}
    done = subprocess.run(command, env=environment, cwd=project, capture_output=True, text=True, timeout=120)
    return done.stdout + done.stderr, set(os.listdir(outside))


@pytest.mark.parametrize("name", OFFENDERS)
def test_a_write_outside_fails_its_test_and_does_not_happen(guarded: tuple[str, set[str]], name: str) -> None:
    report, left = guarded
    # Refused where it is tried, or found when the test ends although it swallowed the error.
    assert f"FAILED test_it.py::test_{name}" in report or f"ERROR test_it.py::test_{name}" in report, report
    assert left == {"kept"}


@pytest.mark.parametrize("name", INNOCENT)
def test_a_write_inside_passes(guarded: tuple[str, set[str]], name: str) -> None:
    report, _ = guarded
    assert f"PASSED test_it.py::test_{name}\n" in report, report
    assert f"ERROR test_it.py::test_{name}" not in report


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


@pytest.mark.skipif(not hasattr(signal, "alarm"), reason="no alarms on this system")
@pytest.mark.parametrize("round", ["first", "second"])
def test_a_deadline_that_a_job_left_behind_ends_with_its_test(round: str) -> None:
    assert signal.alarm(300) == 0
