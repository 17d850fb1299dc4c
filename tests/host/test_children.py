"""A session of ours is known without its environment, by its noted name or by the folder that it runs in."""
from __future__ import annotations

import os
from pathlib import Path

import pytest

from lib.host import children


@pytest.fixture
def config(own_home: Path) -> str:
    return str(own_home / ".claude")


def test_a_noted_session_is_ours_wherever_it_runs(config: str) -> None:
    assert not children.known(config, "abc", "/anywhere")
    children.mark(config, "abc")
    assert children.known(config, "abc", "/anywhere")
    assert not children.known(config, "abd", "/anywhere")


def test_whatever_begins_in_our_folder_is_ours(config: str) -> None:
    assert children.known(config, "x", children.folder(config))
    assert children.known(config, "x", "/private" + children.folder(config))
    assert not children.known(config, "x", config) and not children.known(config, "x", "")


def test_the_notes_do_not_grow_without_end(config: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "_KEPT", 5)
    for n in range(9):
        children.mark(config, f"s{n}")
        os.utime(Path(children._marks(config), f"s{n}"), (n, n))
    assert [children.known(config, f"s{n}", "/") for n in range(9)] == [False] * 4 + [True] * 5
