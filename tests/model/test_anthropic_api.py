"""The real SDK against a scripted API on loopback."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from lib.model.anthropic_api import AnthropicAPI
from lib.model.task import Change, Request, Task, Unavailable, Usage
from tests.model.conftest import Room
from tests.support.messages_api import Block, Body, MessagesAPI, Reply, text, tool_results, tool_use

KEY = "sk-not-a-key-0123456789"
ASK = Request("SYSTEM", "PROMPT", deadline=20)


def backend(api: MessagesAPI, **more: Any) -> AnthropicAPI:
    env = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": api.url}
    return AnthropicAPI("claude-test", env, backoff=(0.01, 0.01), **more)


def one_after_another(*replies: Reply | list[Block]) -> Iterator[Reply | list[Block]]:
    yield from replies
    while True:
        yield replies[-1]


def script(*replies: Reply | list[Block]) -> Any:
    coming = one_after_another(*replies)
    return lambda body: next(coming)


def task(room: Room, **more: Any) -> Task:
    return Task("SYSTEM", "PROMPT", str(room.memory), (str(room.project),), **more)


def test_a_run_of_several_rounds_with_parallel_calls(room: Room) -> None:
    def model(body: Body) -> list[Block]:
        done = tool_results(body)
        if not done:
            return [text("looking"), tool_use("Read", {"file_path": "a.md"}), tool_use("Glob", {"pattern": "*.py"})]
        if len(done) == 2:
            assert "one fact" in done[0]["content"] and "app.py" in done[1]["content"]
            edit = {"file_path": "a.md", "old_string": "one fact", "new_string": "two facts"}
            return [
                tool_use("Edit", edit),
                tool_use("Write", {"file_path": "b.md", "content": "x"}),
                tool_use("Bash", {}),
            ]
        return [text("saved")]

    with MessagesAPI(model) as api:
        outcome = backend(api).run_agent(task(room))
    assert outcome.changes == (
        Change("a.md", "---\nname: a\n---\ntwo facts\n", "---\nname: a\n---\none fact\n"),
        Change("b.md", "x", None),
    )
    assert (outcome.turns, outcome.stopped, outcome.text) == (3, "end_turn", "looking\nsaved")
    assert outcome.usage == Usage(input=30, output=15)
    assert len(outcome.refusals) == 1
    sent = api.requests[2].body
    assert sent["model"] == "claude-test" and sent["stream"] is True
    assert any(KEY in value for value in api.requests[0].headers.values())


def test_the_prefix_on_the_wire_is_the_same_bytes_in_every_round(room: Room) -> None:
    with MessagesAPI(
        script([tool_use("Read", {"file_path": "a.md"})], [tool_use("Glob", {"pattern": "*"})], [text("ok")])
    ) as api:
        backend(api).run_agent(task(room))
    bodies = [request.body for request in api.requests]
    assert len(bodies) == 3
    for before, after in zip(bodies, bodies[1:], strict=False):
        for part in ("tools", "system"):
            assert json.dumps(after[part]) == json.dumps(before[part])
        assert json.dumps(after["messages"][: len(before["messages"])]) == json.dumps(before["messages"])
    assert bodies[0]["system"][0]["cache_control"] == {"type": "ephemeral"}


@pytest.mark.parametrize("chunks", [1, 2, 50])
def test_all_chunks_count_and_the_last_may_be_empty(chunks: int) -> None:
    with MessagesAPI(script(Reply([text("every "), text("word")], chunks=chunks, last_chunk_empty=True))) as api:
        assert backend(api).complete(ASK).text == "every word"


def test_an_answer_carries_its_usage_and_its_stop_reason() -> None:
    usage = {"input_tokens": 4, "output_tokens": 9, "cache_read_input_tokens": 100}
    with MessagesAPI(script(Reply([text("cut")], stop_reason="max_tokens", usage=usage))) as api:
        answer = backend(api).complete(ASK)
    assert (answer.text, answer.stopped, answer.usage) == ("cut", "max_tokens", Usage(4, 9, 100, 0))
    assert "tools" not in api.requests[0].body


def test_a_dropped_stream_is_asked_again_from_the_start() -> None:
    with MessagesAPI(script(Reply([text("half a word")], drop_stream=True), [text("whole")])) as api:
        assert backend(api).complete(ASK).text == "whole"
    assert len(api.requests) == 2


@pytest.mark.parametrize(
    ("status", "kind", "attempts"),
    [(401, "auth", 1), (403, "auth", 1), (400, "request", 1), (404, "request", 1), (413, "request", 1)]
    + [(429, "limit", 3), (500, "network", 3), (503, "overloaded", 3), (529, "overloaded", 3), (408, "network", 3)],
)
def test_a_status_is_tried_again_twice_when_that_can_help(status: int, kind: str, attempts: int) -> None:
    with MessagesAPI(script(Reply(status=status))) as api, pytest.raises(Unavailable) as caught:
        backend(api).complete(ASK)
    assert (caught.value.kind, len(api.requests)) == (kind, attempts)
    assert str(status) in caught.value.reason and KEY not in caught.value.reason


def test_an_api_that_recovers_answers() -> None:
    with MessagesAPI(script(Reply(status=529), Reply(status=500), [text("back")])) as api:
        assert backend(api).complete(ASK).text == "back"


def test_the_wait_that_the_server_asks_for_is_kept_when_it_is_short() -> None:
    slept: list[float] = []
    with MessagesAPI(script(Reply(status=429, headers={"retry-after": "3"}), [text("ok")])) as api:
        assert backend(api, sleep=slept.append).complete(ASK).text == "ok"
    assert slept == [3.0]


@pytest.mark.parametrize("seconds", ["3600", "19"])
def test_a_wait_that_is_too_long_is_not_waited_for(seconds: str) -> None:
    slept: list[float] = []
    with MessagesAPI(script(Reply(status=429, headers={"retry-after": seconds}))) as api, pytest.raises(Unavailable):
        backend(api, sleep=slept.append).complete(Request("S", "P", deadline=10))
    assert (slept, len(api.requests)) == ([], 1)


def test_a_server_that_says_nothing_is_left_at_the_deadline() -> None:
    with MessagesAPI(script(Reply([text("late")], delay=30))) as api, pytest.raises(Unavailable) as caught:
        backend(api).complete(Request("S", "P", deadline=1.5))
    assert caught.value.kind in ("deadline", "network")


def test_a_server_that_only_keeps_the_line_open_is_left_at_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    # A server that sends pings for ever defeats every timeout between two bytes; here the attempt itself hangs.
    with MessagesAPI(script([text("ok")])) as api:
        thinker = backend(api)
        monkeypatch.setattr(AnthropicAPI, "_attempt", lambda self, request, seconds: time.sleep(5))
        with pytest.raises(Unavailable, match="did not answer within 0 s") as caught:
            thinker.send({}, deadline=0.2)
    assert caught.value.kind == "deadline"


def test_nobody_listening_is_unavailable_after_the_retries() -> None:
    with MessagesAPI(script([text("ok")])) as api:
        thinker = backend(api)
    with pytest.raises(Unavailable) as caught:
        thinker.complete(ASK)
    assert caught.value.kind == "network"


def test_a_call_cut_by_the_token_limit_is_not_acted_on(room: Room) -> None:
    cut = Reply([tool_use("Write", {"file_path": "b.md", "content": "x"})], stop_reason="max_tokens")
    with MessagesAPI(script([tool_use("Write", {"file_path": "c.md", "content": "y"})], cut)) as api:
        outcome = backend(api).run_agent(task(room))
    assert (outcome.stopped, [change.file for change in outcome.changes]) == ("max_tokens", ["c.md"])


def test_a_refusal_leaves_nothing(room: Room) -> None:
    with MessagesAPI(script(Reply([text("I cannot")], stop_reason="refusal"))) as api:
        outcome = backend(api).run_agent(task(room))
    assert (outcome.stopped, outcome.changes, outcome.turns) == ("refusal", (), 1)


def test_a_block_of_an_unknown_kind_is_passed_over_and_not_sent_back(room: Room) -> None:
    odd: Block = {"type": "hologram", "text": "???", "beam": {"x": 1}}
    with MessagesAPI(script([odd, tool_use("Write", {"file_path": "b.md", "content": "x"})], [odd, text("ok")])) as api:
        outcome = backend(api).run_agent(task(room))
    assert (outcome.text, len(outcome.changes)) == ("ok", 1)
    assert [block["type"] for block in api.requests[1].body["messages"][1]["content"]] == ["tool_use"]


def test_an_answer_of_any_size_is_bounded() -> None:
    with MessagesAPI(script(Reply([text("x" * 1_100_000)], chunks=20))) as api, pytest.raises(Unavailable) as caught:
        backend(api).complete(Request("S", "P", deadline=60))
    assert "longer than" in caught.value.reason


def test_a_large_prompt_and_large_results_arrive(room: Room) -> None:
    (room.project / "big.txt").write_text("words " * 30_000)
    big = Task("S" * 100_000, "é" * 300_000, str(room.memory), (str(room.project),))
    with MessagesAPI(script([tool_use("Read", {"file_path": str(room.project / "big.txt")})], [text("ok")])) as api:
        assert backend(api).run_agent(big).text == "ok"
    assert api.requests[0].body["messages"][0]["content"][0]["text"] == "é" * 300_000


def test_without_a_key_nothing_is_sent() -> None:
    with MessagesAPI(script([text("ok")])) as api, pytest.raises(Unavailable) as caught:
        AnthropicAPI("m", {"ANTHROPIC_BASE_URL": api.url}).complete(ASK)
    assert (caught.value.kind, api.requests) == ("auth", [])


def test_the_environment_that_is_handed_in_counts_and_not_that_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-of-the-process")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    with MessagesAPI(script([text("ok")])) as api:
        env = {"ANTHROPIC_AUTH_TOKEN": "bearer-token", "ANTHROPIC_BASE_URL": api.url}
        assert AnthropicAPI("m", env).complete(ASK).text == "ok"
    assert api.requests[0].headers["authorization"] == "Bearer bearer-token"
    assert "sk-of-the-process" not in str(api.requests[0].headers)
