"""status, cost and doctor: who thinks, why, for how much, and what is wrong, each said once."""
from __future__ import annotations

import os
import time
from pathlib import Path

from lib.journal import Journal
from lib.model import ledger, outage
from lib.model.ledger import Entry
from tests.cli.conftest import Desk

CONFIG = "CLAUDE_CONFIG_DIR"


def spent(usd: float, ago: float = 0.0, **fields: object) -> None:
    row = Entry(time.time() - ago, "/p/one", "extract", "claude", "claude-sonnet-5-5", usd=usd, **fields)  # type: ignore[arg-type]
    ledger.add(os.environ[CONFIG], row)


def test_status_names_the_backend_its_reason_and_the_last_run(desk: Desk) -> None:
    desk.put("otter", "The staging server is called otter")
    made = [["CREATE", "a", ""]]
    Journal(str(desk.state), "s1").append("extract", cursor=1, backend="rules", reason="x", changes=made)
    done = desk.run("status", PATH="/usr/bin:/bin")
    assert (done.returncode, done.stderr) == (0, "")
    assert "backend   rules:" in done.stdout and "ANTHROPIC_API_KEY" in done.stdout
    assert "memory    1 (1 project) in" in done.stdout and "rules, 1 change;" in done.stdout
    assert "$0.0000 of $1.00" in done.stdout


def test_status_says_a_fault_once_and_when_the_budget_is_used_up(desk: Desk) -> None:
    outage.failed(os.environ[CONFIG], "anthropic", "network", "the API could not be reached", time.time())
    spent(1.25)
    told = desk.run("status").stdout
    assert told.count("the API could not be reached") == 1
    assert "$1.2500 of $1.00 spent today: the rules think" in told


def test_cost_tells_day_week_project_job_and_estimates(desk: Desk) -> None:
    spent(0.25, mode="fork", estimate=0.2, input=1000, cache_read=9000, outcome="end_turn", changes=1)
    spent(0.5, ago=3 * 86_400, mode="delta")
    spent(4.0, ago=30 * 86_400)
    done = desk.run("cost")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("today      $0.2500  1 call (1,000 in, 0 out, 9,000 cache read, 0 cache written)")
    assert lines[1].startswith("7 days     $0.7500  2 calls")
    assert any(line.startswith("project    $0.7500") and line.endswith("/p/one") for line in lines)
    assert any("extract, claude fork" in line for line in lines)
    assert "estimated $0.2000, cost $0.2500; end_turn, 1 changes" in done.stdout


def test_cost_of_nothing_is_nothing(desk: Desk) -> None:
    assert desk.run("cost").stdout.startswith("today      $0.0000  0 calls")


def test_doctor_names_what_is_wrong_and_what_to_do(desk: Desk) -> None:
    desk.memory.parent.mkdir(parents=True)
    desk.memory.write_text("a file where a folder should be")
    (Path(os.environ[CONFIG]) / "settings.json").write_text('{"memoryHooks": {"backend": "anthropic"}}')
    done = desk.run("doctor")
    assert done.returncode == 1 and done.stderr == ""
    wrong = [line for line in done.stdout.splitlines() if line.startswith("WRONG")]
    assert any("memory directory" in line and "make it a folder" in line for line in wrong)
    assert any("backend" in line and "ANTHROPIC_API_KEY" in line for line in wrong)
    assert any("Stop" in line and "install.py" in line for line in wrong)


def test_no_verb_prints_a_key(desk: Desk) -> None:
    for verb in ("status", "doctor", "cost"):
        done = desk.run(verb, ANTHROPIC_API_KEY="sk-ant-made-up-for-this-test")
        assert "made-up-for-this-test" not in done.stdout + done.stderr
    assert "ANTHROPIC_API_KEY is set" in desk.run("doctor", ANTHROPIC_API_KEY="sk-ant-x").stdout
