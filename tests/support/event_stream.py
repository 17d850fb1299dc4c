"""What a scripted model says, and its wire forms: one JSON message, or the same message as server-sent events."""
from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Block = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """What the model answers: `delay` in seconds before the first byte; `chunks` deltas a block when streamed."""

    blocks: list[Block] = field(default_factory=list)
    stop_reason: str | None = None
    status: int = 200
    usage: Mapping[str, Any] = field(default_factory=dict)
    chunks: int = 2
    last_chunk_empty: bool = False
    drop_stream: bool = False
    delay: float = 0.0
    headers: Mapping[str, str] = field(default_factory=dict)
    error_type: str = "api_error"


def text(words: str) -> Block:
    return {"type": "text", "text": words}


def tool_use(name: str, input: Mapping[str, Any]) -> Block:
    return {"type": "tool_use", "id": f"toolu_{uuid.uuid4().hex[:24]}", "name": name, "input": dict(input)}


def error(kind: str, message: str) -> bytes:
    return json.dumps({"type": "error", "error": {"type": kind, "message": message}}).encode()


def message(model: str, reply: Reply) -> dict[str, Any]:
    """The whole message as an API that does not stream answers it; the stop reason follows from the blocks."""
    uses_tool = any(block["type"] == "tool_use" for block in reply.blocks)
    return {
        "id": f"msg_{uuid.uuid4().hex[:24]}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": reply.blocks,
        "stop_reason": reply.stop_reason or ("tool_use" if uses_tool else "end_turn"),
        "stop_sequence": None,
        "usage": {
            "input_tokens": 10,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
            "output_tokens": 5,
            "service_tier": "standard",
            **reply.usage,
        },
    }


def events(whole: Mapping[str, Any], reply: Reply) -> Iterator[dict[str, Any]]:
    """The server-sent events of one message; a dropped stream ends after the first delta."""
    usage = {**whole["usage"], "output_tokens": 1}
    yield {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None, "usage": usage}}
    yield {"type": "ping"}
    for index, block in enumerate(whole["content"]):
        opening, delta, words = _streamed(block)
        yield {"type": "content_block_start", "index": index, "content_block": {**block, **opening}}
        for piece in _pieces(words, reply):
            yield {"type": "content_block_delta", "index": index, "delta": {**delta, _payload_key(delta): piece}}
            if reply.drop_stream:
                return
        yield {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": whole["usage"]}
    yield {"type": "message_stop"}


def _streamed(block: Block) -> tuple[Block, Block, str]:
    """What the block's start shows instead of its content, the frame of a delta, and the text to cut up."""
    if block["type"] == "tool_use":
        return {"input": {}}, {"type": "input_json_delta"}, json.dumps(block["input"])
    return {"text": ""}, {"type": "text_delta"}, block["text"]


def _payload_key(delta: Block) -> str:
    return "partial_json" if delta["type"] == "input_json_delta" else "text"


def _pieces(words: str, reply: Reply) -> Iterator[str]:
    step = max(1, -(-len(words) // max(1, reply.chunks)))
    for start in range(0, len(words), step):
        yield words[start : start + step]
    if reply.last_chunk_empty:
        yield ""
