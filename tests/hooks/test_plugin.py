"""The plugin's commands, run as the client runs them: they act alone, and are silent beside a registered copy."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lib.host import registration
from tests.support.registered import ROOT, Stage

COMMANDS = {
    (event, at): group["hooks"][0]["command"]
    for event, groups in json.loads(registration.plugin_hooks())["hooks"].items()
    for at, group in enumerate(groups)
}


def ran(stage: Stage, event: str, tmp_path: Path, **changes: str) -> str:
    """What the plugin's (first) command for the event says; `python3` is the interpreter of the tests."""
    shims = tmp_path / "bin"
    shims.mkdir(exist_ok=True)
    if not (shims / "python3").exists():
        (shims / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        (shims / "python3").chmod(0o755)
    env = stage.environment(PATH=f"{shims}:{os.environ['PATH']}", CLAUDE_PLUGIN_ROOT=str(ROOT))
    stdin = json.dumps(stage.payload(event, **changes))
    done = subprocess.run(
        ["sh", "-c", COMMANDS[event, 0]], input=stdin, env=env, cwd=stage.project, capture_output=True, text=True,
        timeout=30, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture
def remembered(stage: Stage) -> Stage:
    stage.memory.mkdir(parents=True)
    said = "Dependencies are added with pnpm, npm corrupts the lockfile"
    text = f"---\nname: use-pnpm\ndescription: {said}\nmetadata:\n  type: feedback\n---\n{said}.\n"
    (stage.memory / "use-pnpm.md").write_text(text)
    return stage


def test_alone_it_recalls_and_tells_doctor_where_it_lies(remembered: Stage, tmp_path: Path) -> None:
    ran(remembered, "SessionStart", tmp_path)
    note = json.loads((remembered.own / "plugin.json").read_text())
    assert (note["root"], note["quiet_for"]) == (str(ROOT), "")
    said = ran(remembered, "UserPromptSubmit", tmp_path, prompt="which package manager, pnpm or npm, for dependencies?")
    assert "npm corrupts the lockfile" in said


def test_beside_a_registered_copy_it_is_silent_and_leaves_no_trace_in_the_journal(
    remembered: Stage, tmp_path: Path
) -> None:
    hooks = registration.entries(sys.executable, str(ROOT))
    (remembered.config / "settings.json").write_text(json.dumps({"hooks": hooks}))
    for event in ("SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "Stop"):
        assert ran(remembered, event, tmp_path, prompt="which package manager, pnpm or npm, for dependencies?") == ""
    note = json.loads((remembered.own / "plugin.json").read_text())
    assert note["quiet_for"] == str(remembered.config / "settings.json")
    assert remembered.log() == []
    assert not list(remembered.own.glob("projects/*/journal/*"))
