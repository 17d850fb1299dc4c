"""--backend writes one value and uninstall gives the bytes back, also when the person has written since."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from lib.setup import backend_option, plan
from lib.setup.problems import SetupProblem

ROOT = "/checkout"
TEXTS = [
    None,
    "{}",
    '{"model": "x"}',
    '{\n\t"model":"x",\n\t"memoryHooks": {}\n}\n',
    '{"memoryHooks": {"backend":   "anthropic", "recall": {"max": 3}}, "a": 1}',
    '{"a": 1, "memoryHooks": {"recall": {"max": 3}}}\n',
    '{"memoryHooks": {"backend": 7}}',
]


def installed(config: Path, backend: str = "") -> None:
    plan.apply(plan.install(str(config), "/usr/bin/python3", ROOT, backend))


@pytest.fixture
def config(tmp_path: Path) -> Path:
    folder = tmp_path / ".claude"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("text", TEXTS)
def test_the_backend_is_written_and_the_bytes_come_back(config: Path, text: str | None) -> None:
    file = config / "settings.json"
    if text is not None:
        file.write_text(text)
    installed(config, "rules")
    assert json.loads(file.read_text())["memoryHooks"]["backend"] == "rules"
    once = file.read_bytes()
    installed(config, "rules")
    installed(config)
    assert file.read_bytes() == once
    plan.apply(plan.uninstall(str(config)))
    assert (file.read_text() if file.exists() else None) == text


@pytest.mark.parametrize("text", TEXTS)
def test_what_the_person_wrote_since_stays(config: Path, text: str | None) -> None:
    file = config / "settings.json"
    if text is not None:
        file.write_text(text)
    installed(config, "rules")
    held = json.loads(file.read_text())
    file.write_text(json.dumps({"theirs": True, **held}))
    plan.apply(plan.uninstall(str(config)))
    before = json.loads(text) if text else {}
    left = json.loads(file.read_text())
    assert left.pop("theirs") is True
    assert left == before or (text == TEXTS[3] and left == {"model": "x", "memoryHooks": {}})


def test_another_choice_of_the_person_s_is_not_overwritten(config: Path) -> None:
    file = config / "settings.json"
    installed(config, "rules")
    file.write_text(file.read_text().replace('"rules"', '"claude"'))
    installed(config)
    assert backend_option.chosen(file.read_text()) == "claude"
    plan.apply(plan.uninstall(str(config)))
    assert json.loads(file.read_text())["memoryHooks"] == {"backend": "claude"}


def test_one_choice_replaces_another_and_the_first_bytes_come_back(config: Path) -> None:
    file = config / "settings.json"
    file.write_text(TEXTS[4] or "")
    for backend in ("rules", "claude", "auto"):
        installed(config, backend)
        assert backend_option.chosen(file.read_text()) == backend
    plan.apply(plan.uninstall(str(config)))
    assert file.read_text() == TEXTS[4]


def test_own_settings_that_are_no_object_are_refused_unchanged(config: Path) -> None:
    file = config / "settings.json"
    file.write_text('{"memoryHooks": [1]}')
    with pytest.raises(SetupProblem, match="memoryHooks"):
        installed(config, "rules")
    assert file.read_text() == '{"memoryHooks": [1]}'
