"""A project with memories, transcripts and settings that a consolidation can work on."""
from __future__ import annotations

import datetime
import json
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from lib.dream.scene import Scene
from lib.host import paths, settings
from lib.journal import Journal
from lib.memory import index
from tests.support import messy

SAID = "The {0} is owned by the team in Porto and reviewed by them"


@dataclass
class Place:
    """`memory` and `state` as the product itself would choose them for `project`."""

    project: Path
    env: dict[str, str] = field(default_factory=dict)
    own: dict[str, Any] = field(default_factory=dict)

    @property
    def config(self) -> Path:
        return Path(os.environ["CLAUDE_CONFIG_DIR"])

    @property
    def memory(self) -> Path:
        return Path(paths.memory_path(str(self.project), dict(os.environ), {}))

    @property
    def state(self) -> Path:
        return Path(paths.state_dir(str(self.config), paths.project_root(str(self.project))))

    @property
    def transcripts(self) -> Path:
        return self.config / "projects" / paths.slug(str(self.project))

    def scene(self, *, transcripts: tuple[str, ...] = ()) -> Scene:
        (self.config / "settings.json").write_text(json.dumps({"memoryHooks": self.own}))
        self.state.mkdir(parents=True, exist_ok=True)
        return Scene(
            str(self.memory), str(self.state), str(self.project), settings.load(os.environ, ""), self.env,
            datetime.date(2026, 11, 30), "s0", transcripts,
        )  # fmt: skip

    def fill(self, count: int = 60) -> None:
        messy.fill(self.memory, count)

    def facts(self, count: int) -> None:
        """`count` sound memories that have nothing to do with each other."""
        self.memory.mkdir(parents=True, exist_ok=True)
        for n in range(count):
            word = messy.SUBJECTS[n % len(messy.SUBJECTS)] + f" {n}"
            (self.memory / f"m{n}.md").write_bytes(messy.memory(f"m{n}", "project", SAID.format(word)))
        index.mend(str(self.memory))

    def sessions(self, count: int, age: float = 0.0) -> list[Path]:
        """`count` other sessions and the current one, s0, which the journal knows."""
        self.transcripts.mkdir(parents=True, exist_ok=True)
        made = [self.transcripts / f"s{n}.jsonl" for n in range(count + 1)]
        for path in made:
            path.write_text("{}\n")
            os.utime(path, (time.time() - age,) * 2)
        Journal(str(self.state), "s0").append("stop", transcript=str(made[0]), launch=str(self.project))
        return made

    def contents(self) -> dict[str, bytes]:
        found = (path for path in self.memory.rglob("*") if path.is_file())
        return {path.relative_to(self.memory).as_posix(): path.read_bytes() for path in found if path.name[0] != "."}

    def rows(self) -> list[dict[str, object]]:
        return [event for event in Journal(str(self.state), "s0").events() if event.get("e") == "dream"]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    project = tmp_path / "project"
    project.mkdir()
    return Place(project)
