"""The end of a sub-agent: its own transcript and its own memory, and nothing of its parent's session is moved."""
from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from lib.agents.seat import journals
from lib.journal import Journal
from tests.hooks.test_flow import PNPM, Person
from tests.support.registered import SESSION, Stage


@pytest.fixture
def reviewer(stage: Stage) -> Stage:
    """The project has an agent with a memory of its own."""
    folder = stage.project / ".claude" / "agents"
    folder.mkdir(parents=True)
    (folder / "reviewer.md").write_text("---\nname: reviewer\ndescription: reviews\nmemory: project\n---\nReview.\n")
    return stage


def ended(person: Person, **fields: Any) -> None:
    """A run of the agent ends; its own transcript is written before."""
    run = Path(person.transcript).parent / SESSION / "subagents" / "agent-a1.jsonl"
    run.parent.mkdir(parents=True, exist_ok=True)
    entry = json.loads(person.line("user", "Remember: always review the harbour module first"))
    run.write_text(json.dumps({**entry, "isSidechain": True, "agentId": "a1"}) + "\n")
    given = {"agent_id": "a1", "agent_type": "reviewer", "agent_transcript_path": str(run), **fields}
    ran = person.hook("SubagentStop", **given)
    assert ran.out == b""
    person.stage.settle()


def of_parent(stage: Stage) -> Journal:
    (found,) = (path for path in stage.own.glob("projects/*/journal") if path.is_dir())
    return Journal(str(found.parent), SESSION)


def test_the_end_of_a_sub_agent_counts_for_its_own_run_and_moves_nothing_of_its_parents(
    person: Person, reviewer: Stage
) -> None:
    person.turn(PNPM)
    ended(person)
    parent = of_parent(reviewer)
    assert [event["e"] for event in parent.events()] == ["recall", "agent"]
    assert (parent.state().due, parent.state().cursor) == (-1, -1) and person.memories() == {}
    state = os.path.dirname(parent.folder)
    own = Journal(journals(state), f"{SESSION}.a1").state()
    assert own.transcript.endswith("agent-a1.jsonl") and own.due > 0
    # The parent's own turn is looked at when the parent's turn ends.
    person.stop()
    reviewer.settle()
    assert "use-pnpm.md" in person.memories()


def test_the_parents_transcript_never_stands_for_a_sub_agents(person: Person, reviewer: Stage) -> None:
    person.turn(PNPM)
    for path in ("", str(person.transcript), str(person.transcript.with_name("gone.jsonl")), None, 7):
        ended(person, agent_transcript_path=path)
    parent = of_parent(reviewer)
    told = [event["reason"] for event in parent.events() if event["e"] == "agent"]
    assert told == ["no_agent_transcript", "parents_transcript", *["no_agent_transcript"] * 3]
    assert parent.state().due == -1 and not os.path.exists(journals(os.path.dirname(parent.folder)))
