"""What a hook says back: nothing, or exactly one JSON object with text for the model. Req: C3."""

from __future__ import annotations

from lib.host import jsontext

LIMIT = 9_500  # characters a string; the client replaces anything over 10,000 by a preview


def units(text: str) -> int:
    """The length as the client counts it: UTF-16 units."""
    return len(text) + sum(c > "\uffff" for c in text)


def context(event: str, text: str, told: str = "") -> bytes:
    """One line of JSON that adds `text` to the model's context and shows `told` to the person, whom alone it reaches.

    b"" when there is neither. Raises ValueError over LIMIT.
    """
    if not text and not told:
        return b""
    if units(text) > LIMIT:
        raise ValueError(f"a reply of {units(text)} characters is over {LIMIT}")
    body: dict[str, object] = {"systemMessage": told} if told else {}
    if text:
        body["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": text}
    return jsontext.dumps(body, ascii_only=False).encode("utf-8", "replace") + b"\n"
