"""A run's end is judged by the main path's gates, in a journal of its own; each no has its name."""
from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from lib.agents import job, notices, schedule
from lib.agents.seat import Seat, journals
from lib.extract import exclusion, gates
from lib.journal import Journal
from lib.memory import written
from tests.agents.conftest import RUN, SESSION, Farm, memory

SAID = "Remember: always use pnpm here, npm corrupts the lockfile"


def stop(farm: Farm, run: str = RUN, **fields: Any) -> bool:
    given = {"agent_transcript_path": str(farm.run), "last_assistant_message": "Done.", "agent_id": run, **fields}
    call, seat = farm.seat("SubagentStop", **given)
    assert seat.scope is not None
    return schedule.ended(call, seat, seat.scope, gates.decide, exclusion.wrote_memory)


def reasons(farm: Farm) -> list[object]:
    return [event.get("reason") for event in Journal(farm.state, SESSION).events() if event["e"] == "agent"]


def own(farm: Farm, run: str = RUN) -> Journal:
    return Journal(journals(farm.state), f"{SESSION}.{run}")


def test_a_run_with_a_task_is_due_in_its_own_journal(farm: Farm) -> None:
    farm.agent()
    farm.worked(SAID, "Understood.")
    assert stop(farm)
    state = own(farm).state()
    assert state.pending and state.due == farm.run.stat().st_size and state.last_said == "Done."
    assert reasons(farm) == ["run"]
    # The session's own extraction has nothing to do with it.
    assert not Journal(farm.state, SESSION).state().pending
    assert job.due(farm.state) is not None


@pytest.mark.parametrize(
    ("named", "reason"),
    [("", "no_agent_transcript"), ("/nowhere/agent-x.jsonl", "no_agent_transcript"), ("relative.jsonl",) * 2,
     ("/\0.jsonl", "no_agent_transcript")],
)  # fmt: skip
def test_without_a_transcript_of_its_own_a_run_is_skipped_by_name(farm: Farm, named: str, reason: str) -> None:
    farm.agent()
    assert not stop(farm, agent_transcript_path=named)
    assert reasons(farm) == ["no_agent_transcript"]


def test_the_parent_s_transcript_is_never_taken_for_the_run_s(farm: Farm) -> None:
    farm.agent()
    farm.spoke(farm.parent, farm.entry("user", SAID, "p1"))
    assert not stop(farm, agent_transcript_path=str(farm.parent))
    assert reasons(farm) == ["parents_transcript"]


@pytest.mark.parametrize(
    "settings",
    [
        {"autoMemoryEnabled": False}, {"memoryHooks": {"enabled": False}},
        {"memoryHooks": {"extract": {"enabled": False}}},
    ],
)  # fmt: skip
def test_the_switches_count_here_as_well(farm: Farm, settings: dict[str, Any]) -> None:
    farm.agent()
    farm.worked(SAID)
    (farm.config / "settings.json").write_text(json.dumps(settings))
    assert not stop(farm)
    assert reasons(farm) == ["disabled"] and not own(farm).state().pending


def test_the_environment_s_switch_counts_here_as_well(farm: Farm) -> None:
    farm.agent()
    farm.worked(SAID)
    farm.env["CLAUDE_CODE_DISABLE_AUTO_MEMORY"] = "1"
    assert not stop(farm)
    assert reasons(farm) == ["disabled"]


@pytest.mark.parametrize("below", ["", "src"])
def test_a_run_that_wrote_its_memory_itself_is_left_alone(farm: Farm, below: str) -> None:
    farm.agent()
    farm.launch = farm.root / below
    farm.launch.mkdir(exist_ok=True)
    # Below the root the client names its own directory to the agent: that is a write of its memory, too.
    place = farm.launch / ".claude" / "agent-memory" / "reviewer" / "one.md"
    place.parent.mkdir(parents=True)
    place.write_text(memory("one", "The first fact"))
    use = {"type": "tool_use", "id": "t", "name": "Write", "input": {"file_path": str(place), "content": "x"}}
    farm.worked(SAID, "Saved.", use)
    assert stop(farm) is not bool(below)  # an index to be mended, no turn to be read
    assert reasons(farm) == ["memory_tool"]
    state = own(farm).state()
    assert state.due == -1 and state.index_stale is not bool(below)
    if not below:
        assert written.ours(farm.scope().state, farm.scope().memory, ["one.md"]) == ["one.md"]


