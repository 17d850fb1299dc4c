"""What the session's last request cost in tokens, as the client recorded it in the transcript. Req: B7, J3."""

from __future__ import annotations

import datetime
import os
from collections.abc import Mapping
from dataclasses import dataclass

from lib.host import transcript

TAIL = 4_000_000  # bytes at the end of a transcript that are searched
SHORT_LIFE = 300.0  # seconds that a prompt cache lives
LONG_LIFE = 3600.0


@dataclass(frozen=True)
class LastRequest:
    """`context` counts every token the model was given and gave back; `at` is seconds since the epoch, 0 = unknown."""

    model: str
    context: int
    at: float
    life: float = SHORT_LIFE

    def warm(self, now: float) -> bool:
        """Whether the prompt cache that this request left can still be there."""
        return 0 <= now - self.at < self.life


def last_request(path: str) -> LastRequest | None:
    """The last reply of the main agent that tells its model and usage, or None; OSError passes through."""
    size = os.path.getsize(path)
    found: LastRequest | None = None
    for _, line in transcript.lines(path, max(0, size - TAIL), size):
        if b'"usage"' not in line or b'"assistant"' not in line:
            continue
        for entry in transcript.objects(line) or ():
            found = _request(entry) or found
    return found


def _request(entry: Mapping[str, object]) -> LastRequest | None:
    message = entry.get("message")
    if entry.get("type") != "assistant" or entry.get("isSidechain") is True or not isinstance(message, dict):
        return None
    model, usage = message.get("model"), message.get("usage")
    if not isinstance(model, str) or model.startswith("<") or not isinstance(usage, dict):
        return None
    written = usage.get("cache_creation")
    long = isinstance(written, dict) and _count(written, "ephemeral_1h_input_tokens") > 0
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
    context = sum(_count(usage, name) for name in names)
    return LastRequest(model, context, _seconds(entry.get("timestamp")), LONG_LIFE if long else SHORT_LIFE)


def _count(usage: Mapping[str, object], name: str) -> int:
    value = usage.get(name)
    return value if isinstance(value, int) and value > 0 else 0


def _seconds(stamp: object) -> float:
    try:
        return datetime.datetime.fromisoformat(str(stamp).replace("Z", "+00:00")).timestamp()
    except (ValueError, OverflowError):
        return 0.0
