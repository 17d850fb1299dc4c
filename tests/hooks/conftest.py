"""A machine of its own for each hook test, and the rule that no process outlives it."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.registered import Stage


@pytest.fixture
def stage(own_home: Path, tmp_path: Path) -> Iterator[Stage]:
    project = tmp_path / "project"
    project.mkdir()
    made = Stage(own_home, project)
    yield made
    made.settle()
