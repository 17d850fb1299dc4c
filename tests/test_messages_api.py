"""The scripted API must be believable: what is scripted is what a client reads, streamed or not."""
from __future__ import annotations

import http.client
import json
import urllib.parse
from typing import Any

import pytest

from tests.support.messages_api import (
    Body,
    MessagesAPI,
    Reply,
    from_sdk,
    main_loop,
    text,
    texts,
    tool_results,
    tool_use,
)

ASK = {"model": "claude-test", "messages": [{"role": "user", "content": "hello"}]}


def send(api: MessagesAPI, body: dict[str, Any], *, method: str = "POST", path: str = "/v1/messages?beta=true",
         headers: dict[str, str] | None = None) -> tuple[int, str, str]:
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(api.url).netloc, timeout=10)
    try:
        connection.request(method, path, json.dumps(body), headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers.get("content-type", ""), answer.read().decode()
    finally:
        connection.close()


def events(stream: str) -> list[dict[str, Any]]:
    return [json.loads(line[6:]) for line in stream.splitlines() if line.startswith("data: ")]


def test_a_plain_request_gets_one_message() -> None:
    with MessagesAPI(lambda body: [text("hi"), tool_use("Read", {"file_path": "/x"})]) as api:
        status, kind, payload = send(api, ASK)
    message = json.loads(payload)
    assert (status, kind) == (200, "application/json")
    assert message["content"][0] == {"type": "text", "text": "hi"}
    assert message["content"][1]["input"] == {"file_path": "/x"}
    assert message["stop_reason"] == "tool_use"
    assert message["usage"]["cache_read_input_tokens"] == 0
    assert message["model"] == "claude-test"


@pytest.mark.parametrize("chunks", [1, 2, 7, 1000])
def test_a_stream_joins_to_what_was_scripted(chunks: int) -> None:
    reply = Reply([text("grün und 🙂"), tool_use("Write", {"content": "a\nb"})], chunks=chunks, last_chunk_empty=True)
    with MessagesAPI(lambda body: reply) as api:
        status, kind, payload = send(api, {**ASK, "stream": True})
    seen = events(payload)
    deltas = [event for event in seen if event["type"] == "content_block_delta"]
    assert (status, kind) == (200, "text/event-stream")
    assert "".join(d["delta"]["text"] for d in deltas if d["index"] == 0) == "grün und 🙂"
    assert json.loads("".join(d["delta"]["partial_json"] for d in deltas if d["index"] == 1)) == {"content": "a\nb"}
    assert [d["delta"].get("text") for d in deltas if d["index"] == 0][-1] == ""
    assert [seen[0]["type"], seen[-2]["type"], seen[-1]["type"]] == ["message_start", "message_delta", "message_stop"]
    assert seen[-2]["delta"]["stop_reason"] == "tool_use"


def test_a_dropped_stream_never_says_that_it_ended() -> None:
    with MessagesAPI(lambda body: Reply([text("half of it")], drop_stream=True)) as api:
        _, _, payload = send(api, {**ASK, "stream": True})
    kinds = [event["type"] for event in events(payload)]
    assert kinds[-1] == "content_block_delta"
    assert "message_stop" not in kinds


def test_a_scripted_status_comes_as_an_error_with_its_headers() -> None:
    reply = Reply(status=529, error_type="overloaded_error", headers={"retry-after": "0"})
    with MessagesAPI(lambda body: reply) as api:
        status, _, payload = send(api, {**ASK, "stream": True})
    assert status == 529
    assert json.loads(payload)["error"]["type"] == "overloaded_error"


def test_only_messages_is_served() -> None:
    with MessagesAPI(lambda body: [text("hi")]) as api:
        assert send(api, {}, method="HEAD", path="/")[0] == 200
        assert send(api, {}, method="GET", path="/v1/models")[0] == 404
        assert send(api, ASK, path="/v1/messages/count_tokens")[0] == 404
        assert send(api, ASK, path="/v1/messages")[0] == 200
    assert [request.path for request in api.requests] == ["/v1/messages"]


def test_a_script_that_raises_fails_the_test_that_scripted_it() -> None:
    def script(body: Body) -> Reply:
        raise LookupError("no such scene")

    with pytest.raises(LookupError, match="no such scene"), MessagesAPI(script) as api:
        assert send(api, ASK)[0] == 500


def test_requests_are_kept_in_order_and_can_be_waited_for() -> None:
    with MessagesAPI(lambda body: [text("hi")]) as api:
        send(api, {**ASK, "model": "one"})
        send(api, {**ASK, "model": "two"}, headers={"User-Agent": "Anthropic/Python 2.0"})
        found = api.wait_for(lambda request: request.body["model"] == "two", seconds=5)
        assert api.wait_for(lambda request: False, seconds=0.01) is None
    assert found is api.requests[1]
    assert from_sdk(found.body)
    assert not from_sdk(api.requests[0].body)


def test_the_main_loop_is_known_by_its_tools() -> None:
    tools = [{"name": name} for name in ("Bash", "Read", "Edit", "Write")]
    assert main_loop(Body(tools=tools))
    assert not main_loop(Body(tools=tools[:2]))
    assert not main_loop(Body())


def test_texts_are_found_wherever_a_request_carries_them() -> None:
    result = {"type": "tool_result", "tool_use_id": "t", "content": [text("three")]}
    messages = [{"role": "user", "content": "two"}, {"role": "user", "content": [result, text("four")]}]
    body = Body(system=[text("one")], messages=[*messages, {"role": "assistant", "content": [text("five")]}])
    assert texts(body) == ["one", "two", "three", "four", "five"]
    assert texts(body, role="user") == ["two", "three", "four"]
    assert tool_results(Body(messages=messages)) == [result]
    assert tool_results(body) == []
