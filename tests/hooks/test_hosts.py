"""The hooks as other agents run them: their payloads in, their event's name out, the same memory for all."""
from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from lib.host import hosts, registration
from lib.host.registration import FLAGS, HOOKS, Hook
from tests.support.house import SLOW
from tests.support.registered import ROOT, SESSION, Stage

SAID = "Remember: always use pnpm here, npm corrupts the lockfile"
PROMPT = "add a dependency for parsing dates"
ROWS = [hook for name in hosts.NAMES for hook in hosts.hooks(hosts.adapter(name))]
MEMORY = "---\nname: tabs\ndescription: Makefiles take tabs\nmetadata:\n  type: feedback\n---\nMakefiles take tabs.\n"


def row(host: str, role: str) -> Hook:
    return next(hook for hook in ROWS if (hook.host, hook.role) == (host, role))


def environment(stage: Stage, host: str) -> dict[str, str]:
    """What that agent gives its hooks; started from a shell of Claude Code, whose marks are still there."""
    own: dict[str, str | None] = {} if host == "codex" else {f"{host.upper()}_PROJECT_DIR": str(stage.project)}
    return stage.environment(**own)


def payload(stage: Stage, hook: Hook, **changes: Any) -> bytes:
    fields = stage.payload(hook.role, hook_event_name=hook.event, transcript_path=str(transcript(stage, hook.host)))
    if "tool_name" in fields:
        fields["tool_name"] = hosts.written_with(hosts.adapter(hook.host))
    return json.dumps({**fields, **changes}).encode()


def transcript(stage: Stage, host: str) -> Path:
    return stage.home / f".{host}" / "chats" / f"{SESSION}.jsonl"


def say(stage: Stage, host: str, prompt: str) -> None:
    """Write the agent's transcript of one turn."""
    text = [{"text": prompt}]
    rows: dict[str, dict[str, Any]] = {
        "codex": {"type": "response_item", "payload": {
            "type": "message", "role": "user", "id": "msg_01a22aef-6149-7bb3-aac4-ebb3f2370340",
            "content": [{"type": "input_text", "text": prompt}]}},
        "gemini": {"id": "b1fcdaf2-9e0c-49ac-a6fb-3d4dc25f25ae", "type": "user", "content": text},
        "qwen": {"uuid": "0506f843-5851-4835-98c7-4a89d026f21e", "sessionId": SESSION, "type": "user",
                 "message": {"role": "user", "parts": text}},
    }  # fmt: skip
    path = transcript(stage, host)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows[host]) + "\n")


def remembered(stage: Stage) -> Path:
    path, end = stage.memory / "use-pnpm.md", time.monotonic() + 20
    while not path.is_file() and time.monotonic() < end:
        time.sleep(0.02)
    assert path.is_file(), (stage.log(), stage.journal())
    stage.settle()
    return path


@pytest.mark.parametrize("host", hosts.NAMES)
def test_said_there_it_is_recalled_there_and_in_claude_code(stage: Stage, host: str) -> None:
    say(stage, host, SAID)
    hook = row(host, "Stop")
    ran = stage.run(hook, payload(stage, hook, stop_hook_active=True), env=environment(stage, host))
    assert (ran.harm(), ran.out) == ("", b"")
    assert "originSessionId" in remembered(stage).read_text()
    hook = row(host, "UserPromptSubmit")
    ran = stage.run(hook, payload(stage, hook, prompt=PROMPT, session_id="another"), env=environment(stage, host))
    assert ran.harm() == "" and "Always use pnpm here" in ran.context
    own = next(hook for hook in HOOKS if hook.event == "UserPromptSubmit")
    told = stage.run(own, json.dumps(stage.payload(own.event, prompt=PROMPT, session_id="third")).encode())
    assert "Always use pnpm here" in told.context
    assert stage.log() == []
    looks = [event["reason"] for event in stage.journal() if event["e"] == "look"]
    assert "run" not in looks


