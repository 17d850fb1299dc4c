"""What a headless run of the client said: its one result object, or which fault it was. Pure. Req: J3.

Nothing of an error's text is repeated but a short, plain piece: it is kept in files of ours.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lib.model.child_run import OUTPUT, Ended
from lib.model.task import Unavailable, Usage

SAID = 100  # characters of an error that are repeated
STARTS = 50  # places in the output where an object is looked for
_AUTH = re.compile(r"(?i)not logged in|/login\b|invalid (?:api key|x-api-key|bearer)|authenticat|oauth token")
_LIMIT = re.compile(r"(?i)\b(?:usage|session|weekly|spend\w*|rate) limit|limit reached|hit your limit|credit balance")
_OLD = re.compile(r"(?i)unknown (?:option|argument)|argument .{1,60} is invalid|requires a newer version")
_GONE = re.compile(r"(?i)no conversation found|session .{1,60} not found")
_LONG = re.compile(r"\S{30,}")
_SENTENCES = {
    "auth": "the client is not logged in: run `claude` and /login",
    "limit": "the usage limit of your login is reached",
    "overloaded": "the API is overloaded",
    "old": "this client is too old for it: run `claude update`",
    "session": "the client does not find the session any more",
}


@dataclass(frozen=True)
class Answer:
    """`stopped` as in `Outcome`; `usd` is what the client says the run cost; `rounds` counts its turns."""

    text: str
    usage: Usage
    usd: float
    rounds: int
    stopped: str


def read(ended: Ended) -> Answer:
    """The answer of a run. Raises Unavailable for every run that did not give one, with what it used all the same."""
    if ended.flood:
        raise Unavailable(f"the client printed over {OUTPUT // 1_000_000} MB and was ended", "answer")
    found = next(results(ended.out.decode("utf-8", "replace")), None)
    if ended.late and found is None:
        raise Unavailable("the client did not end in its time and was ended", "deadline")
    if found is None:
        raise _silent(ended)
    usage, usd, text = _usage(found), _dollars(found.get("total_cost_usd")), _text(found.get("result"))
    stopped = {"error_max_turns": "max_turns", "error_max_budget_usd": "budget"}.get(_text(found.get("subtype")), "")
    if not stopped and (found.get("is_error") is not False or ended.status != 0 or _in_disguise(text, usage)):
        kind, reason = _fault(text or _errors(found), found.get("api_error_status"))
        raise Unavailable(reason, kind, usage, usd)
    rounds = found.get("num_turns")
    stop = _text(found.get("stop_reason")) or "end_turn"
    stop = "end_turn" if stop in ("stop_sequence", "tool_use") else stop
    return Answer(text, usage, usd, rounds if isinstance(rounds, int) and rounds >= 0 else 0, stopped or stop)


def results(text: str) -> Iterator[Mapping[str, Any]]:
    """Every result object in an output, whatever was printed around it."""
    decoder = json.JSONDecoder()
    at, tried = text.find("{"), 0
    while 0 <= at and tried < STARTS:
        tried += 1
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(value, dict) and value.get("type") == "result":
                yield value
        at = text.find("{", end)


def _silent(ended: Ended) -> Unavailable:
    """The fault of a run that gave no result object at all."""
    said = f"{ended.err.decode('utf-8', 'replace')}\n{ended.out[:5_000].decode('utf-8', 'replace')}"
    for kind, pattern in (("old", _OLD), ("session", _GONE), ("auth", _AUTH), ("limit", _LIMIT)):
        if pattern.search(said):
            return Unavailable(_SENTENCES[kind], kind)
    how = f"signal {-ended.status}" if ended.status < 0 else f"exit status {ended.status}"
    piece = plain(ended.err.decode("utf-8", "replace"))
    return Unavailable(f"the client gave no result ({how}{': ' + piece if piece else ''})", "answer")


def _fault(text: str, status: object) -> tuple[str, str]:
    if status in (401, 403) or _AUTH.search(text):
        return "auth", _SENTENCES["auth"]
    if status in (402, 429) or _LIMIT.search(text):
        # The moment at which a limit ends is worth keeping.
        at = re.search(r"\|\d{10}\b", text)
        return "limit", _SENTENCES["limit"] + (at[0] if at else "")
    if status in (529, 503):
        return "overloaded", _SENTENCES["overloaded"]
    if _GONE.search(text):
        return "session", _SENTENCES["session"]
    kind = "request" if isinstance(status, int) and 400 <= status < 500 else "network"
    return kind, f"the client reported an error ({plain(text) or 'without a word'})"


def _in_disguise(text: str, usage: Usage) -> bool:
    """An error that ends with status 0: a model that answered had to be paid in tokens."""
    return usage == Usage() and bool(_AUTH.search(text) or _LIMIT.search(text) or not text.strip())


def plain(text: str) -> str:
    """A short piece of a message on one line; long words, which may be keys or addresses, are left out."""
    words = " ".join(_LONG.sub("…", text).split())
    return "".join(c for c in words if c.isprintable())[:SAID]


def _usage(found: Mapping[str, Any]) -> Usage:
    """The tokens of all models of the run; `usage` alone leaves out what was asked beside the conversation."""
    rows = found.get("modelUsage")
    total = Usage()
    for row in rows.values() if isinstance(rows, dict) else ():
        if isinstance(row, dict):
            names = ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
            total += Usage(*(_count(row.get(name)) for name in names))
    if total == Usage() and isinstance(used := found.get("usage"), dict):
        names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        total = Usage(*(_count(used.get(name)) for name in names))
    return total


def _errors(found: Mapping[str, Any]) -> str:
    errors = found.get("errors")
    return " ".join(error for error in errors if isinstance(error, str)) if isinstance(errors, list) else ""


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _dollars(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) and 0 < value < 1e6 else 0.0
