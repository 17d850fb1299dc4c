"""The client as a backend, played by a stub: what it is given, what it may keep, what its faults lead to."""
from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from lib.host import children
from lib.host.program import Program
from lib.host.settings import Settings
from lib.model import catalog, child_run, ledger, login, outage, thinkers
from lib.model.choice import Choice
from lib.model.client_cli import ClientCLI, Parent, child_env
from lib.model.task import Change, Request, Task, Unavailable

RESULT = {
    "type": "result", "subtype": "success", "is_error": False, "num_turns": 2, "result": "Saved.",
    "stop_reason": "end_turn", "total_cost_usd": 0.5, "modelUsage": {"m": {"inputTokens": 100, "outputTokens": 10}},
}  # fmt: skip
# Asks the guard, as the client would before a Write, and prints what a client prints.
STUB = """\
import json, os, subprocess, sys
argv, prompt = sys.argv[1:], sys.stdin.read()
session = argv[argv.index("--session-id") + 1]
seen = {"argv": argv, "env": dict(os.environ), "cwd": os.getcwd(), "prompt": prompt, "answers": []}
if "--settings" in argv:
    settings = json.loads(argv[argv.index("--settings") + 1])
    command = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    for name, given in CALLS:
        asked = {"session_id": session, "tool_name": name, "tool_input": given}
        said = subprocess.run(["sh", "-c", command], input=json.dumps(asked).encode(), capture_output=True).stdout
        seen["answers"].append(json.loads(said)["hookSpecificOutput"])
open(SEEN, "w").write(json.dumps(seen))
"""


ANSWERS = f"print({json.dumps(json.dumps(RESULT))})"


class Stage:
    def __init__(self, home: Path, base: Path) -> None:
        self.config, self.program, self.seen_file = home / ".claude", base / "claude", base / "seen"
        self.memory, self.project = base / "memory", base / "project"
        self.memory.mkdir()
        self.project.mkdir()
        self.env = {**os.environ, "CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": "/x", "CLAUDE_CODE_ENTRYPOINT": "cli"}

    def stub(self, calls: list[tuple[str, dict[str, Any]]], ending: str = ANSWERS) -> None:
        body = f"CALLS, SEEN = {calls!r}, {str(self.seen_file)!r}\n{STUB}\n{ending}\n"
        self.program.write_text(f"#!{sys.executable} -S\n{body}")
        self.program.chmod(0o755)

    @property
    def seen(self) -> dict[str, Any]:
        return json.loads(self.seen_file.read_text())  # type: ignore[no-any-return]

    def client(self, parent: Parent | None = None) -> ClientCLI:
        return ClientCLI(str(self.program), "claude-sonnet-5-5", self.env, str(self.config), parent, 0.75)

    def task(self, prompt: str = "PROMPT") -> Task:
        return Task("SYSTEM", prompt, str(self.memory), (str(self.project),), deadline=20)

    def metered(self, **options: object) -> thinkers.Metered:
        work = thinkers.Work("extract", str(self.project), Settings({}, options, []), self.env)
        return thinkers.thinker(Choice("claude", "", Program(str(self.program))), work, mode="delta")


@pytest.fixture
def stage(own_home: Path, tmp_path: Path) -> Stage:
    return Stage(own_home, tmp_path)


def write(stage: Stage) -> tuple[str, dict[str, Any]]:
    return "Write", {"file_path": str(stage.memory / "a.md"), "content": "a fact\n"}


def test_a_fork_is_given_the_session_and_its_model_and_no_tools_of_ours(stage: Stage) -> None:
    stage.stub([write(stage)])
    outcome = stage.client(Parent("5e55", str(stage.project), "claude-opus-5-5")).run_agent(stage.task())
    assert outcome.changes == (Change("a.md", "a fact\n", None),)
    assert (outcome.turns, outcome.usd, outcome.stopped) == (2, 0.5, "end_turn")
    argv = stage.seen["argv"]
    for words in (["--resume", "5e55"], ["--model", "claude-opus-5-5"], ["--permission-mode", "dontAsk"],
                  ["--max-turns", "5"], ["--max-budget-usd", "0.7500"]):  # fmt: skip
        assert argv[argv.index(words[0]) + 1] == words[1]
    assert {"--fork-session", "--no-session-persistence", "-p"} <= set(argv)
    assert not {"--tools", "--allowedTools", "--disallowedTools", "--system-prompt"} & set(argv)
    assert (stage.seen["cwd"], stage.seen["prompt"]) == (str(stage.project), "SYSTEM\n\nPROMPT")
    assert not (stage.memory / "a.md").exists()
    assert os.listdir(stage.config / "memory-hooks" / "runs") == []


def test_a_fresh_run_has_our_prompt_and_runs_outside_the_project(stage: Stage) -> None:
    stage.stub([])
    stage.client().run_agent(stage.task("x" * 300_000))
    argv = stage.seen["argv"]
    assert argv[argv.index("--system-prompt") + 1] == "SYSTEM" and "--resume" not in argv
    assert stage.seen["prompt"] == "x" * 300_000 and "x" * 300_000 not in argv
    assert stage.seen["cwd"] == children.folder(str(stage.config))


