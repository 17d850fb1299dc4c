"""One call, one result; and the tool list as the API gets it."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lib.model.stream import Call
from lib.model.tools import RESULT_CHARACTERS, Result, run, schemas
from tests.model.conftest import Room

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
KEYS = ["file_path", "path", "pattern", "glob", "offset", "limit", "old_string", "new_string", "content", "output_mode"]


def test_the_tool_list_is_the_same_bytes_every_time_and_small() -> None:
    assert json.dumps(schemas()) == json.dumps(schemas())
    assert [tool["name"] for tool in schemas()] == ["Read", "Grep", "Glob", "Bash", "Edit", "Write"]
    assert len(json.dumps(schemas())) < 3000


def test_a_call_that_is_not_allowed_is_refused_and_its_tool_never_runs(room: Room) -> None:
    result = run(Call("1", "Write", {"file_path": "/etc/x.md", "content": "x"}), room.sandbox())
    assert result.error and result.refused and "outside the memory directory" in result.text
    result = run(Call("1", "Bash", {"command": "touch x"}), room.sandbox())
    assert result.error and result.refused


def test_a_call_with_broken_input_is_an_error_to_mend(room: Room) -> None:
    result = run(Call("1", "Write", None), room.sandbox())
    assert result == Result("The tool's input was not one JSON object; send it again, complete.", error=True)


def test_a_fault_of_the_call_is_an_error_and_no_refusal(room: Room) -> None:
    result = run(Call("1", "Read", {"file_path": "none.md"}), room.sandbox())
    assert result.error and not result.refused


def test_a_long_result_is_cut(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(200):
        (room.project / f"{number}-{'x' * 200}.txt").write_text("")
    monkeypatch.setattr("lib.model.tools.RESULT_CHARACTERS", 1000)
    text = run(Call("1", "Glob", {"pattern": "*.txt"}), room.sandbox()).text
    assert len(text) == 1000 + len("\n(cut; ask for less)") < RESULT_CHARACTERS


@pytest.mark.heavy
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(st.sampled_from(["Read", "Grep", "Glob", "Edit", "Write", "Bash"]), st.dictionaries(st.sampled_from(KEYS), JSON))
def test_no_input_raises_and_every_result_says_something(room: Room, name: str, tool_input: dict[str, object]) -> None:
    sandbox = room.sandbox()
    result = run(Call("1", name, tool_input), sandbox)
    assert result.text
    assert (room.outside / "secret.txt").read_text() not in result.text
    assert sorted(p.name for p in room.memory.iterdir()) == ["a.md"]
