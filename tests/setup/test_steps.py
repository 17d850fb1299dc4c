"""What install.py says at its end holds for the interpreter that was set up, whatever Python runs install.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from lib.setup import steps


@pytest.mark.parametrize(("own_python", "backend"), [(True, "anthropic"), (False, "rules")])
def test_the_backend_is_told_for_the_interpreter_that_will_think(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_python: bool, backend: str
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda package: None)
    env = {"HOME": str(tmp_path), "ANTHROPIC_API_KEY": "sk-made-up"}
    scene = steps.Scene(str(tmp_path), str(tmp_path / ".claude"), own_python, env, lambda line: None)
    assert steps.closing_words(scene).startswith(f"Backend: {backend} (")
