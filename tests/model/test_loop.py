"""The tool loop, with a model that follows a script and no SDK."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from lib.model.loop import run_task
from lib.model.stream import Call, Reply
from lib.model.task import Change, Outcome, Task, Unavailable, Usage
from tests.model.conftest import Room

Step = Reply | Unavailable | Callable[[Mapping[str, Any]], Reply]


class Script:
    """A client that answers step by step and keeps what it was sent, as bytes."""

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.sent: list[dict[str, Any]] = []
        self.deadlines: list[float] = []

    def send(self, request: Mapping[str, object], *, deadline: float) -> Reply:
        self.sent.append(json.loads(json.dumps(request)))
        self.deadlines.append(deadline)
        step = self.steps[min(len(self.sent), len(self.steps)) - 1]
        if isinstance(step, Unavailable):
            raise step
        return step if isinstance(step, Reply) else step(request)


def calls(*tools: tuple[str, dict[str, object] | None], stop: str = "tool_use", text: str = "") -> Reply:
    made = tuple(Call(f"t{number}", name, tool_input) for number, (name, tool_input) in enumerate(tools))
    said: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    blocks = (*said, *({"type": "tool_use", "id": c.id, "name": c.name, "input": dict(c.input or {})} for c in made))
    return Reply(text, made, blocks, stop, Usage(10, 5, 3, 1))


def says(text: str, stop: str = "end_turn") -> Reply:
    return Reply(text, (), ({"type": "text", "text": text},), stop, Usage(10, 5))


def read(path: str) -> tuple[str, dict[str, object] | None]:
    return "Read", {"file_path": path}


def write(path: str, content: str = "fact\n") -> tuple[str, dict[str, object] | None]:
    return "Write", {"file_path": path, "content": content}


def run(room: Room, script: Script, **more: Any) -> Outcome:
    task = Task("SYSTEM", "PROMPT", str(room.memory), (str(room.project),), **more)
    return run_task(script, task)


def results(request: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [block for block in request["messages"][-1]["content"] if block["type"] == "tool_result"]


def test_round_one_reads_round_two_writes_and_the_outcome_holds_the_whole_texts(room: Room) -> None:
    (room.memory / "b.md").write_text("bee\n")
    edit: tuple[str, dict[str, object]] = ("Edit", {"file_path": "b.md", "old_string": "bee", "new_string": "wasp"})
    script = Script(calls(read("a.md"), read("b.md")), calls(write("new.md"), edit), says("saved"))
    outcome = run(room, script)
    assert outcome.changes == (Change("new.md", "fact\n", None), Change("b.md", "wasp\n", "bee\n"))
    assert (outcome.turns, outcome.stopped, outcome.text, outcome.refusals) == (3, "end_turn", "saved", ())
    assert outcome.usage == Usage(30, 15, 6, 2)
    assert (room.memory / "b.md").read_text() == "bee\n"


def test_all_results_of_a_round_stand_in_one_message_in_the_order_of_the_calls(room: Room) -> None:
    script = Script(calls(read("a.md"), read("none.md"), ("Bash", {"command": "touch x"})), says("ok"))
    run(room, script)
    assert [message["role"] for message in script.sent[1]["messages"]] == ["user", "assistant", "user"]
    answers = results(script.sent[1])
    assert [answer["tool_use_id"] for answer in answers] == ["t0", "t1", "t2"]
    assert [answer.get("is_error", False) for answer in answers] == [False, True, True]
    assert "one fact" in answers[0]["content"]


def test_a_later_round_sees_what_an_earlier_one_staged(room: Room) -> None:
    script = Script(calls(write("new.md", "needle")), calls(read("new.md")), says("ok"))
    run(room, script)
    assert results(script.sent[2])[0]["content"] == "     1\tneedle"


def test_the_loop_ends_after_its_turns_and_keeps_what_the_last_one_wrote(room: Room) -> None:
    rounds = iter(range(100))
    script = Script(lambda request: calls(write(f"n{next(rounds)}.md")))
    outcome = run(room, script, max_turns=5)
    assert (len(script.sent), outcome.turns, outcome.stopped) == (5, 5, "max_turns")
    assert [change.file for change in outcome.changes] == ["n0.md", "n1.md", "n2.md", "n3.md", "n4.md"]


def test_the_model_is_told_when_one_round_is_left(room: Room) -> None:
    script = Script(calls(read("a.md")))
    run(room, script, max_turns=3)
    told = [[b["text"] for b in request["messages"][-1]["content"] if b["type"] == "text"] for request in script.sent]
    assert told == [["PROMPT"], [], ["One round is left: save what is worth keeping now, or stop."]]


def test_a_reply_cut_off_in_a_call_is_not_acted_on(room: Room) -> None:
    script = Script(calls(write("one.md")), calls(write("two.md"), write("three.md"), stop="max_tokens"))
    outcome = run(room, script)
    assert outcome.stopped == "max_tokens"
    assert [change.file for change in outcome.changes] == ["one.md"]


def test_a_refusal_drops_everything_that_was_staged(room: Room) -> None:
    outcome = run(room, Script(calls(write("one.md")), says("no", stop="refusal")))
    assert (outcome.stopped, outcome.changes) == ("refusal", ())


@pytest.mark.parametrize("stop", ["pause_turn", "model_context_window_exceeded", "something_new"])
def test_a_stop_reason_that_is_not_known_ends_the_run(room: Room, stop: str) -> None:
    script = Script(calls(write("one.md"), stop=stop))
    outcome = run(room, script)
    assert (outcome.stopped, outcome.changes, len(script.sent)) == (stop, (), 1)


def test_a_stop_for_tools_without_a_call_ends_the_run(room: Room) -> None:
    assert run(room, Script(says("hm", stop="tool_use"))).stopped == "end_turn"


def test_a_call_with_broken_json_is_answered_and_may_be_sent_again(room: Room) -> None:
    script = Script(calls(("Write", None)), calls(write("new.md")), says("ok"))
    outcome = run(room, script)
    assert results(script.sent[1])[0]["is_error"] is True
    assert [change.file for change in outcome.changes] == ["new.md"]


def test_refused_calls_are_kept_for_the_journal(room: Room) -> None:
    script = Script(calls(("Bash", {"command": "rm -rf /"}), write("/etc/x.md"), read("none.md")), says("ok"))
    refusals = run(room, script).refusals
    assert [refusal.partition(":")[0] for refusal in refusals] == ["Bash", "Write"]


def test_an_api_that_fails_at_once_is_unavailable(room: Room) -> None:
    with pytest.raises(Unavailable) as caught:
        run(room, Script(Unavailable("the API answered 529", "overloaded")))
    assert caught.value.kind == "overloaded"


def test_an_api_that_fails_later_says_what_was_spent(room: Room) -> None:
    with pytest.raises(Unavailable) as caught:
        run(room, Script(calls(read("a.md")), Unavailable("gone", "network", Usage(output=2))))
    assert caught.value.usage == Usage(10, 7, 3, 1)


def test_an_api_that_fails_after_a_write_leaves_what_was_staged(room: Room) -> None:
    outcome = run(room, Script(calls(write("new.md")), Unavailable("gone", "network")))
    assert (outcome.stopped, outcome.reason) == ("unavailable", "gone")
    assert [change.file for change in outcome.changes] == ["new.md"]


def test_the_deadline_ends_the_run_between_rounds_and_within_one(room: Room) -> None:
    now = [0.0]

    def slow(request: Mapping[str, Any]) -> Reply:
        now[0] += 6
        return calls(write(f"n{now[0]:.0f}.md"))

    script = Script(slow)
    task = Task("S", "P", str(room.memory), (), deadline=10)
    outcome = run_task(script, task, clock=lambda: now[0])
    assert (outcome.stopped, outcome.turns, script.deadlines) == ("deadline", 2, [10, 4])
    assert len(outcome.changes) == 2
    silent = Script(Unavailable("no answer within 10 s", "deadline"))
    assert run_task(silent, task).stopped == "deadline"


def test_a_flood_of_calls_is_answered_one_by_one_and_mostly_not_run(room: Room) -> None:
    script = Script(calls(*[read("a.md")] * 200), says("ok"))
    run(room, script)
    answers = results(script.sent[1])
    assert len(answers) == 200
    assert sum(answer.get("is_error", False) for answer in answers) == 200 - 64


def test_huge_results_end_the_round_early(room: Room) -> None:
    (room.project / "big.txt").write_text(("x" * 1000 + "\n") * 900)
    script = Script(calls(*[read(str(room.project / "big.txt"))] * 20), says("ok"))
    run(room, script)
    assert sum(len(answer["content"]) for answer in results(script.sent[1])) < 300_000


def unmarked(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: unmarked(inner) for key, inner in value.items() if key != "cache_control"}
    return [unmarked(inner) for inner in value] if isinstance(value, list) else value


def test_every_round_repeats_the_one_before_byte_for_byte(room: Room) -> None:
    script = Script(calls(read("a.md"), text="let me look"))
    run(room, script, max_turns=5)
    assert len(script.sent) == 5
    for before, after in zip(script.sent, script.sent[1:], strict=False):
        assert json.dumps(after["tools"]) == json.dumps(before["tools"])
        assert json.dumps(after["system"]) == json.dumps(before["system"])
        kept = after["messages"][: len(before["messages"])]
        assert json.dumps(unmarked(kept)) == json.dumps(unmarked(before["messages"]))


def test_in_the_three_rounds_of_a_usual_run_the_cache_marks_stay_where_they_are(room: Room) -> None:
    script = Script(calls(read("a.md")))
    run(room, script, max_turns=3)
    for before, after in zip(script.sent, script.sent[1:], strict=False):
        assert after["messages"][: len(before["messages"])] == before["messages"]


def test_at_most_four_cache_marks_stand_in_a_request_and_the_last_block_has_one(room: Room) -> None:
    script = Script(calls(read("a.md"), read("a.md")))
    run(room, script, max_turns=5)
    for request in script.sent:
        assert 2 <= json.dumps(request).count('"cache_control"') <= 4
        assert "cache_control" in request["system"][-1]
        assert "cache_control" in request["messages"][-1]["content"][-1]
    marked = [i for i, message in enumerate(script.sent[4]["messages"]) if "cache_control" in json.dumps(message)]
    assert marked == [0, 6, 8]
