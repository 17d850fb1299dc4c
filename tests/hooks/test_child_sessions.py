"""Hooks of a session that we started ourselves do nothing, also when the environment's mark got lost on the way."""
from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from lib.host import children, registration
from lib.host.registration import HOOKS
from lib.model import ledger, outage
from tests.support.registered import ROOT, SESSION, Stage

SAID = "Remember: always use pnpm here, npm corrupts the lockfile"
# A client that, as the real one would, runs the registered Stop hook of its own session, without the mark.
CLIENT = """\
import json, os, subprocess, sys
open({log!r}, "a").write("started\\n")
session = sys.argv[sys.argv.index("--session-id") + 1]
env = {{name: value for name, value in os.environ.items() if name != "MEMORY_HOOKS_CHILD"}}
payload = {{**{payload!r}, "session_id": session, "cwd": os.getcwd()}}
subprocess.run(["sh", "-c", {command!r}], input=json.dumps(payload).encode(), env=env)
{ending}
"""
RESULT = {"type": "result", "subtype": "success", "is_error": False, "num_turns": 1, "result": "nothing",
          "modelUsage": {"m": {"inputTokens": 10, "outputTokens": 1}}}  # fmt: skip


def transcript(stage: Stage) -> None:
    entry = {"type": "user", "uuid": "u1", "sessionId": SESSION, "timestamp": "2026-11-30T12:00:00.000Z",
             "message": {"role": "user", "content": SAID}}  # fmt: skip
    stage.transcript.parent.mkdir(parents=True, exist_ok=True)
    stage.transcript.write_text(json.dumps(entry) + "\n")


def stop(stage: Stage, **fields: Any) -> None:
    hook = next(hook for hook in HOOKS if hook.event == "Stop")
    ran = stage.run(hook, json.dumps(stage.payload("Stop", **fields)).encode())
    assert (ran.harm(), ran.out) == ("", b"")


@pytest.mark.parametrize("mark", ["session", "folder"])
def test_a_child_is_known_without_its_environment(stage: Stage, mark: str) -> None:
    transcript(stage)
    if mark == "session":
        children.mark(str(stage.config), SESSION)
        stop(stage)
    else:
        folder = children.folder(str(stage.config))
        Path(folder).mkdir(parents=True)
        stop(stage, cwd=folder)
    stage.settle()
    assert stage.journal() == [] and stage.log() == []


def put_client(stage: Stage, tmp_path: Path, ending: str) -> Path:
    log, program = tmp_path / "starts", tmp_path / "claude"
    hook = next(hook for hook in HOOKS if hook.event == "Stop")
    command = registration.command(hook, sys.executable, str(ROOT))
    body = CLIENT.format(log=str(log), payload=stage.payload("Stop"), command=command, ending=ending)
    program.write_text(f"#!{sys.executable} -S\n{body}")
    program.chmod(0o755)
    stage.own.mkdir(exist_ok=True)
    (stage.own / "host.json").write_text(json.dumps({"claude": {"path": str(program), "version": "2.1.332"}}))
    (stage.config / "settings.json").write_text('{"memoryHooks": {"backend": "claude"}}')
    return log


def test_a_client_whose_hooks_run_again_is_started_once(stage: Stage, tmp_path: Path) -> None:
    log = put_client(stage, tmp_path, f"print({json.dumps(json.dumps(RESULT))})")
    transcript(stage)
    for _ in range(20):
        stop(stage)
    stage.settle(60)
    assert log.read_text() == "started\n"
    assert [event["backend"] for event in stage.journal() if event["e"] == "extract"] == ["claude"]
    assert len(ledger.since(str(stage.config), 0, 1e11)) == 1
    assert stage.log() == []


def test_a_client_without_a_login_is_not_asked_again(stage: Stage, tmp_path: Path) -> None:
    log = put_client(stage, tmp_path, "print('Not logged in'); sys.exit(1)")
    transcript(stage)
    for words in (SAID, "From now on the staging server is called otter"):
        with stage.transcript.open("a") as file:
            file.write(json.dumps({"type": "user", "uuid": words[:8], "sessionId": SESSION,
                                   "message": {"role": "user", "content": words}}) + "\n")  # fmt: skip
        stop(stage)
        stage.settle(60)
    assert log.read_text() == "started\n"
    assert [event["backend"] for event in stage.journal() if event["e"] == "extract"] == ["rules", "rules"]
    fault = outage.known(str(stage.config), "claude")
    assert fault is not None and fault.kind == "auth"
    assert (stage.memory / "use-pnpm.md").exists()  # the rules have seen what the client did not
