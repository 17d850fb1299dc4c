"""What the last request of the main agent read, from the end of a transcript that may hold anything."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lib.host import usage
from lib.host.usage import LONG_LIFE, SHORT_LIFE, LastRequest

AT = 1796040000.0  # 2026-11-30T12:00:00Z
USED = {"input_tokens": 1, "cache_creation_input_tokens": 20, "cache_read_input_tokens": 300, "output_tokens": 4_000}


def reply(model: str = "claude-opus-5-5", used: object = USED, **fields: Any) -> str:
    message = {"role": "assistant", "model": model, "usage": used, "content": []}
    entry = {"type": "assistant", "timestamp": "2026-11-30T12:00:00.000Z", "message": message, **fields}
    return json.dumps(entry) + "\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "t.jsonl"


def test_the_last_reply_counts_and_every_token_of_it(path: Path) -> None:
    path.write_text(reply("claude-haiku-5-5") + reply() + json.dumps({"type": "user", "usage": 1}) + "\n")
    assert usage.last_request(str(path)) == LastRequest("claude-opus-5-5", 4_321, AT, SHORT_LIFE)


def test_a_cache_written_for_an_hour_lives_an_hour(path: Path) -> None:
    path.write_text(reply(used={**USED, "cache_creation": {"ephemeral_1h_input_tokens": 5}}))
    found = usage.last_request(str(path))
    assert found is not None and found.life == LONG_LIFE
    assert found.warm(AT + 3_000) and not found.warm(AT + 4_000) and not found.warm(AT - 1)


@pytest.mark.parametrize(
    "line",
    [
        reply(isSidechain=True), reply("<synthetic>"), reply(used=None), reply(used=[1]),
        'nonsense "usage" "assistant"\n',
        '{"type": "assistant", "message": "usage"}\n', "", "\x00\n",
    ],
)  # fmt: skip
def test_what_is_no_reply_of_the_main_agent_is_passed_over(path: Path, line: str) -> None:
    path.write_text(line)
    assert usage.last_request(str(path)) is None
    path.write_text(reply() + line)
    assert usage.last_request(str(path)) is not None


def test_counts_and_times_of_another_type_are_nothing(path: Path) -> None:
    odd = {"input_tokens": "7", "cache_read_input_tokens": -5, "output_tokens": None, "cache_creation_input_tokens": 2}
    path.write_text(reply(used=odd, timestamp="yesterday"))
    found = usage.last_request(str(path))
    assert found is not None and (found.context, found.at, found.warm(AT)) == (2, 0.0, False)
