"""The interpreter that the hooks run under: `.venv` beside install.py with the requirements, or the running one."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lib.setup import process
from lib.setup.problems import SetupProblem
from lib.setup.process import Ended

FLOOR = (3, 10)
FOLDER = ".venv"
REQUIREMENTS = "requirements.txt"
PROBE_SECONDS, MAKE_SECONDS, INSTALL_SECONDS = 60, 180, 900

# -I, as the hooks are run: a package that only a PYTHONPATH or the person's own site-packages holds does not count.
_PROBE = """
import importlib.metadata, json, sys
found = {}
for name in sys.argv[1:]:
    try:
        found[name] = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        pass
print(json.dumps({"version": sys.version_info[:2], "packages": found}))
"""

Run = Callable[[Sequence[str], float], Ended]
Say = Callable[[str], None]


@dataclass(frozen=True)
class Health:
    """`problem` "" when the interpreter will do; `runs` False when it is absent, broken or older than the floor."""

    runs: bool
    problem: str = ""


def prepare(root: str, own: bool, say: Say, run: Run = process.run) -> str:
    """The absolute path of a working interpreter that has the requirements; raises SetupProblem with one sentence.

    `own` False takes the interpreter that runs this, as it is; True makes or mends the environment beside install.py.
    """
    wanted = requirements(Path(root, REQUIREMENTS).read_text(encoding="utf-8"))
    if not own:
        health = examine(sys.executable, wanted, run)
        if health.problem:
            raise SetupProblem(f"{sys.executable} {health.problem}; install that there, or leave --no-venv out")
        return sys.executable
    python = environment_python(root)
    health = examine(python, wanted, run)
    if not health.runs:
        say(f"making {FOLDER} with {sys.executable}")
        _make(root, run)
        health = examine(python, wanted, run)
    if health.runs and health.problem:
        say(f"installing {REQUIREMENTS} into {FOLDER}")
        _fill(root, python, run)
        health = examine(python, wanted, run)
    if health.problem:
        raise SetupProblem(f"{python} {health.problem}; remove {Path(root, FOLDER)} and run this again")
    return python


def environment_python(root: str) -> str:
    parts = ("Scripts", "python.exe") if sys.platform == "win32" else ("bin", "python")
    return os.path.join(root, FOLDER, *parts)


def examine(python: str, wanted: dict[str, str], run: Run = process.run) -> Health:
    """Whether the interpreter starts, is new enough and has the requirements in the versions they name."""
    if not python or not os.path.exists(python):
        return Health(False, "does not exist")
    ended = run([python, "-I", "-c", _PROBE, *wanted], PROBE_SECONDS)
    try:
        told = json.loads(ended.out)
        version, packages = tuple(told["version"]), dict(told["packages"])
    except (ValueError, KeyError, TypeError):
        return Health(False, f"does not run ({ended.last_words})")
    if version < FLOOR:
        return Health(False, f"is Python {version[0]}.{version[1]}, older than {FLOOR[0]}.{FLOOR[1]}")
    lacking = [name + limits for name, limits in wanted.items() if not satisfies(packages.get(name), limits)]
    return Health(True, f"lacks {', '.join(lacking)}" if lacking else "")


def requirements(text: str) -> dict[str, str]:
    """The lines of a requirements file: package -> version limits such as ">=6.0,<7"; options are passed over."""
    rows = (line.partition("#")[0].strip() for line in text.splitlines())
    split = (re.match(r"([A-Za-z0-9][A-Za-z0-9._-]*)\s*(.*)", row) for row in rows)
    return {match[1]: match[2].replace(" ", "") for match in split if match}


def satisfies(version: object, limits: str) -> bool:
    """Whether an installed version (None: not installed) keeps limits made of >=, >, <=, <, == and !=."""
    if not isinstance(version, str):
        return False
    have = _numbers(version)
    for limit in filter(None, limits.split(",")):
        match = re.fullmatch(r"(>=|<=|==|!=|>|<)([0-9.]+)", limit)
        if match is None:
            continue  # a form that requirements.txt does not use; pip has judged it
        bound = _numbers(match[2])
        order = (have > bound) - (have < bound)
        if order not in {">=": (0, 1), ">": (1,), "<=": (0, -1), "<": (-1,), "==": (0,), "!=": (1, -1)}[match[1]]:
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    found = [int(part) for part in re.findall(r"\d+", re.match(r"[\d.]*", version)[0])]  # type: ignore[index]
    while found and found[-1] == 0:
        found.pop()
    return tuple(found)


def _make(root: str, run: Run) -> None:
    folder = Path(root, FOLDER)
    if os.path.lexists(folder) and not (folder / "pyvenv.cfg").exists() and not _is_empty(folder):
        raise SetupProblem(f"{folder} exists and is no virtual environment; move it away and run this again")
    ended = run([sys.executable, "-m", "venv", "--clear", str(folder)], MAKE_SECONDS)
    if ended.status == 0:
        return
    if b"ensurepip" in ended.out + ended.err:
        why = "its ensurepip module is missing (on Debian and Ubuntu: apt install python3-venv)"
    else:
        why = ended.last_words
    raise SetupProblem(
        f"{sys.executable} cannot make a virtual environment: {why}; "
        "or run with --no-venv under an interpreter that has the requirements"
    )


def _is_empty(folder: Path) -> bool:
    return folder.is_dir() and not any(folder.iterdir())


def _fill(root: str, python: str, run: Run) -> None:
    options = ("--quiet", "--disable-pip-version-check", "--no-input")
    command = [python, "-m", "pip", "install", *options, "-r", str(Path(root, REQUIREMENTS))]
    ended = run(command, INSTALL_SECONDS)
    if b"No module named pip" in ended.err:  # an environment whose making was interrupted
        _make(root, run)
        ended = run(command, INSTALL_SECONDS)
    if ended.status != 0:
        raise SetupProblem(
            f"pip could not install {REQUIREMENTS}: {ended.last_words}; without a network, "
            "run with --no-venv under an interpreter that has the requirements"
        )


def compile_sources(root: str, python: str, run: Run = process.run) -> str:
    """Byte code for `lib`, by the interpreter that will read it; returns what went wrong, which costs only time."""
    ended = run([python, "-I", "-m", "compileall", "-q", os.path.join(root, "lib")], MAKE_SECONDS)
    return "" if ended.status == 0 else ended.last_words
