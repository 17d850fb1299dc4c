"""A project and a memory directory of its own for each test of the sandbox."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from lib.model.permission import Scope
from lib.model.sandbox import Sandbox


@dataclass(frozen=True)
class Room:
    """`project` and `memory` may be read, `outside` is what must never be seen; only `memory` may be written."""

    base: Path
    project: Path
    memory: Path
    outside: Path

    @property
    def scope(self) -> Scope:
        return Scope(str(self.memory), (str(self.project), str(self.memory)))

    def sandbox(self) -> Sandbox:
        return Sandbox.of(self.scope)


@pytest.fixture
def room(tmp_path: Path) -> Room:
    base = tmp_path.resolve()
    for name in ("project", "project/sub", "memory", "outside", "project-evil"):
        (base / name).mkdir()
    (base / "project/app.py").write_text("import os\nPORT = 8080\n")
    (base / "project/sub/deep.md").write_text("deep words\n")
    (base / "memory/a.md").write_text("---\nname: a\n---\none fact\n")
    (base / "outside/secret.txt").write_text("TOPSECRET\n")
    (base / "project-evil/x.md").write_text("TOPSECRET\n")
    (base / "project/link_out").symlink_to(base / "outside/secret.txt")
    (base / "project/dir_out").symlink_to(base / "outside")
    (base / "project/link_in").symlink_to(base / "project/app.py")
    return Room(base, base / "project", base / "memory", base / "outside")
