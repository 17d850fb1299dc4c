"""From the end of a turn to the start after a compaction, each hook a process of its own as registered."""
from __future__ import annotations

import json
from typing import Any

import pytest

from lib.host.registration import HOOKS
from tests.support.registered import SESSION, Ran, Stage
from tests.support.rows import jsonl, model, person

BY_TITLE = {hook.title: hook for hook in HOOKS}
LONG = "Fix the parser in src/parse.py. " + "It has to read old files as well. " * 1_200
PAGES = ("SessionStart 1", "SessionStart 2", "SessionStart 3")


@pytest.fixture
def talk(stage: Stage) -> Stage:
    stage.config.mkdir(parents=True, exist_ok=True)
    (stage.config / "settings.json").write_text(json.dumps({"memoryHooks": {"backend": "rules"}}))
    stage.transcript.parent.mkdir(parents=True)
    stage.transcript.write_bytes(jsonl(person(1, None, LONG), model(2, 1, "The parser reads them now.")))
    return stage


def run(stage: Stage, title: str, env: dict[str, str] | None = None, **fields: Any) -> Ran:
    hook = BY_TITLE[title]
    ran = stage.run(hook, json.dumps(stage.payload(hook.event, **fields)).encode(), env=env)
    assert ran.harm() == ""
    return ran


def summary(stage: Stage) -> str:
    path = stage.transcript.with_suffix("") / "session-memory" / "summary.md"
    return path.read_text() if path.exists() else ""


@pytest.mark.parametrize("title", ["Stop", "PreCompact"])
def test_the_worker_writes_what_a_hook_found_due(talk: Stage, title: str) -> None:
    assert run(talk, title).out == b""
    talk.settle()
    assert "- Fix the parser in src/parse.py." in summary(talk)
    assert talk.log() == []


def test_after_compaction_one_page_gives_it_back(talk: Stage) -> None:
    run(talk, "Stop")
    talk.settle()
    told = [run(talk, title, source="compact").context for title in PAGES]
    assert "| - Fix the parser in src/parse.py." in told[0]
    assert told[1:] == ["", ""]
    assert [event["reason"] for event in talk.journal() if event["e"] == "recap"] == ["delivered"]


@pytest.mark.parametrize("source", ["startup", "resume", "clear"])
def test_at_another_start_nobody_does(talk: Stage, source: str) -> None:
    run(talk, "Stop")
    talk.settle()
    assert [run(talk, title, source=source).context for title in PAGES] == ["", "", ""]
    talk.settle()


def test_where_the_host_does_not_load_the_index_it_follows_the_summary(talk: Stage) -> None:
    run(talk, "Stop")
    talk.settle()
    talk.memory.mkdir(parents=True, exist_ok=True)
    (talk.memory / "tabs.md").write_text("---\nname: tabs\ndescription: Use tabs\ntype: feedback\n---\nUse tabs.\n")
    (talk.memory / "MEMORY.md").write_text("- [Tabs](tabs.md) — use tabs\n")
    env = talk.environment(CLAUDECODE=None)
    told = [run(talk, title, env, source="compact").context for title in PAGES]
    assert "Fix the parser" in told[0] and "(tabs.md)" in told[1] and told[2] == ""


def test_two_sessions_of_one_project_have_a_summary_each(talk: Stage) -> None:
    other = "4a0c4b1e-9d43-4c57-9e3f-0d7f0b9c2a12"
    second = talk.transcript.with_name(f"{other}.jsonl")
    second.write_bytes(jsonl(person(1, None, LONG.replace("parser", "lexer")), model(2, 1, "Done.")))
    run(talk, "Stop")
    run(talk, "Stop", session_id=other, transcript_path=str(second))
    talk.settle()
    for session, word in ((SESSION, "parser"), (other, "lexer")):
        text = (talk.transcript.with_name(session) / "session-memory" / "summary.md").read_text()
        assert f"- Fix the {word} in src/parse.py." in text
