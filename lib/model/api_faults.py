"""What can go wrong between us and the Messages API, and whether trying again can help. Req: J3."""

from __future__ import annotations

import importlib
from dataclasses import dataclass

from lib.model.stream import StreamCut

RETRIED_STATUS = (408, 409, 429)
KINDS = {401: "auth", 403: "auth", 402: "limit", 429: "limit", 529: "overloaded", 503: "overloaded"}
ADVICE = {
    "auth": "check ANTHROPIC_API_KEY",
    "limit": "the account's limit is reached",
    "overloaded": "it is overloaded",
    "network": "it had a fault of its own",
    "request": "it did not accept the request",
}
DETAIL_CHARACTERS = 160


@dataclass(frozen=True)
class Fault:
    """One failed attempt: `reason` for a person, `kind` as in `Unavailable`, `retry_after` in seconds."""

    reason: str
    kind: str
    retry: bool
    retry_after: float = 0.0


def known_faults() -> tuple[type[BaseException], ...]:
    """What an attempt may raise: the SDK's errors, those of the HTTP library below it, and a stream that is cut.

    The library below was renamed between versions of the SDK and does not wrap errors in the middle of a stream.
    """
    found: list[type[BaseException]] = [StreamCut, OSError, ValueError]
    for module, name in (("anthropic", "AnthropicError"), ("httpx2", "HTTPError"), ("httpx", "HTTPError")):
        try:
            found.append(getattr(importlib.import_module(module), name))
        except (ImportError, AttributeError):
            continue
    return tuple(found)


def fault_of(error: BaseException) -> Fault:
    """What one error means. Nothing of the request, its headers or the key is repeated."""
    status = getattr(error, "status_code", None)
    if isinstance(status, int) and status >= 400:
        return _status_fault(status, error)
    if isinstance(error, StreamCut):
        return Fault(f"the API's answer was cut off: {error}"[:DETAIL_CHARACTERS], "network", retry=True)
    if isinstance(error, ValueError):
        return Fault(f"the API's answer could not be read ({type(error).__name__})", "answer", retry=True)
    return Fault(f"the API could not be reached ({type(error).__name__})", "network", retry=True)


def _status_fault(status: int, error: BaseException) -> Fault:
    kind = KINDS.get(status) or ("network" if status >= 500 or status == 408 else "request")
    said = _said(error)
    if kind == "request" and "credit balance" in said.casefold():
        kind = "limit"
    reason = f"the API answered {status}: {ADVICE[kind]}"
    if kind == "request" and said:
        reason += f" ({said})"
    return Fault(reason, kind, status in RETRIED_STATUS or status >= 500, _retry_after(error))


def _said(error: BaseException) -> str:
    body = getattr(error, "body", None)
    inner = body.get("error") if isinstance(body, dict) else None
    message = inner.get("message") if isinstance(inner, dict) else None
    return " ".join(message.split())[:DETAIL_CHARACTERS] if isinstance(message, str) else ""


def _retry_after(error: BaseException) -> float:
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        seconds = float(headers.get("retry-after") or 0)
    except (TypeError, ValueError):
        return 0.0
    return seconds if 0 < seconds < 86_400 else 0.0
