"""memory.py as a person runs it: a process of its own in a project of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from lib.host import paths
from lib.memory import files, index, store

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Desk:
    """A project, its memories, and the command in it."""

    project: Path
    memory: Path
    state: Path

    def run(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, str(ROOT / "memory.py"), *arguments],
            cwd=self.project, env={**os.environ, **env}, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip

    def put(self, name: str, said: str, kind: str = "project", body: str = "") -> None:
        text = store.text_of(name, kind, said, body or f"{said}.\n\n**Why:** x\n**How to apply:** y", {})
        files.write(str(self.memory), f"{name}.md", text.encode())
        index.mend(str(self.memory))


@pytest.fixture
def desk(own_home: Path, tmp_path: Path) -> Desk:
    config = os.environ["CLAUDE_CONFIG_DIR"]
    return Desk(
        tmp_path, Path(paths.memory_path(str(tmp_path), os.environ, {})), Path(paths.state_dir(config, str(tmp_path)))
    )
