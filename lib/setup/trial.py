"""Registered commands run once each on a throw-away machine, with a payload that does no harm and must show effect."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lib.host import hosts
from lib.host.registration import Hook
from lib.setup import process, throwaway
from lib.setup.process import Ended
from lib.setup.throwaway import Machine

# Words that nobody's prompt would hold by chance, so that recalling them proves that the right file was read.
_FACT = "Deploy the zeppelin hangar only from the quokka branch"
_FILE = "deploy-zeppelin-hangar.md"
_MEMORY = f"""---
name: deploy-zeppelin-hangar
description: {_FACT}
metadata:
  type: project
---
{_FACT}.

**Why:** the trial of an installation.
**How to apply:** only there.
"""
_PROMPT = "How do I deploy the zeppelin hangar, from which branch?"


@dataclass(frozen=True)
class Outcome:
    """How one command did; `problem` "" when it worked."""

    problem: str
    milliseconds: int


def outcomes(commands: Mapping[Hook, str]) -> dict[Hook, Outcome]:
    """Run every command once, each in a session of its own."""
    with throwaway.machine() as machine:
        _furnish(machine)
        return {hook: _outcome(machine, hook, command) for hook, command in commands.items()}


def _furnish(machine: Machine) -> None:
    """A memory to be recalled, and an index so long that each of the three pages has something to say."""
    machine.memory.mkdir(parents=True)
    (machine.memory / _FILE).write_text(_MEMORY, encoding="utf-8")
    rows = [f"- [Deploy the zeppelin hangar]({_FILE}) — from the quokka branch\n"]
    for number in range(180):
        name = f"filler-{number:03}.md"
        rows.append(f"- [Filler number {number:03}]({name}) — {'a line that is here to make the index long ' * 2}\n")
    (machine.memory / "MEMORY.md").write_text("".join(rows), encoding="utf-8")
    agents = Path(machine.config, "agents")
    agents.mkdir()
    (agents / "hangar.md").write_text("---\nname: hangar\nmemory: user\n---\nYou deploy.\n", encoding="utf-8")


def _outcome(machine: Machine, hook: Hook, command: str) -> Outcome:
    session = f"trial-{hook.title.replace(' ', '-')}"
    known = len(machine.log())
    ended = machine.run(command, machine.payload(hook.event, session, **_told(machine, hook)), _seconds(hook))
    journal = machine.state / "journal" / f"{session}.jsonl"
    effect = {"SessionStart": bool(ended.out), "UserPromptSubmit": _FACT.encode() in ended.out}
    worked = effect.get(hook.role, journal.is_file())
    problem = judged(hook.event, ended, machine.log()[known:], worked)
    return Outcome(problem, round(ended.seconds * 1000))


def _seconds(hook: Hook) -> float:
    return hook.timeout / hosts.adapter(hook.host).SECOND if hook.host else hook.timeout


def _told(machine: Machine, hook: Hook) -> dict[str, object]:
    """What the host says at this event, in its own words."""
    fields = _fields(machine, hook.role)
    if hook.host and "tool_name" in fields:
        fields["tool_name"] = hosts.written_with(hosts.adapter(hook.host))
    return fields


def _fields(machine: Machine, event: str) -> dict[str, object]:
    path = str(machine.memory / _FILE)
    # `command` is what a host says that writes by patches.
    written: dict[str, object] = {"file_path": path, "content": _MEMORY, "command": f"*** Add File: {path}\n"}
    agent: dict[str, object] = {"agent_id": "a1", "agent_type": "hangar"}
    fields: dict[str, dict[str, object]] = {
        "SessionStart": {"source": "startup"},
        "UserPromptSubmit": {"prompt": _PROMPT},
        "PostToolUse": {"tool_name": "Write", "tool_input": written, "tool_response": {"filePath": path}},
        "PreCompact": {"trigger": "manual"},
        "Stop": {"stop_hook_active": False, "last_assistant_message": "Done."},
        "SubagentStart": agent,
        "SubagentStop": agent,
    }
    return fields.get(event, {})


def judged(event: str, ended: Ended, log: list[str], worked: bool) -> str:
    """What is wrong with one run, "" when all is well: exit status, streams, our log, and the effect it must have."""
    if ended.status == process.TIMED_OUT:
        return f"still running after {ended.seconds:.0f} s"
    if ended.status != 0:
        return f"exit status {ended.status}: {ended.last_words}"
    if ended.err:
        return f"it writes to stderr: {ended.last_words}"
    if ended.out and not _is_reply(event, ended.out):
        return f"its output is not one reply: {ended.out[:120]!r}"
    if log:
        return f"it noted in its log: {log[-1]}"
    return "" if worked else "it ended quietly without doing its work"


def _is_reply(event: str, out: bytes) -> bool:
    try:
        told = json.loads(out)["hookSpecificOutput"]
        return bool(told["hookEventName"] == event and isinstance(told["additionalContext"], str))
    except (ValueError, KeyError, TypeError):
        return False
