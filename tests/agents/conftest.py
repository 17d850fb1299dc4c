"""A repository, a person's configuration and sub-agents in it, without a process."""
from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from lib.agents import scopes
from lib.agents.scopes import Scope
from lib.agents.seat import Seat
from lib.host import paths
from lib.host.call import Call
from lib.host.payload import Payload

SESSION = "3f0c4b1e-9d43-4c57-9e3f-0d7f0b9c2a11"
RUN = "a7c9d0e1f2"


def memory(name: str, said: str, kind: str = "project", **more: str) -> str:
    inner = "".join(f'  {key}: "{value}"\n' for key, value in {"type": kind, **more}.items())
    body = f"{said}.\n\n**Why:** it was said.\n**How to apply:** always.\n"
    return f'---\nname: {name}\ndescription: "{said}"\nmetadata:\n{inner}---\n{body}'


@dataclass
class Farm:
    """`root` is the repository, `launch` the folder the session was started in."""

    root: Path
    config: Path
    launch: Path
    env: dict[str, str] = field(default_factory=dict)

    @property
    def state(self) -> str:
        return paths.state_dir(str(self.config), paths.project_root(str(self.launch)))

    @property
    def parent(self) -> Path:
        return self.config / "projects" / "x" / f"{SESSION}.jsonl"

    @property
    def run(self) -> Path:
        return self.parent.with_suffix("") / "subagents" / f"agent-{RUN}.jsonl"

    def agent(self, name: str = "reviewer", scope: str = "project", folder: Path | None = None) -> Path:
        folder = folder or self.root / ".claude" / "agents"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.md"
        asked = f"memory: {scope}\n" if scope else ""
        path.write_text(f"---\nname: {name}\ndescription: x\n{asked}---\nYou.\n")
        return path

    def scope(self, name: str = "reviewer") -> Scope:
        found = scopes.of(name, str(self.launch), self.env, self.state)
        assert found is not None
        return found

    def call(self, event: str, **fields: Any) -> Call:
        common = {"session_id": SESSION, "transcript_path": str(self.parent), "cwd": str(self.launch),
                  "hook_event_name": event, "agent_id": RUN, "agent_type": "reviewer"}  # fmt: skip
        env = {**self.env, "CLAUDE_PROJECT_DIR": str(self.launch)}
        return Call(event, Payload({**common, **fields}), env, time.time())

    def seat(self, event: str = "SubagentStart", **fields: Any) -> tuple[Call, Seat]:
        call = self.call(event, **fields)
        return call, Seat(call)

    def entry(self, kind: str, content: object, uuid: str, **more: Any) -> str:
        message = {"role": kind, "content": content}
        row = {"type": kind, "uuid": uuid, "sessionId": SESSION, "timestamp": "2026-11-30T12:00:00.000Z",
               "message": message, **more}  # fmt: skip
        return json.dumps(row) + "\n"

    def spoke(self, path: Path, *lines: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a") as file:
            file.write("".join(lines))

    def launched(self, task: str, id: str = "toolu_1", agent: str = "reviewer") -> str:
        use = {"type": "tool_use", "id": id, "name": "Agent", "input": {"prompt": task, "subagent_type": agent}}
        return self.entry("assistant", [use], f"a-{id}")

    def answered(self, text: str, id: str = "toolu_1") -> str:
        return self.entry("user", [{"type": "tool_result", "tool_use_id": id, "content": text}], f"r-{id}")

    def worked(self, task: str, report: str = "Done.", *uses: Mapping[str, Any]) -> None:
        """What a run leaves in its own transcript."""
        count = len(self.run.read_text().splitlines()) if self.run.exists() else 0
        rows = [self.entry("user", task, f"t{count}-{'x' * 12}", isSidechain=True, agentId=RUN)]
        if uses:
            rows.append(self.entry("assistant", list(uses), f"u{count}-{'x' * 12}", isSidechain=True))
        said = [{"type": "text", "text": report}]
        rows.append(self.entry("assistant", said, f"v{count}-{'x' * 12}", isSidechain=True))
        self.spoke(self.run, *rows)


@pytest.fixture
def farm(own_home: Path, tmp_path: Path) -> Farm:
    root = tmp_path / "repo"
    (root / ".git").mkdir(parents=True)
    config = own_home / ".claude"
    env = {"HOME": str(own_home), "CLAUDE_CONFIG_DIR": str(config), "PATH": os.environ["PATH"]}
    return Farm(root, config, root, env)
