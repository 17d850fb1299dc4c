"""One session of one project: its transcript, its journal, its hooks' calls."""
from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lib.host import paths
from lib.host.call import Call
from lib.host.payload import Payload
from lib.host.settings import Settings, load
from lib.journal import Journal
from lib.session.run import Source
from tests.support.rows import jsonl

SESSION = "3f0c4b1e-9d43-4c57-9e3f-0d7f0b9c2a11"


@dataclass(frozen=True)
class Room:
    """`project` is where the session runs; `config` is the client's configuration folder."""

    project: Path
    config: Path

    @property
    def transcript(self) -> Path:
        return self.config / "projects" / paths.slug(os.path.realpath(self.project)) / f"{SESSION}.jsonl"

    @property
    def file(self) -> Path:
        return self.transcript.with_suffix("") / "session-memory" / "summary.md"

    @property
    def state(self) -> Path:
        return Path(paths.state_dir(str(self.config), os.path.realpath(self.project)))

    @property
    def journal(self) -> Journal:
        return Journal(str(self.state), SESSION)

    def settings(self, **values: Any) -> Settings:
        (self.config / "settings.json").write_text(json.dumps(values))
        return load(os.environ, str(self.project))

    def say(self, *rows: Any) -> int:
        """Append rows to the transcript; its size then."""
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        with open(self.transcript, "ab") as file:
            file.write(jsonl(*rows))
        return self.transcript.stat().st_size

    def call(self, event: str = "Stop", env: dict[str, str] | None = None, **fields: Any) -> Call:
        payload = {"session_id": SESSION, "transcript_path": str(self.transcript), "cwd": str(self.project), **fields}
        return Call(event, Payload(payload), {**os.environ, **(env or {})}, 1.0)

    def source(self, env: dict[str, str] | None = None, **values: Any) -> Source:
        config = self.settings(**values)
        return Source(SESSION, str(self.transcript), str(self.project), config, {**os.environ, **(env or {})})


@pytest.fixture
def room(own_home: Path, tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path, own_home / ".claude")
    room.settings(memoryHooks={"backend": "rules"})
    yield room
    if hasattr(signal, "alarm"):
        signal.alarm(0)  # the worker's deadline is for its own process, not for the tests'
