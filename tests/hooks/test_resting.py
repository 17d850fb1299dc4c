"""Paused, recall only, and a worker that fails: what the registered hooks do and say then, and what they leave."""
from __future__ import annotations

import json
import os
import time

import pytest

from lib import worker
from lib.cli import resting
from lib.extract.source import Report
from lib.host import hosts, paths
from lib.host.call import PAUSED, RECALL_ONLY, alarm
from lib.host.registration import HOOKS
from lib.journal import failing
from lib.memory import files, index, store
from lib.model import outage
from tests.support.registered import SESSION, Ran, Stage

HOOK = {hook.event: hook for hook in HOOKS}
SAID = "Remember: always use pnpm here, npm corrupts the lockfile"


def fire(stage: Stage, event: str, **fields: object) -> Ran:
    ran = stage.run(HOOK[event], json.dumps(stage.payload(event, **fields)).encode())
    assert (ran.status, ran.err) == (0, b"")
    return ran


def say(stage: Stage, text: str, name: str) -> None:
    entry = {"type": "user", "uuid": name, "sessionId": SESSION, "timestamp": "2026-11-30T12:00:00.000Z",
             "message": {"role": "user", "content": text}}  # fmt: skip
    stage.transcript.parent.mkdir(parents=True, exist_ok=True)
    with stage.transcript.open("a") as file:
        file.write(json.dumps(entry) + "\n")


def remembered(stage: Stage) -> list[str]:
    return sorted(path.name for path in stage.memory.glob("*.md") if path.name != "MEMORY.md")


def known(stage: Stage) -> None:
    said, body = "Always use pnpm here, npm corrupts the lockfile", "x\n\n**Why:** x\n**How to apply:** y"
    text = store.text_of("use-pnpm", "feedback", said, body, {}, applies=["add", "dependency"])
    files.write(str(stage.memory), "use-pnpm.md", text.encode())
    index.mend(str(stage.memory))


def scope(stage: Stage, everywhere: bool) -> str:
    return resting.EVERYWHERE if everywhere else paths.slug(paths.project_root(str(stage.project)))


@pytest.mark.parametrize("everywhere", [False, True], ids=["here", "everywhere"])
def test_paused_nothing_is_recalled_or_learned_and_the_turns_are_let_go(stage: Stage, everywhere: bool) -> None:
    known(stage)
    resting.put(str(stage.config), scope(stage, everywhere), PAUSED)
    assert fire(stage, "UserPromptSubmit").out == b""
    say(stage, "Remember: the staging server is called otter", "u1")
    assert fire(stage, "Stop").out == b""
    stage.settle()
    resting.put(str(stage.config), scope(stage, everywhere), "")
    assert not (stage.own / "resting.txt").exists()
    say(stage, "thanks", "u2")
    fire(stage, "Stop")
    stage.settle()
    assert remembered(stage) == ["use-pnpm.md"]
    assert "pnpm" in fire(stage, "UserPromptSubmit").context
    reasons = [row["reason"] for row in stage.journal() if row["e"] in ("recall", "stop")]
    assert reasons[:2] == ["paused", "paused"]


def test_recall_only_recalls_and_learns_nothing_not_even_after_a_crash(stage: Stage) -> None:
    known(stage)
    resting.put(str(stage.config), scope(stage, False), RECALL_ONLY)
    assert "pnpm" in fire(stage, "UserPromptSubmit").context
    say(stage, "Remember: the staging server is called otter", "u1")
    fire(stage, "Stop")
    fire(stage, "UserPromptSubmit", prompt="remember that the freeze ends on 2026-12-10")
    say(stage, "remember that the freeze ends on 2026-12-10", "u2")
    os.utime(stage.transcript, (1, 1))  # the session was left without a Stop, long ago
    resting.put(str(stage.config), scope(stage, False), "")
    fire(stage, "SessionStart", session_id="another-session", source="startup")
    stage.settle()
    assert remembered(stage) == ["use-pnpm.md"]
    assert [row["reason"] for row in stage.journal() if row["e"] == "stop"] == ["recall_only"]


def test_another_project_is_not_touched(stage: Stage) -> None:
    known(stage)
    resting.put(str(stage.config), "-some-where-else", PAUSED)
    assert "pnpm" in fire(stage, "UserPromptSubmit").context


