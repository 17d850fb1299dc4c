"""Who said an entry of the transcript: the person, the model, or the harness around them. Req: E1, J9."""

from __future__ import annotations

from lib.host.payload import whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SYNTHETIC = "<synthetic>"  # the model name of messages that the client wrote itself
# Text that opens with one of these came from the harness although its role is "user".
_HARNESS = (
    "<task-notification", "<local-command-", "<bash-input", "<bash-stdout", "<bash-stderr", "<command-name",
    "<command-message", "<command-args", "<system-reminder", "<user-prompt-submit-hook", "<session-start-hook",
    "[Request interrupted by user", "Stop hook feedback:", "Caveat: The messages below were generated",
    "This session is being continued from a previous conversation", "[Image: ", "Base directory for this skill:",
)  # fmt: skip
_OPEN, _CLOSE = "<system-reminder>", "</system-reminder>"
_PATH_KEYS = ("file_path", "notebook_path", "path")


def text_of(entry: Mapping[str, object], key: str) -> str:
    value = entry.get(key)
    return whole(value) if isinstance(value, str) else ""


def human_text(entry: Mapping[str, object]) -> str:
    """The person's own words in an entry, or "": never a tool result, summary, notification or hook text."""
    if entry.get("isSidechain") is True or entry.get("isMeta") is True:
        return ""
    kind = entry.get("type")
    if kind == "attachment":
        attachment = entry.get("attachment")
        return _queued(attachment) if isinstance(attachment, dict) else ""
    if kind != "user" or entry.get("isCompactSummary") is True or entry.get("isVisibleInTranscriptOnly") is True:
        return ""
    # A plan that was accepted comes back as a prompt, but the model wrote it.
    if "toolUseResult" in entry or "planContent" in entry or entry.get("promptSource") == "system":
        return ""
    if not _human_origin(entry):
        return ""
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else entry.get("content")
    return own_words(content)


def own_words(content: object) -> str:
    """The typed part of a prompt's content, a string or a list of blocks."""
    if isinstance(content, str):
        return _unwrapped(content)
    if not isinstance(content, list) or any(_kind(block) == "tool_result" for block in content):
        return ""
    return "\n".join(filter(None, (_unwrapped(text) for text in _texts(content))))


def spoken(content: object) -> str:
    """Every text in a message's content, whoever wrote it."""
    if isinstance(content, str):
        return whole(content)
    return "\n".join(_texts(content if isinstance(content, list) else []))


def assistant_parts(entry: Mapping[str, object]) -> tuple[list[str], list[tuple[str, str]]]:
    """(texts, [(tool name, path it was given)]) of the main agent; nothing of an API error or a sub-agent."""
    blocks = _assistant_blocks(entry)
    if isinstance(blocks, str):
        return [whole(blocks)], _old_uses(entry)
    return list(_texts(blocks)), [(name, target) for _, name, target, _ in _uses(blocks)] or _old_uses(entry)


def reply(entry: Mapping[str, object]) -> tuple[list[str], list[tuple[str, str, str, Mapping[str, object]]]]:
    """(texts, [(id, tool name, path it was given, its whole input)]) of the main agent; as `assistant_parts`."""
    blocks = _assistant_blocks(entry)
    texts = [whole(blocks)] if isinstance(blocks, str) else list(_texts(blocks))
    uses = [] if isinstance(blocks, str) else list(_uses(blocks))
    return texts, uses or [("", name, target, {}) for name, target in _old_uses(entry)]


def tool_uses(entry: Mapping[str, object]) -> list[tuple[str, str, str, Mapping[str, object]]]:
    """The tool uses of `reply` alone."""
    return reply(entry)[1]


def tool_results(entry: Mapping[str, object]) -> list[tuple[str, str, bool]]:
    """(id of the tool use, its text, whether it failed) of each result in an entry; pictures have no text."""
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else entry.get("content")
    if entry.get("type") != "user" or not isinstance(content, list):
        return []
    found = []
    for block in content:
        if _kind(block) == "tool_result":
            text = spoken(block.get("content"))
            found.append((text_of(block, "tool_use_id"), text, block.get("is_error") is True))
    return found


def _assistant_blocks(entry: Mapping[str, object]) -> list[object] | str:
    message = entry.get("message")
    if entry.get("type") != "assistant" or entry.get("isSidechain") is True:
        return []
    if not isinstance(message, dict):
        message = entry  # the oldest files have the content at the top
    if entry.get("isApiErrorMessage") is True or message.get("model") == SYNTHETIC:
        return []
    content = message.get("content")
    return content if isinstance(content, (str, list)) else []


def _uses(blocks: list[object]) -> Iterator[tuple[str, str, str, Mapping[str, object]]]:
    for block in blocks:
        if isinstance(block, dict) and block.get("type") == "tool_use":
            given = block.get("input")
            given = given if isinstance(given, dict) else {}
            yield text_of(block, "id"), text_of(block, "name"), _target(given), given


def _old_uses(entry: Mapping[str, object]) -> list[tuple[str, str]]:
    """Tool uses beside the content, as the oldest files have them."""
    uses = entry.get("tool_uses")
    found = []
    for use in uses if isinstance(uses, list) and entry.get("isSidechain") is not True else []:
        if isinstance(use, dict):
            given = use.get("input")
            found.append((text_of(use, "name"), _target(given if isinstance(given, dict) else {})))
    return found


def _target(given: Mapping[str, object]) -> str:
    return whole(next((value for key in _PATH_KEYS if isinstance(value := given.get(key), str)), ""))


def _queued(attachment: Mapping[str, object]) -> str:
    if attachment.get("type") != "queued_command" or not _human_origin(attachment):
        return ""
    if attachment.get("commandMode") not in (None, "prompt"):
        return ""
    return own_words(attachment.get("prompt"))


def _human_origin(entry: Mapping[str, object]) -> bool:
    origin = entry.get("origin")
    return not isinstance(origin, dict) or origin.get("kind") in (None, "human")


def _kind(block: object) -> str:
    return text_of(block, "type") if isinstance(block, dict) else ""


def _texts(blocks: list[object]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str):
            yield whole(block["text"])


def _unwrapped(text: str) -> str:
    text = _without_reminders(whole(text)).strip()
    if not text.startswith(_HARNESS):
        return text
    # A slash command is the harness's wrapping, but its arguments are what the person typed.
    _, opened, rest = text.partition("<command-args>")
    return rest.partition("</command-args>")[0].strip() if opened else ""


def _without_reminders(text: str) -> str:
    """Whole reminder blocks are the harness's; a tag that is only mentioned (never closed) stays the person's text."""
    kept: list[str] = []
    rest = text
    while True:
        before, opened, after = rest.partition(_OPEN)
        end = _block_end(after)
        if not opened or end < 0:
            return "".join([*kept, rest])
        kept.append(before)
        rest = after[end:]


def _block_end(inside: str) -> int:
    """Where the block ends whose opening tag was just passed, blocks within it counted; -1 when it is never closed."""
    depth, at, end = 1, 0, -1
    while depth > 0 and (closed := inside.find(_CLOSE, at)) >= 0:
        depth += inside.count(_OPEN, at, closed) - 1
        at = end = closed + len(_CLOSE)
    return end
