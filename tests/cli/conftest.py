"""memory.py as a person runs it in a project of its own: mostly in this process, where it matters in one of its own."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import pytest

import memory as face
from lib.cli import screen
from lib.host import paths
from lib.memory import files, index, store

ROOT = Path(__file__).resolve().parents[2]


class _Stream(io.StringIO):
    """A stream of text that may pose as a terminal, with bytes below it."""

    def __init__(self, text: str = "", terminal: bool = False) -> None:
        super().__init__(text)
        self._terminal = terminal
        self._bytes = io.BytesIO(text.encode())

    @property
    def buffer(self) -> io.BytesIO:
        return self._bytes

    def isatty(self) -> bool:
        return self._terminal


@dataclass(frozen=True)
class Desk:
    """A project, its memories, and the command in it."""

    project: Path
    memory: Path
    state: Path

    @property
    def config(self) -> Path:
        return Path(os.environ["CLAUDE_CONFIG_DIR"])

    def run(
        self, *arguments: str, columns: int = 0, stdin: str = "", **env: str
    ) -> subprocess.CompletedProcess[str]:
        """The command in this process; with `columns` on a terminal of that width, whose person types `stdin`."""
        terminal = columns > 0
        out, err = _Stream(terminal=terminal), _Stream(terminal=terminal)
        given = {**os.environ, **env, **({"COLUMNS": str(columns), "TERM": "xterm"} if terminal else {})}
        where = os.getcwd()
        os.chdir(self.project)
        try:
            with (
                mock.patch.dict(os.environ, given), mock.patch.object(sys, "stdin", _Stream(stdin, terminal)),
                contextlib.redirect_stdout(out), contextlib.redirect_stderr(err),
            ):  # fmt: skip
                status = face.main(list(arguments))
        finally:
            os.chdir(where)
        return subprocess.CompletedProcess(arguments, status, out.getvalue(), err.getvalue())

    def process(
        self, *arguments: str, python: Sequence[str] = (sys.executable,), cwd: Path | None = None, **env: str
    ) -> subprocess.CompletedProcess[str]:
        """The command in a process of its own."""
        return subprocess.run(
            [*python, str(ROOT / "memory.py"), *arguments],
            cwd=cwd or self.project, env={**os.environ, **env}, capture_output=True, text=True, timeout=60, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def put(self, name: str, said: str, kind: str = "project", body: str = "") -> None:
        text = store.text_of(name, kind, said, body or f"{said}.\n\n**Why:** x\n**How to apply:** y", {})
        files.write(str(self.memory), f"{name}.md", text.encode())
        index.mend(str(self.memory))

    def names(self) -> list[str]:
        return sorted(entry.file for entry in store.entries(str(self.memory)))

    def text(self, name: str) -> str:
        return (self.memory / name).read_text(encoding="utf-8")


def columns_of(text: str) -> int:
    """The widest line of what a terminal was sent, without its colours."""
    plain = re.sub(r"\x1b\[[0-9]*m", "", text)
    return max((screen.cells(line) for line in plain.split("\n")), default=0)


@pytest.fixture
def desk(own_home: Path, tmp_path: Path) -> Desk:
    config = os.environ["CLAUDE_CONFIG_DIR"]
    return Desk(
        tmp_path, Path(paths.memory_path(str(tmp_path), os.environ, {})), Path(paths.state_dir(config, str(tmp_path)))
    )
