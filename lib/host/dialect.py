"""Which host wrote a line of a transcript, told by the line itself: the file may be read long after its session.

Req: E1.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.host.hosts import Adapter


def author(value: dict[str, object]) -> Adapter | None:
    """The host whose form the line has, None for Claude Code's and for what nobody knows."""
    message = value.get("message")
    if isinstance(message, dict):
        if "parts" not in message or "content" in message:
            return None
        from lib.host import qwen

        return qwen
    if value.get("type") == "response_item" and isinstance(value.get("payload"), dict):
        from lib.host import codex

        return codex
    if value.get("type") in ("user", "gemini") and "id" in value and "content" in value and "uuid" not in value:
        from lib.host import gemini

        return gemini
    return None


def plain(value: dict[str, object]) -> dict[str, object]:
    """The line in Claude Code's form; one that is so already, or that nobody knows, comes back untouched."""
    host = author(value)
    return value if host is None else host.entry(value)
