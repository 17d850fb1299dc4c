"""Messages made of `parts`, the form that Gemini CLI and Qwen Code share, as Claude Code's content blocks. Req: E1."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# From here on a prompt's parts are files that the person only named.
_FILES = "--- Content from referenced files"
# A part that opens with one of these was put there by the host, a hook, or the shell mode.
_HARNESS = (
    "<session_context>", "<hook_context>", "&lt;system-reminder&gt;", "I ran the following shell command:",
)  # fmt: skip
_CONTEXT_END = "</hook_context>"


def said(parts: object) -> list[object]:
    """The text blocks of a person's prompt, without what host and hooks put beside it."""
    found: list[object] = []
    for part in [parts] if isinstance(parts, str) else parts if isinstance(parts, list) else []:
        text = part if isinstance(part, str) else part.get("text") if isinstance(part, dict) else None
        if isinstance(part, dict) and "functionResponse" in part:
            found.append(_result(part["functionResponse"]))
        if not isinstance(text, str):
            continue
        if text.lstrip().startswith(_FILES):
            break
        text = without_context(text)
        if text and not text.startswith(_HARNESS):
            found.append({"type": "text", "text": text})
    return found


def without_context(text: str) -> str:
    """The prompt without the context that hooks put before it; the host escapes tags inside, so the end is certain."""
    while text.startswith("<hook_context>") and _CONTEXT_END in text:
        text = text.partition(_CONTEXT_END)[2].lstrip()
    return text


def replied(parts: object, tools: Mapping[str, str]) -> list[object]:
    """Text and tool-use blocks of the model's parts; its thoughts are left out."""
    found: list[object] = []
    for part in parts if isinstance(parts, list) else []:
        if not isinstance(part, dict) or part.get("thought"):
            continue
        if isinstance(part.get("text"), str):
            found.append({"type": "text", "text": part["text"]})
        elif isinstance(part.get("functionCall"), dict):
            found.append(use(part["functionCall"], tools))
    return found


def use(call: Mapping[str, object], tools: Mapping[str, str]) -> dict[str, object]:
    """One tool call (`id`, `name`, `args`) as a tool-use block, its name in Claude Code's words."""
    name = call.get("name")
    return {
        "type": "tool_use",
        "id": call.get("id"),
        "name": tools.get(name, name) if isinstance(name, str) else "",
        "input": call.get("args"),
    }


def _result(response: object) -> dict[str, object]:
    told = response if isinstance(response, dict) else {}
    inner = told.get("response")
    output = inner.get("output", inner.get("error")) if isinstance(inner, dict) else None
    failed = isinstance(inner, dict) and "error" in inner
    return {"type": "tool_result", "tool_use_id": told.get("id"), "content": output, "is_error": failed}
