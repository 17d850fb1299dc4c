"""The estimate of tokens stays within its stated error of what the API counted in recorded sessions."""
from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lib.host import transcript
from lib.session import tokens
from tests.support.rows import model, person, result, use

ROOT = Path(__file__).resolve().parents[2]
RECORDED = sorted(ROOT.parent.glob("shared/transcripts/*/*.jsonl"))
ENOUGH = 3_000  # tokens; of less a single block decides


def stretches(path: Path) -> Iterator[tuple[int, int]]:
    """(estimated, counted) tokens that each part of a session between two compactions added to its requests."""
    estimate = 0
    seen: set[str] = set()
    marks: list[list[tuple[int, int]]] = [[]]
    for entry in (entry for _, line in transcript.lines(str(path)) for entry in transcript.objects(line) or ()):
        if entry.get("subtype") == "compact_boundary":
            marks.append([])
        message: Any = entry.get("message") or {}
        usage, id = message.get("usage") or {}, message.get("id")
        if entry.get("type") == "assistant" and usage and id not in seen and not entry.get("isSidechain"):
            seen.add(id)
            read = usage.get("cache_read_input_tokens", 0) + usage.get("cache_creation_input_tokens", 0)
            if counted := usage.get("input_tokens", 0) + read:  # an error's line has counted nothing
                marks[-1].append((estimate, counted))
        estimate += tokens.of_entry(entry)
    for part in marks:
        if len(part) > 3 and part[-1][1] - part[0][1] > ENOUGH:
            yield part[-1][0] - part[0][0], part[-1][1] - part[0][1]


@pytest.mark.skipif(not RECORDED, reason="no recorded sessions here")
def test_over_a_session_the_error_is_as_stated() -> None:
    shares = [guess / truth for path in RECORDED if "agent" not in path.name for guess, truth in stretches(path)]
    assert len(shares) > 10
    assert 0.85 <= statistics.median(shares) <= 1.15
    assert 0.7 <= min(shares) and max(shares) <= 1.4


@pytest.mark.parametrize(("text", "expected"), [
    ("", 0), ("a", 1), ("abc", 1), ("abcd", 2), ("日本語", 3), ("日本語abc", 4), ("é" * 6, 2), ("🎉", 1),
])  # fmt: skip
def test_a_wide_character_is_a_token_and_three_others_are_one(text: str, expected: int) -> None:
    assert tokens.of_text(text) == expected


def test_what_is_said_and_what_tools_give_count_and_nothing_else_does() -> None:
    assert tokens.of_entry(person(1, None, "a" * 300)) == 130
    assert tokens.of_entry(model(1, None, "a" * 300)) == 130
    assert tokens.of_entry(result(1, None, "t", "a" * 300)) == 130
    assert tokens.of_entry(model(1, None, [use("t", command="a" * 285)])) == 130
    assert tokens.of_entry({"type": "user", "content": "a" * 300}) == 130
    picture = [{"type": "image", "source": {"data": "a" * 9_000}}]
    assert tokens.of_entry(person(1, None, picture)) == 1_500
    assert tokens.of_entry(model(1, None, [{"type": "thinking", "thinking": "a" * 300}])) == 0
    for silent in (
        person(1, None, "a", isSidechain=True), model(1, None, "a", isApiErrorMessage=True),
        {"type": "progress", "message": {"content": "a"}}, {"type": "user", "message": {"content": 5}},
    ):  # fmt: skip
        assert tokens.of_entry(silent) == 0


def test_results_within_results_end_somewhere() -> None:
    content: object = "deep"
    for _ in range(3_000):
        content = [{"type": "tool_result", "content": content}]
    assert tokens.of_entry({"type": "user", "message": {"content": content}}) == 0
