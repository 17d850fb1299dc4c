"""The client compacts by itself unless one of its switches says otherwise."""
from __future__ import annotations

import os
from pathlib import Path

import pytest

from lib.host import autocompact


def test_it_is_on_by_default(own_home: Path) -> None:
    assert autocompact.enabled(os.environ, {})
    assert autocompact.enabled({}, {})


@pytest.mark.parametrize("name", ["DISABLE_AUTO_COMPACT", "DISABLE_COMPACT"])
@pytest.mark.parametrize(("value", "on"), [("1", False), ("TRUE", False), ("0", True), ("", True)])
def test_the_environment_switches_it_off(own_home: Path, name: str, value: str, on: bool) -> None:
    assert autocompact.enabled({**os.environ, name: value}, {}) is on


@pytest.mark.parametrize("place", [".claude.json", ".claude/.claude.json"])
@pytest.mark.parametrize(("text", "on"), [
    ('{"autoCompactEnabled": false}', False), ('{"autoCompactEnabled": true}', True), ("{}", True),
    ('{"projects": {"/a": {"autoCompactEnabled": false}}}', True), ('{"autoCompactEnabled": false', True), ("", True),
    ('["autoCompactEnabled"]', True),
])  # fmt: skip
def test_the_clients_own_file_switches_it_off(own_home: Path, place: str, text: str, on: bool) -> None:
    (own_home / place).write_text(text)
    assert autocompact.enabled(os.environ, {}) is on


def test_the_settings_stand_over_the_clients_own_file(own_home: Path) -> None:
    (own_home / ".claude.json").write_text('{"autoCompactEnabled": false}')
    assert autocompact.enabled(os.environ, {"autoCompactEnabled": True})
    assert not autocompact.enabled(os.environ, {"autoCompactEnabled": False})
