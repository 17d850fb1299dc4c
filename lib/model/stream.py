"""One reply of the Messages API, assembled from every event of its stream. Req: B8.

Pure: plain dictionaries in, one `Reply` out. What we do not know is left out, never guessed at.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lib.model.task import Usage

REPLY_CHARACTERS = 1_000_000
REPLAYED = ("text", "tool_use", "thinking", "redacted_thinking")


class StreamCut(Exception):
    """The stream ended before the model said why it stopped, or grew beyond every use."""


@dataclass(frozen=True)
class Call:
    """A tool call; `input` is None when the model's JSON did not parse to an object."""

    id: str
    name: str
    input: Mapping[str, object] | None


@dataclass(frozen=True)
class Reply:
    """One assistant message: its text, its tool calls, and `blocks`, what the next request must repeat of it."""

    text: str
    calls: tuple[Call, ...]
    blocks: tuple[dict[str, Any], ...]
    stop: str
    usage: Usage


def assemble(events: Iterable[Mapping[str, Any]]) -> Reply:
    """Join all chunks of a stream; the last ones may be empty. Raises StreamCut when no stop reason came."""
    blocks: dict[int, dict[str, Any]] = {}
    pieces: dict[int, list[str]] = {}
    stop, usage, size = "", Usage(), 0
    for event in events:
        kind, index = event.get("type"), event.get("index", 0)
        if kind == "message_start":
            usage = _usage(_object(event.get("message")).get("usage"), usage)
        elif kind == "content_block_start":
            blocks[index] = dict(_object(event.get("content_block")))
            pieces[index] = []
        elif kind == "content_block_delta" and index in blocks:
            size += _add(_object(event.get("delta")), blocks[index], pieces[index])
            if size > REPLY_CHARACTERS:
                raise StreamCut(f"the reply is longer than {REPLY_CHARACTERS:,} characters")
        elif kind == "message_delta":
            stop = _object(event.get("delta")).get("stop_reason") or stop
            usage = _usage(event.get("usage"), usage)
        elif kind == "error":
            raise StreamCut(str(_object(event.get("error")).get("message") or "the stream carried an error"))
    if not stop:
        raise StreamCut("the stream ended before the reply did")
    return _reply([_closed(blocks[i], pieces[i]) for i in sorted(blocks)], stop, usage)


def _add(delta: Mapping[str, Any], block: dict[str, Any], pieces: list[str]) -> int:
    """Put one delta where it belongs; returns the characters it brought."""
    kind = delta.get("type")
    for name, key in (("text_delta", "text"), ("thinking_delta", "thinking"), ("signature_delta", "signature")):
        if kind == name:
            part = str(delta.get(key) or "")
            block[key] = str(block.get(key) or "") + part
            return len(part)
    if kind == "input_json_delta":
        pieces.append(str(delta.get("partial_json") or ""))
        return len(pieces[-1])
    return 0


def _closed(block: dict[str, Any], pieces: Sequence[str]) -> dict[str, Any]:
    """The finished block; a tool call gets its parsed input, None when it is not one JSON object."""
    if block.get("type") != "tool_use":
        return block
    raw = "".join(pieces)
    given = block.get("input")
    if not raw.strip():
        return {**block, "input": given if isinstance(given, dict) else {}}
    try:
        parsed = json.loads(raw)
    except (ValueError, RecursionError):
        parsed = None
    return {**block, "input": parsed if isinstance(parsed, dict) else None}


def _reply(blocks: Sequence[dict[str, Any]], stop: str, usage: Usage) -> Reply:
    text = "".join(str(block.get("text") or "") for block in blocks if block.get("type") == "text")
    calls = tuple(
        Call(str(block.get("id") or ""), str(block.get("name") or ""), block["input"])
        for block in blocks
        if block.get("type") == "tool_use"
    )
    return Reply(text, calls, tuple(_replayed(block) for block in blocks if _kept(block)), stop, usage)


def _kept(block: Mapping[str, Any]) -> bool:
    """The API refuses empty text blocks, and blocks it did not document for requests."""
    return block.get("type") in REPLAYED and not (block["type"] == "text" and not str(block.get("text") or "").strip())


def _replayed(block: dict[str, Any]) -> dict[str, Any]:
    # Request and response blocks differ in what may stand in them: send back only the documented keys.
    keys = {
        "text": ("type", "text"),
        "tool_use": ("type", "id", "name", "input"),
        "thinking": ("type", "thinking", "signature"),
        "redacted_thinking": ("type", "data"),
    }[block["type"]]
    out = {key: block.get(key) for key in keys}
    if out.get("input", 0) is None:
        out["input"] = {}
    return out


def _usage(raw: object, known: Usage) -> Usage:
    """The later count wins: message_delta repeats the totals, but not every server repeats all of them."""
    counts = _object(raw)

    def count(key: str, before: int) -> int:
        value = counts.get(key)
        return value if isinstance(value, int) and value >= 0 else before

    return Usage(
        count("input_tokens", known.input),
        count("output_tokens", known.output),
        count("cache_read_input_tokens", known.cache_read),
        count("cache_creation_input_tokens", known.cache_write),
    )


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
