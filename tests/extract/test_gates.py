"""The gates in their order: every combination of facts has exactly one answer, and the first no names itself."""
from __future__ import annotations

import itertools

import pytest

from lib.extract import gates
from lib.journal import Run, Skip

# (human spoke, memory written) of each turn since the cursor -> the last gate's answer
TURNS: dict[str, tuple[list[tuple[bool, bool]] | None, str]] = {
    "unread": (None, ""),
    "none": ([], "no_human_text"),
    "nobody spoke": ([(False, False)], "no_human_text"),
    "nobody spoke, a memory was written": ([(False, True)], "no_human_text"),
    "a person spoke": ([(True, False)], ""),
    "a person spoke, a memory was written": ([(True, True)], "memory_tool"),
    "each turn has its memory": ([(True, True), (True, True)], "memory_tool"),
    "one of two turns has no memory": ([(True, True), (True, False)], ""),
    "the memory belongs to a turn that nobody began": ([(False, True), (True, False)], ""),
    "what nobody said needs no memory": ([(True, True), (False, False)], "memory_tool"),
}


@pytest.mark.parametrize(("stops", "every"), [(1, 0), (1, 1), (2, 1), (1, 2), (2, 2), (2, 3), (3, 3)])
@pytest.mark.parametrize("off", ["", "disabled", "paused"])
@pytest.mark.parametrize("main_agent", [True, False])
def test_the_first_gate_that_says_no_is_the_reason(main_agent: bool, off: str, stops: int, every: int) -> None:
    for name, (spoken, last) in TURNS.items():
        verdict = gates.decide(main_agent=main_agent, off=off, stops=stops, every=every, turns=spoken)
        expected = "not_main_agent" if not main_agent else off or ("frequency" if stops < every else last)
        assert (name, verdict.reason) == (name, expected)
        assert isinstance(verdict, Skip if expected else Run)


def test_only_answers_about_the_turn_itself_are_final() -> None:
    every_reason = {last for _, last in TURNS.values()} | {"not_main_agent", "disabled", "paused", "frequency"} - {""}
    assert gates.SETTLED & every_reason == {"disabled", "paused", "memory_tool", "no_human_text"}
    # a turn that waits for its number is looked at later
    assert "frequency" not in gates.SETTLED and "not_main_agent" not in gates.SETTLED


def test_every_nth_turn_runs_whatever_n_is() -> None:
    for every in range(1, 6):
        ran = []
        stops = 0
        for turn in itertools.islice(itertools.count(1), 12):
            stops += 1
            if isinstance(gates.decide(main_agent=True, off="", stops=stops, every=every, turns=[(True, False)]), Run):
                ran.append(turn)
                stops = 0
        assert ran == [turn for turn in range(1, 13) if turn % every == 0]