def test_a_child_knows_that_it_is_ours_and_not_that_it_runs_in_a_session(stage: Stage) -> None:
    stage.stub([])
    assert stage.client().complete(Request("S", "P")).text == "Saved."
    seen = stage.seen
    assert seen["env"]["MEMORY_HOOKS_CHILD"] == "1" and seen["env"]["CLAUDE_CODE_ENTRYPOINT"] == "cli"
    assert not {"CLAUDECODE", "CLAUDE_PROJECT_DIR"} & set(seen["env"])
    assert stage.env["CLAUDECODE"] == "1"  # for the child alone
    session = seen["argv"][seen["argv"].index("--session-id") + 1]
    assert children.known(str(stage.config), session, "/anywhere")
    assert seen["argv"][seen["argv"].index("--tools") + 1] == "" and "--settings" not in seen["argv"]


def test_a_key_is_no_new_bill_where_a_login_is_stored(stage: Stage) -> None:
    env = {"ANTHROPIC_API_KEY": "k", "PATH": "/bin"}
    assert child_env(env, str(stage.config))["ANTHROPIC_API_KEY"] == "k"
    (stage.config / login.CREDENTIALS).write_text("")
    assert "ANTHROPIC_API_KEY" not in child_env(env, str(stage.config))


@pytest.mark.parametrize("ending", ["print('Sure, I can help!')", "print('Not logged in \u00b7 Please run /login')",
                                    "sys.exit(3)", "os.kill(os.getpid(), 9)"])  # fmt: skip
def test_without_a_result_nothing_that_was_not_staged_is_kept(stage: Stage, ending: str) -> None:
    stage.stub([], ending)
    with pytest.raises(Unavailable):
        stage.client().run_agent(stage.task())
    stage.stub([write(stage)], ending)
    outcome = stage.client().run_agent(stage.task())
    assert (outcome.stopped, len(outcome.changes)) == ("unavailable", 1) and outcome.reason


def test_a_call_is_noted_with_estimate_and_the_dearer_cost(stage: Stage) -> None:
    stage.stub([write(stage)])
    stage.metered().run_agent(stage.task())
    [row] = ledger.since(str(stage.config), 0, 1e11)
    assert (row.usd, row.input, row.output, row.changes, row.rounds) == (0.5, 100, 10, 1, 2)
    assert (row.job, row.backend, row.model, row.mode) == ("extract", "claude", catalog.model("extract"), "delta")
    assert row.estimate > 0


def test_the_budget_of_the_day_ends_it_before_the_client_starts(stage: Stage) -> None:
    stage.stub([])
    stage.metered(**{"budget.dailyUsd": 0.4}).run_agent(stage.task())
    os.unlink(stage.seen_file)
    with pytest.raises(Unavailable, match="daily budget") as caught:
        stage.metered(**{"budget.dailyUsd": 0.4}).run_agent(stage.task())
    assert caught.value.kind == "budget" and not stage.seen_file.exists()
    assert outage.known(str(stage.config), "claude") is None


def test_a_fault_is_noted_and_success_forgets_it(stage: Stage) -> None:
    stage.stub([], "print('Not logged in \u00b7 Please run /login')")
    with pytest.raises(Unavailable):
        stage.metered().run_agent(stage.task())
    fault = outage.known(str(stage.config), "claude")
    assert fault is not None and fault.kind == "auth"
    [row] = ledger.since(str(stage.config), 0, 1e11)
    assert (row.outcome, row.usd) == ("auth", 0.0)
    stage.stub([])
    stage.metered().run_agent(stage.task())
    assert outage.known(str(stage.config), "claude") is None


def test_a_session_that_is_gone_is_no_fault_of_the_client(stage: Stage) -> None:
    stage.stub([], "sys.stderr.write('No conversation found with session ID: x'); sys.exit(1)")
    with pytest.raises(Unavailable) as caught:
        stage.metered().run_agent(stage.task())
    assert caught.value.kind == "session" and outage.known(str(stage.config), "claude") is None


def test_a_hanging_client_is_ended_in_its_time(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_run, "GRACE", 0.2)
    stage.stub([write(stage)], "import time; time.sleep(60)")
    outcome = stage.client().run_agent(Task("S", "P", str(stage.memory), (str(stage.project),), deadline=4))
    assert (outcome.stopped, len(outcome.changes)) == ("deadline", 1)


def test_what_takes_our_guard_away_takes_the_fork_away(stage: Stage) -> None:
    project = str(stage.project)
    assert thinkers.forkable("s", project, Settings({}, {}, [])) == ""
    assert "gone" in thinkers.forkable("s", project + "x", Settings({}, {}, []))
    for name in ("disableAllHooks", "allowManagedHooksOnly"):
        assert name in thinkers.forkable("s", project, Settings({name: True}, {}, []))
