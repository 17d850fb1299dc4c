"""Transcripts by the row: entries in the client's shape, with short names for their identities."""
from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Row = dict[str, Any]
SUMMARY = "This session is being continued from a previous conversation. SUMMARY"


def uid(name: object) -> str:
    """The identity that a short name stands for; None stays None."""
    return f"00000000-0000-4000-8000-{name:0>12}"


def row(kind: str, name: object, parent: object, **more: Any) -> Row:
    """One entry of the tree; times go up with the name when it is a number."""
    number = int(name) if isinstance(name, int) else 0
    return {
        "parentUuid": None if parent is None else uid(parent), "isSidechain": False, "type": kind, "uuid": uid(name),
        "timestamp": f"2026-11-30T10:{number // 60 % 60:02d}:{number % 60:02d}.000Z", "userType": "external",
        "version": "2.1.332", **more,
    }  # fmt: skip


def person(name: object, parent: object, text: Any, **more: Any) -> Row:
    return row("user", name, parent, message={"role": "user", "content": text}, **more)


def model(name: object, parent: object, content: Any, *, reply: str = "", **more: Any) -> Row:
    """One line of a reply: a text, or a list of blocks; lines of one reply share `reply`."""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    message = {
        "id": reply or f"msg_{name}", "type": "message", "role": "assistant", "model": "claude-sonnet-5-5",
        "content": blocks, "stop_reason": "end_turn", "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip
    return row("assistant", name, parent, **{"message": message, **more})


def use(id: str, name: str = "Bash", **given: Any) -> Row:
    return {"type": "tool_use", "id": id, "name": name, "input": given or {"command": f"echo {id}"}}


def result(name: object, parent: object, id: str, text: str, *, failed: bool = False) -> Row:
    content = [{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}]
    return person(name, parent, content, toolUseResult=text)


def boundary(name: object, before: object, metadata: Mapping[str, Any] | None = None, **more: Any) -> Row:
    """A compaction; `before` is what stood before it."""
    return row(
        "system", name, None, subtype="compact_boundary", content="Conversation compacted",
        logicalParentUuid=uid(before), compactMetadata={"trigger": "manual", **(metadata or {})}, **more,
    )  # fmt: skip


def kept(anchor: object, *names: object) -> dict[str, Any]:
    """The metadata of a compaction that leaves these messages in place behind `anchor`."""
    segment = {"headUuid": uid(names[0]), "anchorUuid": uid(anchor), "tailUuid": uid(names[-1])}
    return {"preservedSegment": segment}


def summary(name: object, parent: object, text: str = SUMMARY) -> Row:
    return person(name, parent, text, isCompactSummary=True, isVisibleInTranscriptOnly=True)


def noted(leaf: object) -> Row:
    """What the client writes at the end of a turn: where it stood."""
    return {"type": "last-prompt", "leafUuid": uid(leaf), "lastPrompt": "x"}


def jsonl(*rows: Row | bytes) -> bytes:
    return b"".join(r if isinstance(r, bytes) else json.dumps(r, ensure_ascii=False).encode() + b"\n" for r in rows)


def write(path: Path, *rows: Row | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(jsonl(*rows))
    return path
