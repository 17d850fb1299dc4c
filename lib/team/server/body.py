"""A request's body: read up to a limit and a deadline, then understood strictly or refused. Req: H1, H2."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import NoReturn

from lib.team.server.answers import Refusal
from lib.team.server.limits import Limits
from lib.team.wire import folded, unsafe_key


async def read(stream: AsyncIterator[bytes], length: str, limits: Limits) -> bytes:
    """The whole body, never more than `limits.body_bytes` of it in memory. Raises Refusal (408, 413)."""
    if length.isdecimal() and (len(length) > 15 or int(length) > limits.body_bytes):
        _too_large(limits)
    found = bytearray()

    async def collect() -> None:
        async for chunk in stream:
            if len(found) + len(chunk) > limits.body_bytes:
                _too_large(limits)
            found.extend(chunk)

    try:
        await asyncio.wait_for(collect(), limits.body_seconds)
    except asyncio.TimeoutError:
        raise Refusal(408, f"The body did not arrive within {limits.body_seconds:g} seconds.", close=True) from None
    return bytes(found)


def entries(raw: bytes, limits: Limits) -> dict[str, str]:
    """The texts to store by their keys: {"entries": {key: text}}. Raises Refusal (400, 413, 422) naming each key."""
    try:
        body = json.loads(raw.decode(), object_pairs_hook=_unique, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise Refusal(400, f"The body is no JSON that is accepted here: {why}.") from None
    found = body.get("entries") if isinstance(body, dict) else None
    if not isinstance(found, dict) or not found:
        raise Refusal(422, 'The body must be {"entries": {key: text}} with at least one entry.')
    if len(found) > limits.entries:
        raise Refusal(413, f"{len(found)} entries: a repository has at most {limits.entries}.")
    wrong = {key: why for key, text in found.items() if (why := _wrong_entry(key, text))}
    for key, other in same_file(list(found)).items():
        wrong.setdefault(key, f"it is the same file as {other!r} on some systems")
    if wrong:
        raise Refusal(422, f"{len(wrong)} of {len(found)} entries cannot be stored.", entries=wrong)
    large = {key: f"{size} bytes" for key, text in found.items() if (size := len(text.encode())) > limits.entry_bytes}
    if large:
        raise Refusal(413, f"An entry has at most {limits.entry_bytes} bytes.", entries=large)
    return found


def same_file(keys: list[str], stored: list[str] | None = None) -> dict[str, str]:
    """Keys that differ from an earlier or a stored one only in case or composition, each with that other one."""
    first = {folded(key): key for key in reversed(stored or [])}
    return {key: other for key in keys if (other := first.setdefault(folded(key), key)) != key}


def _wrong_entry(key: str, text: object) -> str:
    if why := unsafe_key(key):
        return why
    if not isinstance(text, str):
        return "its text is no string"
    if "\0" in text:
        return "its text holds a NUL character"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "its text holds half a surrogate pair, which is no character"
    return ""


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object has the same key twice")
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _too_large(limits: Limits) -> NoReturn:
    raise Refusal(413, f"A body has at most {limits.body_bytes} bytes; send the entries in batches.")
