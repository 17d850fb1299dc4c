"""The benches of growth and of characters stand on what the product itself would have made, and count what they say."""
from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from lib.journal import SIZE_LIMIT, Journal, newest, recent
from tests.bench import growth, tokens
from tests.bench.stages import stage
from tests.support.registered import SESSION


def test_earlier_sessions_are_known_as_the_product_knows_them(tmp_path: Path) -> None:
    made = stage(tmp_path, "one")
    growth.with_sessions(made, 12)
    state = str(growth.state_of(made))
    assert recent(state, 5) == newest(state, 5) == [f"{n:08d}-0000-4000-8000-000000000000" for n in range(11, 6, -1)]
    for session in newest(state, 20):
        known = Journal(state, session).state()
        assert not known.pending and known.cursor == os.path.getsize(known.transcript)


def test_a_long_journal_is_one_that_the_product_would_fold_to_a_settled_session(tmp_path: Path) -> None:
    made = stage(tmp_path, "one")
    growth.with_journal(made, SIZE_LIMIT)
    journal = Journal(str(growth.state_of(made)), SESSION)
    assert 0.99 * SIZE_LIMIT < os.path.getsize(journal.path) <= SIZE_LIMIT
    assert journal.state().cursor == made.transcript.stat().st_size and not journal.state().pending


def test_every_table_names_hooks_that_are_registered_and_grows() -> None:
    assert [grown.title for grown in growth.GROWN] == ["transcript", "memories", "sessions", "journal"]
    for grown in growth.GROWN:
        numbers = [number for _, number in grown.sizes]
        assert numbers == sorted(numbers) and numbers[-1] >= 100 * numbers[0]
        assert all(limit for _, limit in grown.limits)


@pytest.mark.parametrize(
    ("entry", "count"),
    [
        ({"type": "user", "message": {"content": "hello"}}, 5),
        ({"type": "assistant", "message": {"content": [{"type": "text", "text": "abc"}]}}, 3),
        ({"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "x" * 9, "name": "Bash",
                                                        "input": {"command": "ls -l"}}]}}, 9),
        ({"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "x", "content": "out"}]}}, 3),
        ({"type": "user", "message": {"content": [{"type": "image", "source": {"data": "x" * 900}}]}}, 0),
        ({"type": "system", "content": "x" * 900}, 0),
        ({"type": "api-request-blob", "message": {"role": "user", "content": "x"}}, 0),
        (["no object"], 0),
    ],
)  # fmt: skip
def test_the_conversation_is_words_calls_and_results(entry: object, count: int) -> None:
    assert tokens.conversation(json.dumps(entry).encode()) == count


def test_a_line_that_is_torn_counts_nothing_and_a_row_tells_means_of_a_turn() -> None:
    assert tokens.conversation(b'{"type": "user", "mess') == 0
    told = tokens.line("x", tokens.Count(turns=4, added=400, most=300, sent=2_000, requests=6, whole=8_000)).split()
    assert told == ["x", "4", "100", "300", "1.5", "500", "2000", "25.0%"]
    first = tokens.Count(turns=1, most=7)
    first.add(tokens.Count(turns=2, most=5, sent=3))
    assert first == tokens.Count(turns=3, most=7, sent=3)
