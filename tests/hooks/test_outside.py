"""The hooks as registered: the client's own write is known as such, and somebody else's after it is labelled."""

from __future__ import annotations

import json
from typing import Any

from lib.host.registration import HOOKS
from tests.support.registered import Stage

LABEL = "changed outside of the memory tools since"
TEXT = """\
---
name: use-pnpm
description: Always use pnpm for dependencies here, npm corrupts the lockfile
metadata:
  type: reference
---
Use pnpm.
"""
BY_EVENT = {hook.event: hook for hook in HOOKS}


def hook(stage: Stage, event: str, **fields: Any) -> str:
    ran = stage.run(BY_EVENT[event], json.dumps(stage.payload(event, **fields)).encode())
    assert ran.harm() == ""
    return ran.context


def client_writes(stage: Stage, text: str, tool: str = "Write") -> None:
    path = stage.memory / "use-pnpm.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    hook(stage, "PostToolUse", tool_name=tool, tool_input={"file_path": str(path), "content": text})


def recalled(stage: Stage, session: str) -> str:
    block = hook(stage, "UserPromptSubmit", session_id=session, prompt="add a dependency for the lockfile with pnpm")
    assert "use-pnpm.md (reference, " in block
    return block


def test_a_change_past_the_client_is_labelled_and_the_clients_own_is_not(stage: Stage) -> None:
    client_writes(stage, TEXT)
    assert LABEL not in recalled(stage, "a")
    (stage.memory / "use-pnpm.md").write_text(TEXT + "Or weasel.\n")
    assert LABEL in recalled(stage, "b")
    client_writes(stage, TEXT + "Or badger.\n", tool="Edit")
    assert LABEL not in recalled(stage, "c")


def test_of_a_file_that_no_tool_wrote_nothing_is_said(stage: Stage) -> None:
    stage.memory.mkdir(parents=True)
    (stage.memory / "use-pnpm.md").write_text(TEXT)
    assert LABEL not in recalled(stage, "a")
    (stage.memory / "use-pnpm.md").write_text(TEXT + "More.\n")
    assert LABEL not in recalled(stage, "b")
