"""What the documents name is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROW = re.compile(r"^\| ([A-J]\d) \|", re.M)
REQUIREMENTS = (ROOT / "docs" / "requirements.md").read_text(encoding="utf-8")


def test_every_file_that_a_requirement_names_exists() -> None:
    named = re.findall(r"`((?:lib|tests|hooks)/[^`]+|install\.py)`", REQUIREMENTS)
    assert len(named) > 50
    assert [place for place in named if not (ROOT / place).is_file()] == []


def test_every_requirement_has_a_module_a_proof_and_a_state() -> None:
    for line in REQUIREMENTS.splitlines():
        if ROW.match(line):
            _, _, told, module, proof, state, _ = (cell.strip() for cell in line.split("|"))
            assert told and "`" in module and "`tests/" in proof
            assert state.startswith(("done", "partly", "open"))


def test_the_rows_that_the_code_cites_are_told() -> None:
    rows = set(ROW.findall(REQUIREMENTS))
    cited: dict[str, str] = {}
    for path in [*(ROOT / "lib").rglob("*.py"), *(ROOT / "hooks").glob("*.py")]:
        for listed in re.findall(r"Req: ((?:[A-J]\d(?:, | and )?)+)", path.read_text(encoding="utf-8")):
            cited.update(dict.fromkeys(re.findall(r"[A-J]\d", listed), str(path.relative_to(ROOT))))
    assert {row: place for row, place in cited.items() if row not in rows} == {}


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_every_command_that_is_shown_names_a_script_that_is_there(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    scripts = re.findall(r"python ((?:[\w/]+/)?[\w]+(?:\.py)?)\b", text)
    assert "tests" in scripts
    assert [script for script in scripts if not (ROOT / script).exists() and script != "tests/bench/NAME.py"] == []
