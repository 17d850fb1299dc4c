"""Gemini CLI: `settings.json`, milliseconds, events of its own. Seen on 0.61. Req: E1, I2."""

from __future__ import annotations

import os

from lib.host import parts, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "gemini"
TITLE = "Gemini CLI"
PROGRAM = "gemini"
FILE = "settings.json"
SECOND = 1000
PAGES = 3
NOTE = "Gemini CLI runs hooks in folders that you trust; in others there is no memory."
EVENTS = {
    "SessionStart": "SessionStart", "UserPromptSubmit": "BeforeAgent", "PostToolUse": "AfterTool", "Stop": "AfterAgent",
}  # fmt: skip
TOOLS = {"write_file": "Write", "replace": "Edit"}


def folder(env: Mapping[str, str]) -> str:
    """Its configuration folder, "" when there is none."""
    base = env.get("GEMINI_CLI_HOME") or paths.home(env)
    return os.path.join(base, ".gemini") if os.path.isabs(base) else ""


def adapt(fields: dict[str, object]) -> None:
    """Its own fields in Claude Code's words."""
    if "prompt_response" in fields:
        fields["last_assistant_message"] = fields["prompt_response"]
    prompt = fields.get("prompt")
    if isinstance(prompt, str):
        fields["prompt"] = parts.without_context(prompt)


def entry(raw: dict[str, object]) -> dict[str, object]:
    """A line `user` or `gemini` of its chat file in Claude Code's form.

    It writes a reply again when its tools have run, under the same id: the second time only the tools are new.
    """
    kind, id = raw.get("type"), raw.get("id")
    plain: dict[str, object] = {"uuid": id, "timestamp": raw.get("timestamp")}
    if kind == "user":
        return {**plain, "type": "user", "message": {"role": "user", "content": parts.said(raw.get("content"))}}
    calls = raw.get("toolCalls")
    if isinstance(calls, list) and calls:
        content = [parts.use(call, TOOLS) for call in calls if isinstance(call, dict)]
        plain["uuid"] = f"{id}+{len(calls)}"
    else:
        text = raw.get("content")
        content = [{"type": "text", "text": text}] if isinstance(text, str) and text else []
    message = {"role": "assistant", "model": raw.get("model"), "content": content}
    return {**plain, "type": "assistant", "message": message}
