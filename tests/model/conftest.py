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


@dataclass(frozen=True)
class Yard:
    """A folder for commands to run in, with links that lead out of it, look-alikes, and names that look like flags."""

    base: Path
    root: Path

    @property
    def scope(self) -> Scope:
        return Scope("", (str(self.root),))

    def fill(self, command: str) -> str:
        return command.replace("$ROOT", str(self.root)).replace("$PARENT", str(self.base))

    def state(self) -> dict[str, tuple[str, int, bytes]]:
        """Everything below the yard and beside it: kind and mode, link target, content."""
        found = {}
        for path in sorted(self.base.rglob("*")):
            mode = path.lstat().st_mode
            content = path.readlink().as_posix().encode() if path.is_symlink() else b""
            if path.is_file() and not path.is_symlink():
                content = path.read_bytes()
            found[str(path)] = (path.name, mode, content)
        return found


@pytest.fixture
def yard(tmp_path: Path) -> Yard:
    return make_yard(tmp_path.resolve())


def make_yard(base: Path) -> Yard:
    root = base / "proj"
    (root / "sub").mkdir(parents=True)
    (base / "proj-evil").mkdir()
    (base / "proj-evil/x").write_text("OUTSIDE-MARK\n")
    (base / "outside.txt").write_text("OUTSIDE-MARK\n")
    (root / "notes.md").write_text("foo one\nbar foo|bar costs $5 `now` https://a.example/b\n日本 a > b\nlast\n")
    (root / "sub/deep.md").write_text("deep foo\nlast\n")
    (root / "a file.md").write_text("with a space\n")
    (root / "x.json").write_text('{"a": {"b": [{"c": 1}, {"c": 2}]}, "env": "prod"}\n')
    (root / "names.txt").write_bytes(b"../outside.txt\0")
    (root / ".env").write_text("TOKEN=1\n")
    for name in ("evil.sh", "evil", "ls"):
        (root / name).write_text("#!/bin/sh\ntouch PWN\n")
        (root / name).chmod(0o755)
    (root / "link_in").symlink_to("notes.md")
    (root / "link_out").symlink_to("../outside.txt")
    (root / "linkdir_out").symlink_to("..")
    return Yard(base, root)