def test_a_run_that_goes_on_is_read_from_where_it_was(farm: Farm) -> None:
    farm.agent()
    farm.worked(SAID)
    stop(farm)
    first = own(farm).state().due
    own(farm).append("extract", cursor=first, handled=first)
    assert not own(farm).state().pending
    farm.worked("Now look at the tests.")
    assert stop(farm) and own(farm).state().cursor == first
    assert own(farm).state().due > first


def test_two_runs_of_one_agent_that_end_at_once_lose_nothing(farm: Farm) -> None:
    farm.agent()
    farm.worked(SAID)
    ids = [f"a{n}" for n in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(lambda run: stop(farm, run), ids))
    assert all(own(farm, run).state().pending for run in ids)
    assert reasons(farm) == ["run"] * 8


def test_an_agent_without_a_memory_leaves_no_trace(farm: Farm) -> None:
    farm.agent(scope="")
    _, seat = farm.seat("SubagentStop")
    assert (seat.scope, seat.problem) == (None, "")
    assert not Path(farm.state).exists()


@pytest.mark.parametrize("agent", ["", None, 7])
def test_the_clients_own_helpers_have_no_type_and_leave_no_trace(farm: Farm, agent: object) -> None:
    farm.agent()
    _, seat = farm.seat("SubagentStop", agent_type=agent)
    assert (seat.scope, seat.problem) == (None, "")
    assert not Path(farm.state).exists()


@pytest.mark.parametrize("agent", ["../x", "a" * 300, "🐙"])
def test_a_bad_type_is_one_line_for_the_log_and_nothing_else(farm: Farm, agent: object) -> None:
    farm.agent()
    _, seat = farm.seat("SubagentStart", agent_type=agent)
    assert seat.scope is None and seat.problem and "\n" not in seat.problem
    assert not Path(farm.state).exists()


@pytest.mark.parametrize("id", ["", "../../x", "a/b", "a" * 200])
def test_an_id_that_is_no_file_name_is_refused(farm: Farm, id: str) -> None:
    farm.agent()
    _, seat = farm.seat(agent_id=id)
    assert seat.scope is None and "agent_id" in seat.problem


def test_a_start_knows_its_task_and_asks_for_a_new_snapshot(farm: Farm) -> None:
    farm.agent()
    farm.spoke(farm.parent, farm.launched("Review it."))
    folder = Path(farm.scope().snapshot)
    folder.mkdir(parents=True)
    (folder / "snapshot.json").write_text("{}")
    call, seat = farm.seat()
    assert seat.scope is not None
    assert schedule.began(call, seat, seat.scope) == ("toolu_1", "Review it.", True)
    assert [(agent, launch) for _, agent, launch in notices.asked(journals(farm.state))] == [
        ("reviewer", str(farm.launch))
    ]
    assert job.waits(farm.state)
    assert job.snapshots(farm.state, farm.env, set()) == []
    assert not job.waits(farm.state) and not notices.new(farm.scope())


def test_a_call_that_another_run_was_given_is_not_given_again(farm: Farm) -> None:
    farm.agent()
    farm.spoke(farm.parent, farm.launched("First."), farm.launched("Second.", "toolu_2"))
    for number, task in enumerate(("First.", "Second."), 1):
        call, seat = farm.seat(agent_id=f"a{number}")
        assert isinstance(seat, Seat) and seat.scope is not None
        id, text, _ = schedule.began(call, seat, seat.scope)
        Journal(call.state, SESSION).append("agent", at="start", task=id)
        assert text == task


def test_a_large_run_is_left_to_the_worker(farm: Farm, monkeypatch: pytest.MonkeyPatch) -> None:
    farm.agent()
    monkeypatch.setattr(schedule, "GLANCE", 100)
    farm.worked("x" * 200)
    assert stop(farm) and own(farm).state().due == os.stat(farm.run).st_size
