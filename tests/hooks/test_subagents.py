"""The two hooks of a sub-agent's run as registered, with the worker that they start: taught once, told again."""
from __future__ import annotations

import json

from lib.host.registration import HOOKS
from tests.hooks.test_flow import until
from tests.support.registered import SESSION, Ran, Stage

BY_EVENT = {hook.event: hook for hook in HOOKS}
SAID = "Remember: always use pnpm here, npm corrupts the lockfile"


def line(kind: str, content: object, uuid: str, *, side: bool = False) -> str:
    row = {"type": kind, "uuid": uuid, "sessionId": SESSION, "timestamp": "2026-11-30T12:00:00.000Z",
           "isSidechain": side, "message": {"role": kind, "content": content}}  # fmt: skip
    return json.dumps(row) + "\n"


def launched(task: str, number: int) -> str:
    use = {"type": "tool_use", "id": f"toolu_{number}", "name": "Agent",
           "input": {"prompt": task, "subagent_type": "reviewer"}}  # fmt: skip
    return line("assistant", [use], f"launch-{number}-of-it")


def hook(stage: Stage, event: str, run: str) -> Ran:
    path = stage.transcript.with_suffix("") / "subagents" / f"agent-{run}.jsonl"
    more = {"agent_transcript_path": str(path)} if event == "SubagentStop" else {}
    given = json.dumps(stage.payload(event, agent_id=run, **more)).encode()
    ran = stage.run(BY_EVENT[event], given, env=stage.environment(ANTHROPIC_API_KEY=None))
    assert ran.harm() == ""
    return ran


def test_what_one_run_was_taught_the_next_is_told(stage: Stage) -> None:
    (stage.project / ".git").mkdir()
    agents = stage.project / ".claude" / "agents"
    agents.mkdir(parents=True)
    (agents / "reviewer.md").write_text("---\nname: reviewer\nmemory: project\n---\nYou review.\n")
    first = stage.transcript.with_suffix("") / "subagents" / "agent-a1.jsonl"
    first.parent.mkdir(parents=True)
    stage.transcript.write_text(line("user", SAID, "prompt-1-of-it") + launched(f"Review it. {SAID}", 1))
    assert hook(stage, "SubagentStart", "a1").out == b""
    first.write_text(line("user", f"Review it. {SAID}", "task-1-of-it", side=True))
    assert hook(stage, "SubagentStop", "a1").out == b""
    place = stage.project / ".claude" / "agent-memory" / "reviewer"
    assert until(lambda: (place / "MEMORY.md").is_file()), (stage.log(), stage.journal())
    stage.settle(30)
    with stage.transcript.open("a") as file:
        file.write(launched("Add a dependency for parsing dates.", 2))
    told = hook(stage, "SubagentStart", "a2").context
    assert "use-pnpm.md (feedback, noted today" in told and "the user's own words" in told
    assert not stage.memory.exists() and stage.log() == []


def test_a_bad_type_is_one_line_in_the_log(stage: Stage) -> None:
    given = json.dumps(stage.payload("SubagentStart", agent_type="../x")).encode()
    ran = stage.run(BY_EVENT["SubagentStart"], given)
    assert (ran.harm(), ran.out) == ("", b"")
    assert [row["what"] for row in stage.log()] == ["the agent's type '../x' is no plain name"]
