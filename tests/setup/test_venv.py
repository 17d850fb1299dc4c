from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from lib.setup import venv
from lib.setup.problems import SetupProblem
from lib.setup.process import Ended

REQUIREMENTS = "# why\npyyaml>=6.0.2,<7\n\npsutil >= 6.0 , < 8  # processes\n"
ALL = {"pyyaml": "6.0.2", "psutil": "7.1"}
ENSUREPIP = b"The virtual environment was not created successfully because ensurepip is not available."


class Machine:
    """Stands in for every command: what `python -m venv` and pip would leave behind, without running them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.python = Path(venv.environment_python(str(root)))
        self.packages: dict[str, str] = {}
        self.version = (3, 12)
        self.calls: list[str] = []
        self.answers: dict[str, list[Ended]] = {"probe": [], "venv": [], "pip": []}

    def exists(self) -> None:
        self.python.parent.mkdir(parents=True)
        self.python.touch()
        (self.root / ".venv/pyvenv.cfg").touch()

    def run(self, command: Sequence[str], seconds: float) -> Ended:
        kind = next(word for word in ("-c", "venv", "pip", "compileall") if word in command)
        kind = "probe" if kind == "-c" else kind
        self.calls.append(kind)
        if self.answers.get(kind):
            return self.answers[kind].pop(0)
        if kind == "probe":
            return Ended(0, json.dumps({"version": self.version, "packages": self.packages}).encode(), b"", 0.1)
        if kind == "venv":
            self.version = (3, 12)
            if not self.python.exists():
                self.exists()
        if kind == "pip":
            self.packages = dict(ALL)
        return Ended(0, b"", b"", 0.1)

    def prepare(self, own: bool = True) -> str:
        return venv.prepare(str(self.root), own, lambda line: None, self.run)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    (tmp_path / "requirements.txt").write_text(REQUIREMENTS)
    return Machine(tmp_path)


def test_on_a_fresh_machine_it_is_made_and_filled(machine: Machine) -> None:
    assert machine.prepare() == str(machine.python)
    assert machine.calls == ["venv", "probe", "pip", "probe"]


def test_a_good_one_is_used_as_it_is(machine: Machine) -> None:
    machine.exists()
    machine.packages = dict(ALL)
    assert machine.prepare() == str(machine.python)
    assert machine.calls == ["probe"]


def test_one_that_lacks_a_package_is_filled_not_made_again(machine: Machine) -> None:
    machine.exists()
    machine.packages = {"pyyaml": "5.4", "psutil": "7.1"}
    machine.prepare()
    assert machine.calls == ["probe", "pip", "probe"]


@pytest.mark.parametrize("broken", ["does not start", "old"])
def test_one_that_cannot_serve_is_made_again(machine: Machine, broken: str) -> None:
    machine.exists()
    machine.packages = dict(ALL)
    if broken == "old":
        machine.version = (3, 9)
    else:
        machine.answers["probe"].append(Ended(127, b"", b"bad interpreter", 0.1))
    machine.prepare()
    assert machine.calls == ["probe", "venv", "probe"]


def test_one_whose_making_was_interrupted_is_made_again(machine: Machine) -> None:
    machine.exists()
    machine.answers["pip"].append(Ended(1, b"", b"/x/python: No module named pip\n", 0.1))
    machine.prepare()
    assert machine.calls == ["probe", "pip", "venv", "pip", "probe"]


@pytest.mark.parametrize(("kind", "ended", "said"), [
    ("venv", Ended(1, ENSUREPIP, b"", 0.1), "ensurepip module is missing (on Debian and Ubuntu: apt install"),
    ("venv", Ended(1, b"", b"Error: [Errno 28] No space left", 0.1), "Error: [Errno 28] No space left"),
    ("pip", Ended(1, b"", b"WARNING: retrying\nERROR: No matching distribution\n", 0.1), "No matching distribution"),
])  # fmt: skip
def test_what_fails_is_one_sentence_with_a_way_out(machine: Machine, kind: str, ended: Ended, said: str) -> None:
    machine.answers[kind] = [ended]
    with pytest.raises(SetupProblem) as caught:
        machine.prepare()
    assert said in str(caught.value)
    assert "--no-venv" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_of_that_name_with_something_else_in_it_is_left_alone(machine: Machine) -> None:
    (machine.root / ".venv").mkdir()
    (machine.root / ".venv" / "mine.txt").write_text("kept")
    with pytest.raises(SetupProblem, match="is no virtual environment; move it away"):
        machine.prepare()
    assert (machine.root / ".venv" / "mine.txt").read_text() == "kept"
    assert machine.calls == []


def test_an_environment_that_stays_incomplete_is_not_registered(machine: Machine) -> None:
    machine.answers["pip"] = [Ended(0, b"", b"", 0.1)]
    with pytest.raises(SetupProblem, match=r"lacks pyyaml>=6\.0\.2,<7, psutil>=6\.0,<8; remove .*\.venv and run"):
        machine.prepare()


def test_the_running_interpreter_is_taken_as_it_is_or_refused(machine: Machine) -> None:
    machine.packages = dict(ALL)
    assert machine.prepare(own=False) == sys.executable
    machine.packages = {"pyyaml": "6.0.2"}
    with pytest.raises(SetupProblem) as caught:
        machine.prepare(own=False)
    assert str(caught.value) == f"{sys.executable} lacks psutil>=6.0,<8; install that there, or leave --no-venv out"
    assert machine.calls == ["probe", "probe"]


def test_this_interpreter_is_examined_for_real() -> None:
    assert venv.examine(sys.executable, {"pyyaml": ">=6,<7"}) == venv.Health(True, "")
    assert venv.examine(sys.executable, {"no-such-package-here": ">=1"}).problem == "lacks no-such-package-here>=1"
    assert venv.examine("/bin/false", {}).runs is False
    assert venv.examine("/nowhere", {}) == venv.Health(False, "does not exist")


def test_requirement_lines_are_read_as_pip_reads_them() -> None:
    assert venv.requirements("-r other.txt\n" + REQUIREMENTS) == {"pyyaml": ">=6.0.2,<7", "psutil": ">=6.0,<8"}


@pytest.mark.parametrize(("version", "limits", "fits"), [
    ("6.0.2", ">=6.0.2,<7", True), ("6.0.1", ">=6.0.2,<7", False), ("7.0", ">=6.0.2,<7", False),
    ("6.0.10", ">=6.0.2", True),
    ("6", ">=6.0", True), ("6.0", "==6", True), ("6.1", "!=6.1", False), ("2.0b1", ">=2.0", True), ("5", ">5", False),
    ("5", "<=5", True), ("1.0", "", True), (None, "", False), ("", ">=0", True), ("1", "~=9", True),
])  # fmt: skip
def test_versions_are_compared_as_numbers(version: str | None, limits: str, fits: bool) -> None:
    assert venv.satisfies(version, limits) is fits


def test_byte_code_that_cannot_be_written_is_told_not_raised(machine: Machine) -> None:
    machine.answers["compileall"] = [Ended(1, b"", b"Read-only file system", 0.1)]
    assert venv.compile_sources(str(machine.root), "/p", machine.run) == "Read-only file system"
    assert venv.compile_sources(str(machine.root), "/p", machine.run) == ""
