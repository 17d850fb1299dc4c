"""Codex CLI: `hooks.json` in Claude Code's shape, seconds; rollout files as transcripts. Seen on 0.171. Req: E1, I2."""

from __future__ import annotations

import os

from lib.host import jsontext, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "codex"
TITLE = "Codex CLI"
PROGRAM = "codex"
FILE = "hooks.json"
SECOND = 1
PAGES = 3
NOTE = "Codex runs a hook only when you have trusted it once: start codex and review them under /hooks."
EVENTS = {event: event for event in ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop")}
TOOLS = {"apply_patch": "Edit"}
_BEGIN = "*** Begin Patch"
_PATCHED = ("*** Add File: ", "*** Update File: ", "*** Move to: ")
# User messages that the client wrote, for versions that do not say where a message came from.
_HARNESS = (
    "<environment_context", "<user_instructions", "# AGENTS.md", "<turn_aborted", "<skill", "<permissions", "<hook",
)  # fmt: skip


def folder(env: Mapping[str, str]) -> str:
    """Its configuration folder, "" when there is none."""
    named = env.get("CODEX_HOME", "")
    if named:
        return named if os.path.isabs(named) else ""
    base = paths.home(env)
    return os.path.join(base, ".codex") if base else ""


def adapt(fields: dict[str, object]) -> None:
    """Gives a patch the path of the file that it writes, a Markdown file before others: it may hold several."""
    given = fields.get("tool_input")
    patch = given.get("command", given.get("input")) if isinstance(given, dict) else given
    files = patched(patch) if fields.get("tool_name") == "Edit" else []
    if files:
        fields["tool_input"] = {"file_path": next((file for file in files if file.endswith(".md")), files[0])}


def patched(patch: object) -> list[str]:
    """The files that a patch writes, in its order."""
    rows = patch.split("\n") if isinstance(patch, str) else []
    return [row.partition(": ")[2].strip() for row in rows if row.startswith(_PATCHED)]


def entry(raw: dict[str, object]) -> dict[str, object]:
    """A line of a rollout in Claude Code's form; what is no message and no tool call has no content."""
    found = raw.get("payload")
    payload = found if isinstance(found, dict) else {}
    about = payload.get("internal_chat_message_metadata_passthrough")
    turn = about.get("turn_id") if isinstance(about, dict) else None
    # The ids begin with the time: only their ends tell neighbours apart.
    id = payload.get("id") or payload.get("call_id")
    plain: dict[str, object] = {"timestamp": raw.get("timestamp"), "promptId": turn}
    plain["uuid"] = id[-13:] if isinstance(id, str) else ""
    kind, role = payload.get("type"), payload.get("role")
    if kind == "message" and role == "user":
        texts = _said(payload.get("content"), about if isinstance(about, dict) else {})
        return {**plain, "type": "user", "message": {"role": "user", "content": texts}}
    if kind in ("function_call_output", "custom_tool_call_output"):
        result = {"type": "tool_result", "tool_use_id": payload.get("call_id"), "content": payload.get("output")}
        return {**plain, "type": "user", "message": {"role": "user", "content": [result]}}
    content: list[object] = []
    if kind == "message" and role == "assistant":
        content = [{"type": "text", "text": text} for _, text in _texts(payload.get("content"))]
    elif kind in ("function_call", "custom_tool_call"):
        content = _uses(payload)
    return {**plain, "type": "assistant", "message": {"role": "assistant", "content": content}}


def _said(content: object, about: Mapping[str, object]) -> list[object]:
    """The texts that the person typed: where each came from is noted beside it, else its opening tells."""
    sources = about.get("content_item_metadata")
    known = sources if isinstance(sources, list) else []
    found: list[object] = []
    for at, text in _texts(content):
        told = known[at].get("provenance") if at < len(known) and isinstance(known[at], dict) else None
        own = told.get("type") == "user" if isinstance(told, dict) else not text.lstrip().startswith(_HARNESS)
        if own:
            found.append({"type": "text", "text": text})
    return found


def _texts(content: object) -> list[tuple[int, str]]:
    blocks = content if isinstance(content, list) else []
    return [(at, block["text"]) for at, block in enumerate(blocks)
            if isinstance(block, dict) and isinstance(block.get("text"), str)]  # fmt: skip


def _uses(payload: Mapping[str, object]) -> list[object]:
    name, id = payload.get("name"), payload.get("call_id")
    given: object = payload.get("input")
    if isinstance(raw := payload.get("arguments"), str):
        try:
            given = jsontext.loads(raw)
        except (ValueError, RecursionError):
            given = {}
    if name != "apply_patch" and not (isinstance(raw, str) and _BEGIN in raw):
        return [{"type": "tool_use", "id": id, "name": name, "input": given}]
    # A model that is not offered the tool hands the patch to a shell command of that name.
    keys = ("input", "patch", "cmd", "command")
    patch = next((given[key] for key in keys if key in given), "") if isinstance(given, dict) else given
    patch = "\n".join(word for word in patch if isinstance(word, str)) if isinstance(patch, list) else patch
    return [{"type": "tool_use", "id": id, "name": "Edit", "input": {"file_path": file}} for file in patched(patch)]
