"""Every way in which a client can fail to answer is told apart; nothing but its result object is an answer."""
from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.model.child_run import Ended
from lib.model.client_answer import plain, read, results
from lib.model.task import Unavailable, Usage

USED = {"m": {"inputTokens": 5, "outputTokens": 7, "cacheReadInputTokens": 11, "cacheCreationInputTokens": 13}}
GOOD: dict[str, Any] = {
    "type": "result", "subtype": "success", "is_error": False, "num_turns": 2, "result": "Saved.",
    "stop_reason": "end_turn", "total_cost_usd": 0.25, "modelUsage": USED,
}  # fmt: skip
LOGIN = "Not logged in \u00b7 Please run /login"


def ended(found: object = GOOD, status: int = 0, err: str = "", **flags: bool) -> Ended:
    out = found if isinstance(found, str) else json.dumps(found)
    return Ended(status, out.encode(), err.encode(), **flags)


def fault(run: Ended) -> Unavailable:
    with pytest.raises(Unavailable) as caught:
        read(run)
    return caught.value


def test_a_result_is_text_tokens_cost_and_rounds() -> None:
    answer = read(ended())
    assert (answer.text, answer.usage, answer.usd) == ("Saved.", Usage(5, 7, 11, 13), 0.25)
    assert (answer.rounds, answer.stopped) == (2, "end_turn")


@pytest.mark.parametrize("around", ["Warning: {odd} braces { here\n%s\n", "%s\ntrailing {", "{}\n%s"])
def test_a_result_is_found_among_prose(around: str) -> None:
    assert read(ended(around % json.dumps(GOOD))).text == "Saved."


def test_out_of_turns_or_money_is_an_end_and_no_fault() -> None:
    bad = {**GOOD, "is_error": True, "result": None}
    assert read(ended({**bad, "subtype": "error_max_turns"}, 1)).stopped == "max_turns"
    assert read(ended({**bad, "subtype": "error_max_budget_usd"}, 1)).stopped == "budget"


@pytest.mark.parametrize(
    ("run", "kind"),
    [
        (ended({**GOOD, "is_error": True, "result": LOGIN, "modelUsage": {}}, 1), "auth"),
        (ended({**GOOD, "result": LOGIN, "modelUsage": {}}), "auth"),  # an error that ends with status 0
        (ended({**GOOD, "is_error": True, "api_error_status": 401, "result": "x"}, 1), "auth"),
        (ended({**GOOD, "is_error": True, "api_error_status": 429, "result": "x"}, 1), "limit"),
        (ended({**GOOD, "result": "Claude AI usage limit reached|1900000000", "modelUsage": {}}), "limit"),
        (ended({**GOOD, "is_error": True, "api_error_status": 529, "result": "x"}, 1), "overloaded"),
        (ended({**GOOD, "is_error": True, "api_error_status": 400, "result": "x"}, 1), "request"),
        (ended({**GOOD, "is_error": True, "api_error_status": 500, "result": "x"}, 1), "network"),
        (ended({**GOOD, "result": "", "modelUsage": {}}), "network"),
        (ended(GOOD, 1), "network"),
        (ended("", 1, "error: unknown option '--fork-session'"), "old"),
        (ended("", 1, "No conversation found with session ID: x"), "session"),
        (ended(LOGIN, 0), "auth"),
        (ended("I would be happy to help with that!", 0), "answer"),
        (ended("Do you want to allow this? (y/n)", 0, late=True), "deadline"),
        (ended("y" * 100, -9, flood=True), "answer"),
        (ended("", -11), "answer"),
        (ended('{"type": "result", "is_error": fal', 0), "answer"),
        (ended('["type", "result"]', 0), "answer"),
    ],
)
def test_each_fault_is_told_apart(run: Ended, kind: str) -> None:
    assert fault(run).kind == kind


def test_a_fault_keeps_what_was_spent_and_when_a_limit_ends() -> None:
    error = fault(ended({**GOOD, "is_error": True, "result": "usage limit reached|1900000000"}, 1))
    assert (error.usage, error.usd) == (Usage(5, 7, 11, 13), 0.25)
    assert error.reason.endswith("|1900000000")


def test_no_key_of_an_error_text_is_repeated() -> None:
    key = "sk-ant-" + "a1B2" * 20
    assert key not in fault(ended("", 1, f"bad thing with {key} happened")).reason
    assert key not in fault(ended({**GOOD, "is_error": True, "result": f"oh {key}"}, 1)).reason


@given(st.text(max_size=300), st.text(max_size=300), st.integers(-15, 255))
def test_whatever_is_printed_is_an_answer_or_a_fault(out: str, err: str, status: int) -> None:
    run = Ended(status, out.encode("utf-8", "replace"), err.encode("utf-8", "replace"))
    assert fault(run).kind in {"old", "session", "auth", "limit", "answer"}


ODD = st.none() | st.integers() | st.text() | st.lists(st.text())


@given(st.dictionaries(st.sampled_from(sorted([*GOOD, "usage", "errors"])), ODD))
def test_a_result_of_wrong_types_is_read_or_refused(odd: dict[str, object]) -> None:
    try:
        assert read(ended({**GOOD, **odd, "type": "result"})).rounds >= 0
    except Unavailable as error:
        assert error.reason


@given(st.text())
def test_looking_for_results_ends_and_a_plain_piece_is_one_short_line(text: str) -> None:
    assert all(found["type"] == "result" for found in results(text + "{" * 100_000))
    assert len(plain(text)) <= 100 and "\n" not in plain(text)
