"""The house rules, held over every source file; and, for each rule, that it can say no."""
from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support import house
from tests.support.house import Source

ROOT = Path(__file__).resolve().parent.parent
SOURCES = house.sources(ROOT)
Rule = Callable[[Source], Iterator[str]]
RULES: list[Rule] = [
    house.back_arrows, house.unknown_rooms, house.broad_excepts, house.third_party, house.server_apart, house.sizes,
    house.vague_names,
]
LONG = "def f() -> None:\n" + "    pass\n" * 60

WRONG: list[tuple[Rule, str, str]] = [
    (house.back_arrows, "lib/host/paths.py", "from lib.memory import store"),
    (house.back_arrows, "lib/host/paths.py", "import lib.memory.store"),
    (house.back_arrows, "lib/host/paths.py", "def f():\n    from lib import memory"),
    (house.back_arrows, "lib/host/paths.py", "from ..memory import store"),
    (house.back_arrows, "lib/recall/render.py", "from lib.extract.rules import candidates"),
    (house.back_arrows, "lib/recall/render.py", "from lib import worker"),
    (house.back_arrows, "lib/team/sync.py", "from lib.model import choice"),
    (house.back_arrows, "lib/boundary.py", "from lib.recall import render"),
    (house.back_arrows, "lib/cli/why.py", "from hooks import stop"),
    (house.unknown_rooms, "lib/attic/box.py", ""),
    (house.unknown_rooms, "lib/attic.py", ""),
    (house.broad_excepts, "lib/worker.py", "try:\n    pass\nexcept:\n    pass"),
    (house.broad_excepts, "lib/worker.py", "try:\n    pass\nexcept Exception:\n    pass"),
    (house.broad_excepts, "lib/boundary.py", 2 * "try:\n    pass\nexcept BaseException:\n    pass\n"),
    (house.broad_excepts, "install.py", "try:\n    pass\nexcept (OSError, BaseException) as e:\n    pass"),
    (house.third_party, "lib/memory/frontmatter.py", "import yaml"),
    (house.third_party, "lib/memory/frontmatter.py", "try:\n    import yaml\nexcept ImportError:\n    yaml = None"),
    (house.third_party, "lib/memory/store.py", "def f():\n    import yaml"),
    (house.third_party, "lib/team/sync.py", "def f():\n    import requests"),
    (house.third_party, "lib/team/sync.py", "import sqlalchemy"),
    (house.third_party, "lib/team/server/app.py", "import requests"),
    (house.server_apart, "lib/team/sync.py", "from lib.team.server import app"),
    (house.server_apart, "lib/cli/team.py", "def f():\n    import lib.team.server.tables"),
    (house.slow_imports, "lib/host/paths.py", "from pathlib import Path"),
    (house.slow_imports, "lib/host/paths.py", "class A:\n    import typing"),
    (house.sizes, "lib/host/paths.py", "\n" * 251),
    (house.sizes, "hooks/stop.py", "\n" * 41),
    (house.sizes, "lib/host/paths.py", LONG),
    (house.vague_names, "lib/host/utils.py", ""),
    (house.vague_names, "lib/common/paths.py", ""),
]
RIGHT: list[tuple[Rule, str, str]] = [
    (house.back_arrows, "lib/recall/render.py", "from lib.memory import store\nfrom lib.recall import terms"),
    (house.back_arrows, "lib/worker.py", "from lib.extract import run"),
    (house.back_arrows, "hooks/stop.py", "from lib import boundary"),
    (house.broad_excepts, "lib/boundary.py", "try:\n    pass\nexcept BaseException:\n    pass"),
    (house.broad_excepts, "lib/worker.py", "try:\n    pass\nexcept (OSError, ValueError):\n    pass"),
    (house.third_party, "lib/memory/frontmatter.py", "def f():\n    import yaml"),
    (house.third_party, "lib/memory/frontmatter.py", "if TYPE_CHECKING:\n    import yaml"),
    (house.third_party, "lib/team/server/app.py", "import sqlalchemy"),
    (house.server_apart, "lib/team/server/app.py", "from lib.team.server import tables"),
    (house.slow_imports, "lib/host/paths.py", "import os\ndef f():\n    import pathlib"),
    (house.slow_imports, "lib/host/paths.py", "if TYPE_CHECKING:\n    from typing import Any"),
    (house.sizes, "lib/host/paths.py", LONG[: -len("    pass\n")]),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_source_keeps_the_rule(rule: Rule) -> None:
    assert len(SOURCES) > 10
    assert [finding for source in SOURCES for finding in rule(source)] == []


def test_what_a_hook_loads_is_cheap_to_load() -> None:
    hot = house.hot_path(SOURCES)
    assert "lib/boundary.py" in {source.place for source in hot}
    assert [finding for source in hot for finding in house.slow_imports(source)] == []


@pytest.mark.parametrize(("rule", "place", "text"), WRONG)
def test_the_rule_says_no(rule: Rule, place: str, text: str) -> None:
    findings = list(rule(Source(place, text)))
    assert findings and all(finding.startswith(place) for finding in findings)


@pytest.mark.parametrize(("rule", "place", "text"), RIGHT)
def test_the_rule_says_yes(rule: Rule, place: str, text: str) -> None:
    assert list(rule(Source(place, text))) == []


@pytest.mark.lint
@pytest.mark.parametrize("command", [["ruff", "check", "--output-format=concise", "."], ["mypy"]], ids=["ruff", "mypy"])
def test_the_checker_is_content(command: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stdout + done.stderr
