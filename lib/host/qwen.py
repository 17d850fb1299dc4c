"""Qwen Code: Claude Code's events in `settings.json`, milliseconds, Gemini's messages. Seen on 0.15.10. Req: E1, I2."""

from __future__ import annotations

import os

from lib.host import parts, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "qwen"
TITLE = "Qwen Code"
PROGRAM = "qwen"
FILE = "settings.json"
SECOND = 1000
PAGES = 0
NOTE = "Qwen Code drops what a SessionStart hook says, so the index is not delivered there; recall is the same."
EVENTS = {event: event for event in ("UserPromptSubmit", "PostToolUse", "Stop")}
TOOLS = {"write_file": "Write", "edit": "Edit"}


def folder(env: Mapping[str, str]) -> str:
    """Its configuration folder, "" when there is none."""
    named = env.get("QWEN_HOME", "")
    if named:
        return paths.expand(named, env)
    base = paths.home(env)
    return os.path.join(base, ".qwen") if base else ""


def adapt(fields: dict[str, object]) -> None:
    """Nothing to do: its fields are Claude Code's."""


def entry(raw: dict[str, object]) -> dict[str, object]:
    """A line `user`, `assistant` or `tool_result` of its chat file in Claude Code's form."""
    message = raw.get("message")
    held = message.get("parts") if isinstance(message, dict) else None
    if raw.get("type") == "assistant":
        content = parts.replied(held, TOOLS)
        return {**raw, "message": {"role": "assistant", "model": raw.get("model"), "content": content}}
    kind = "user" if raw.get("type") in ("user", "tool_result") else raw.get("type")
    return {**raw, "type": kind, "message": {"role": "user", "content": parts.said(held)}}