@pytest.mark.parametrize("host", ["codex", "gemini"])
def test_the_index_is_delivered_though_claude_code_would_have_loaded_it(stage: Stage, host: str) -> None:
    stage.memory.mkdir(parents=True)
    (stage.memory / "MEMORY.md").write_text("- [Tabs](tabs.md) — Makefiles take tabs\n")
    hook = row(host, "SessionStart")
    ran = stage.run(hook, payload(stage, hook), env=environment(stage, host))
    assert ran.harm() == "" and "Makefiles take tabs" in ran.context


@pytest.mark.parametrize("host", hosts.NAMES)
def test_a_memory_that_the_agent_wrote_itself_is_noted(stage: Stage, host: str) -> None:
    stage.memory.mkdir(parents=True)
    path = stage.memory / "tabs.md"
    path.write_text(MEMORY)
    given = {"file_path": str(path), "command": f"*** Begin Patch\n*** Add File: {path}\n+x\n*** End Patch"}
    hook = row(host, "PostToolUse")
    ran = stage.run(hook, payload(stage, hook, tool_input=given), env=environment(stage, host))
    assert ran.harm() == ""
    assert [event["file"] for event in stage.journal() if event["e"] == "memory_write"] == ["tabs.md"]


@pytest.mark.parametrize("host", hosts.NAMES)
def test_an_event_of_another_host_is_not_answered(stage: Stage, host: str) -> None:
    hook = row(host, "UserPromptSubmit")
    ran = stage.run(hook, payload(stage, hook, hook_event_name="Unknown"), env=environment(stage, host))
    assert (ran.harm(), ran.out) == ("", b"")
    assert [line["what"] for line in stage.log()] == ["payload is for 'Unknown'"]


def test_a_host_that_is_not_known_harms_nobody(stage: Stage) -> None:
    hook = Hook("Stop", "stop.py", "--host", "nobody")
    ran = stage.run(hook, json.dumps(stage.payload("Stop")).encode())
    assert (ran.harm(), ran.out) == ("", b"")
    assert [line["what"].partition(":")[0] for line in stage.log()] == ["ValueError"]


@pytest.mark.parametrize("host", hosts.NAMES)
@pytest.mark.parametrize("stdin", [b"", b"null", b"[]", b"{", b'{"hook_event_name": 7, "tool_input": []}'])
def test_bad_input_is_answered_with_silence(stage: Stage, host: str, stdin: bytes) -> None:
    ran = stage.run(row(host, "Stop"), stdin, env=environment(stage, host))
    assert (ran.harm(), ran.out) == ("", b"")
    assert len(stage.log()) == 1


def loaded(stage: Stage, hook: Hook, stdin: bytes, env: dict[str, str]) -> set[str]:
    script = str(ROOT / "hooks" / hook.script)
    argv = [sys.executable, "-X", "importtime", *FLAGS, script, *hook.arguments]
    ran = subprocess.run(argv, input=stdin, env=env, cwd=stage.project, capture_output=True, timeout=30)
    lines = [line for line in ran.stderr.decode().splitlines() if line.startswith("import time:")]
    return {line.split("|")[-1].strip() for line in lines[1:]}


@pytest.mark.parametrize("hook", ROWS, ids=lambda hook: hook.title)
def test_a_hook_of_another_host_loads_nothing_slow(stage: Stage, hook: Hook) -> None:
    say(stage, hook.host, "thanks")
    names = loaded(stage, hook, payload(stage, hook), environment(stage, hook.host))
    assert f"lib.host.{hook.host}" in names
    assert sorted(name for name in names if name.split(".")[0] in SLOW - {"enum", "contextlib"}) == []


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook.title)
def test_claude_code_s_hooks_load_nothing_of_other_hosts(stage: Stage, hook: Hook) -> None:
    stage.transcript.parent.mkdir(parents=True)
    entry = {"type": "user", "uuid": "u1", "message": {"role": "user", "content": "hello"}}
    stage.transcript.write_text(json.dumps(entry) + "\n")
    names = loaded(stage, hook, json.dumps(stage.payload(hook.event)).encode(), stage.environment())
    others = {f"lib.host.{name}" for name in (*hosts.NAMES, "hosts", "dialect", "parts")}
    assert "lib.boundary" in names and names.isdisjoint(others)
    assert "--host" not in registration.command(hook, "/py", "/root")
