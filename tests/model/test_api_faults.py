"""What an error of the API means."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from lib.model.api_faults import fault_of
from lib.model.stream import StreamCut


class StatusError(RuntimeError):
    """Shaped like the SDK's error."""

    def __init__(self, status: int, message: str = "", retry_after: object = None) -> None:
        super().__init__("text that holds sk-secret")
        self.status_code = status
        self.body = {"type": "error", "error": {"type": "x", "message": message}}
        self.response = SimpleNamespace(headers={"retry-after": retry_after})


@pytest.mark.parametrize(
    ("error", "kind", "retry"),
    [
        (StatusError(401), "auth", False),
        (StatusError(402), "limit", False),
        (StatusError(400, "Your credit balance is too low"), "limit", False),
        (StatusError(400, "prompt is too long"), "request", False),
        (StatusError(409), "request", True),
        (StatusError(429), "limit", True),
        (StatusError(529), "overloaded", True),
        (StatusError(502), "network", True),
        (StreamCut("half"), "network", True),
        (ValueError("odd"), "answer", True),
        (ConnectionResetError("gone"), "network", True),
    ],
)
def test_an_error_has_a_kind_and_says_whether_to_try_again(error: BaseException, kind: str, retry: bool) -> None:
    fault = fault_of(error)
    assert (fault.kind, fault.retry) == (kind, retry)
    assert "sk-secret" not in fault.reason and "\n" not in fault.reason


def test_what_the_api_did_not_like_about_the_request_is_repeated_briefly() -> None:
    assert fault_of(StatusError(400, "prompt is\ntoo long " + "x" * 500)).reason.startswith(
        "the API answered 400: it did not accept the request (prompt is too long xxx"
    )
    assert len(fault_of(StatusError(400, "x" * 5000)).reason) < 300


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("3", 3.0), ("0.5", 0.5), (None, 0.0), ("soon", 0.0), ("-1", 0.0), ("nan", 0.0), ("1e9", 0.0)],
)
def test_the_wait_asked_for_is_a_sane_number_of_seconds(header: object, seconds: float) -> None:
    assert fault_of(StatusError(429, retry_after=header)).retry_after == seconds
