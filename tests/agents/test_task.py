"""The task of a run is found in the parent's transcript, the right one of several, or none is said to be it."""
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.agents import task
from tests.agents.conftest import RUN, Farm


def asked(farm: Farm, taken: tuple[str, ...] = (), agent: str = "reviewer") -> tuple[str, str]:
    return task.given(str(farm.parent), agent, RUN, taken)


def test_the_call_that_waits_is_the_one(farm: Farm) -> None:
    farm.spoke(farm.parent, farm.launched("First."), farm.answered("Report."), farm.launched("Second.", "toolu_2"))
    assert asked(farm) == ("toolu_2", "Second.")


def test_of_two_that_wait_each_run_gets_its_own(farm: Farm) -> None:
    farm.spoke(farm.parent, farm.launched("First."), farm.launched("Second.", "toolu_2"))
    assert asked(farm) == ("toolu_1", "First.")
    assert asked(farm, ("toolu_1",)) == ("toolu_2", "Second.")


def test_an_answer_that_names_the_run_decides(farm: Farm) -> None:
    farm.spoke(farm.parent, farm.launched("First."), farm.launched("Second.", "toolu_2"))
    farm.spoke(farm.parent, farm.answered(f"agentId: {RUN}", "toolu_2"))
    assert asked(farm) == ("toolu_2", "Second.")


def test_another_agent_s_call_is_nobody_s_task(farm: Farm) -> None:
    farm.spoke(farm.parent, farm.launched("First.", agent="planner"))
    assert asked(farm) == ("", "")


def test_without_a_transcript_there_is_no_task(farm: Farm) -> None:
    assert asked(farm) == ("", "")
    assert task.given("", "reviewer", RUN) == ("", "")
    assert task.given("/\0", "reviewer", RUN) == ("", "")


@given(st.binary(max_size=200))
def test_a_damaged_transcript_never_raises(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.jsonl"
    path.write_bytes(b'{"type":"assistant","message":{"content":[{"type":"tool_use"' + raw + b"\n" + raw)
    assert task.given(str(path), "reviewer", RUN) == ("", "")
