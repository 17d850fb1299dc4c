"""Assembling one reply from its stream."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.model.stream import StreamCut, assemble
from lib.model.task import Usage

Event = dict[str, Any]
START: Event = {"type": "message_start", "message": {"usage": {"input_tokens": 7, "output_tokens": 1}}}


def block(index: int, content: Event, *deltas: Event) -> Iterator[Event]:
    yield {"type": "content_block_start", "index": index, "content_block": content}
    for delta in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


def end(stop: str | None = "end_turn", **usage: int) -> list[Event]:
    return [
        {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 3, **usage}},
        {"type": "message_stop"},
    ]


def words(*pieces: str) -> Iterator[Event]:
    return block(0, {"type": "text", "text": ""}, *({"type": "text_delta", "text": piece} for piece in pieces))


@given(st.lists(st.text(max_size=8), max_size=8))
def test_the_text_is_every_chunk_joined_however_it_was_cut(pieces: list[str]) -> None:
    assert assemble([START, *words(*pieces), *end()]).text == "".join(pieces)


def test_an_empty_last_chunk_loses_nothing() -> None:
    assert assemble([START, *words("all of ", "it", ""), *end()]).text == "all of it"


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=4), st.integers(1, 7))
def test_the_input_of_a_call_is_its_json_however_it_was_cut(sent: dict[str, str], step: int) -> None:
    raw = json.dumps(sent)
    pieces = [{"type": "input_json_delta", "partial_json": raw[i : i + step]} for i in range(0, len(raw), step)]
    call = block(0, {"type": "tool_use", "id": "t1", "name": "Read", "input": {}}, *pieces)
    reply = assemble([START, *call, *end("tool_use")])
    assert [(c.id, c.name, c.input) for c in reply.calls] == [("t1", "Read", sent)]
    assert reply.blocks == ({"type": "tool_use", "id": "t1", "name": "Read", "input": sent},)


@pytest.mark.parametrize("raw", ['{"file_path": "a', "[1]", "null", "nonsense", "[" * 100_000])
def test_an_input_that_is_no_object_is_none_and_is_repeated_as_an_empty_one(raw: str) -> None:
    call = block(0, {"type": "tool_use", "id": "t", "name": "Read"}, {"type": "input_json_delta", "partial_json": raw})
    reply = assemble([START, *call, *end("tool_use")])
    assert reply.calls[0].input is None
    assert reply.blocks[0]["input"] == {}


def test_a_call_without_arguments_has_an_empty_input() -> None:
    call = block(0, {"type": "tool_use", "id": "t", "name": "Glob", "input": {}}, {"type": "input_json_delta"})
    assert assemble([START, *call, *end("tool_use")]).calls[0].input == {}


@pytest.mark.parametrize(
    "events",
    [[], [START], [START, *words("half")], [START, *words("half"), *end(None)], [START, {"type": "error"}, *end()]],
)
def test_a_stream_that_never_said_why_it_stopped_is_cut(events: list[Event]) -> None:
    with pytest.raises(StreamCut):
        assemble(events)


def test_an_error_event_keeps_its_message() -> None:
    with pytest.raises(StreamCut, match="Overloaded"):
        assemble([START, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}])


def test_a_reply_without_end_is_cut_off() -> None:
    with pytest.raises(StreamCut, match="1,000,000"):
        assemble([START, *words(*["x" * 100_000] * 11), *end()])


def test_thinking_is_repeated_with_its_signature_and_is_no_text() -> None:
    thought = block(
        0,
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "thinking_delta", "thinking": "so "},
        {"type": "thinking_delta", "thinking": "then"},
        {"type": "signature_delta", "signature": "c2ln"},
    )
    said = block(1, {"type": "text", "text": ""}, {"type": "text_delta", "text": "done"})
    reply = assemble([START, *thought, *said, *end()])
    assert reply.text == "done"
    assert reply.blocks[0] == {"type": "thinking", "thinking": "so then", "signature": "c2ln"}


def test_what_is_not_known_is_left_out_and_harms_nothing() -> None:
    odd = block(0, {"type": "hologram", "beam": 1}, {"type": "beam_delta", "beam": "z"})
    said = block(1, {"type": "text", "text": ""}, {"type": "text_delta", "text": "ok"}, {"type": "news_delta"})
    reply = assemble([START, {"type": "ping"}, {"type": "weather"}, *odd, *said, *end()])
    assert (reply.text, reply.blocks) == ("ok", ({"type": "text", "text": "ok"},))


def test_an_empty_text_block_is_not_repeated_because_the_api_refuses_it() -> None:
    assert assemble([START, *words(""), *end()]).blocks == ()


def test_the_later_count_of_tokens_wins_and_the_cache_is_counted_apart() -> None:
    reply = assemble([START, *words("x"), *end(cache_read_input_tokens=90, cache_creation_input_tokens=5)])
    assert reply.usage == Usage(input=7, output=3, cache_read=90, cache_write=5)


def test_counts_that_are_no_counts_are_left_out() -> None:
    strange: Event = {"type": "message_start", "message": {"usage": {"input_tokens": "7", "output_tokens": None}}}
    assert assemble([strange, *words("x"), *end(cache_read_input_tokens=-1)]).usage == Usage(output=3)