@pytest.mark.parametrize("torn", [b"", b"\xff\xfe\x00", b"*", b"*\tpaused\textra", b"\t\t\n*\tpaus", b"x" * 9000])
def test_a_torn_switch_is_no_switch_and_harms_nobody(stage: Stage, torn: bytes) -> None:
    known(stage)
    stage.own.mkdir(parents=True)
    (stage.own / "resting.txt").write_bytes(torn)
    assert "pnpm" in fire(stage, "UserPromptSubmit").context


def test_the_third_failure_in_a_row_is_said_once_to_the_person_and_never_to_the_model(stage: Stage) -> None:
    known(stage)
    config = str(stage.config)
    for _ in range(2):
        failing.failed(config, "learning", "OSError: full")
    assert "systemMessage" not in json.loads(fire(stage, "UserPromptSubmit").out)
    failing.failed(config, "learning", "OSError: full")
    told = json.loads(fire(stage, "UserPromptSubmit", session_id="s-2").out)
    assert told["systemMessage"].startswith(
        "memory-hooks: learning failed 3 times in a row (OSError: full). See what to do: python /"
    )
    assert "\n" not in told["systemMessage"] and "OSError" not in json.dumps(told["hookSpecificOutput"])
    for _ in range(5):
        failing.failed(config, "learning", "OSError: full")
    assert fire(stage, "UserPromptSubmit", prompt="thanks").out == b""


def test_a_worker_that_fails_again_and_again_is_told_with_the_next_prompt(stage: Stage) -> None:
    stage.memory.parent.mkdir(parents=True)
    stage.memory.write_text("a file where a folder should be")
    for number in range(3):
        say(stage, f"Remember: the server {number} is called otter", f"u{number}")
        fire(stage, "Stop")
        stage.settle()
    told = json.loads(fire(stage, "UserPromptSubmit", prompt="thanks").out)
    assert set(told) == {"systemMessage"} and "learning in the project" in told["systemMessage"]
    assert not (stage.own / "alarm.txt").exists()
    stage.memory.unlink()
    say(stage, SAID, "u9")
    fire(stage, "Stop")
    stage.settle()
    assert "use-pnpm.md" in remembered(stage) and failing.known(str(stage.config)) == {}


def test_a_hook_that_fails_itself_is_told_by_the_third_prompt_that_fails(stage: Stage) -> None:
    stage.own.mkdir(parents=True)
    (stage.own / "projects").write_text("a file where a folder should be")
    assert [fire(stage, "UserPromptSubmit").out for _ in range(2)] == [b"", b""]
    told = json.loads(fire(stage, "UserPromptSubmit").out)
    assert set(told) == {"systemMessage"}
    assert told["systemMessage"].startswith("memory-hooks: the UserPromptSubmit hook failed 3 times in a row (")
    assert fire(stage, "UserPromptSubmit").out == b""
    assert fire(stage, "Stop").out == b""


def test_another_host_is_not_shown_what_it_may_not_know(stage: Stage) -> None:
    known(stage)
    for _ in range(3):
        failing.failed(str(stage.config), "learning", "full")
    hook = next(hook for hook in hosts.hooks(hosts.adapter("gemini")) if hook.role == "UserPromptSubmit")
    payload = {**stage.payload("UserPromptSubmit"), "hook_event_name": hook.event}
    ran = stage.run(hook, json.dumps(payload).encode())
    assert b"systemMessage" not in ran.out and (stage.own / "alarm.txt").exists()


def test_a_backend_that_stays_away_is_told_though_the_rules_step_in(stage: Stage) -> None:
    outage.failed(str(stage.config), "claude", "auth", "the login has ended", time.time())
    away = Report(backend="rules", reason="claude failed (the login has ended) and is left alone until tomorrow")
    other = Report(backend="rules", reason="too little is new")
    for report in (away, Report(backend="claude"), away, away, other, away):
        assert alarm(str(stage.config)) == ""
        worker._thought(report)
    assert alarm(str(stage.config)) == (
        "the backend claude failed 3 times in a row (the login has ended; the rules think instead)"
    )
