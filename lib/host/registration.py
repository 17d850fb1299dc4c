"""The one table of what we register with the client; install.py and settings.example.json come from it. Req: I2."""

from __future__ import annotations

import json
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Exact and unique: a folder is a checkout of ours when this file in it holds this line (see lib/setup/ownership.py).
CHECKOUT_MARK = "memory-hooks checkout 6b1f4c0e-3d57-4b0e-9a55-0f2f8e7c1d94"
MARK_FILE = "lib/host/registration.py"

# -I: no PYTHON* variable and no module of the project the client runs in; -S: no site-packages on the hot path.
FLAGS = ("-I", "-S")


class Hook:
    """One registered command: `event` runs `script` with `arguments`; `timeout` in the host's unit, "" = no matcher.

    `role` is what Claude Code calls the event, whatever the `host` ("" = Claude Code) calls it.
    """

    __slots__ = ("arguments", "event", "host", "matcher", "role", "script", "timeout")

    def __init__(
        self, event: str, script: str, *arguments: str, matcher: str = "", timeout: int = 10, role: str = "",
        host: str = "",
    ) -> None:  # fmt: skip
        self.event = event
        self.script = script
        self.arguments = arguments
        self.matcher = matcher
        self.role = role or event
        self.host = host
        self.timeout = timeout

    @property
    def title(self) -> str:
        return " ".join((self.event, *self.arguments))


# PostToolUse: the tools that act. Nothing is written or said after the ones that only read, so they stay free of it: a
# model's answer takes about as long as the reading before the first act.
# The client cuts each string of hook output at 10,000 characters, so an index of 25 KB comes in three pages, each
# from a command of its own; pages that have nothing to say print nothing.
HOOKS = (
    Hook("SessionStart", "session_start.py", "1"),
    Hook("SessionStart", "session_start.py", "2"),
    Hook("SessionStart", "session_start.py", "3"),
    Hook("UserPromptSubmit", "user_prompt_submit.py", timeout=5),
    Hook("PostToolUse", "post_tool_use.py", matcher="Bash|Write|Edit|MultiEdit|NotebookEdit"),
    Hook("PreCompact", "pre_compact.py"),
    Hook("Stop", "stop.py"),
    Hook("SubagentStart", "subagent_start.py"),
    Hook("SubagentStop", "subagent_stop.py"),
)
SCRIPTS = frozenset(hook.script for hook in HOOKS)

EXAMPLE_ROOT = "/path/to/memory-hooks"
EXAMPLE_PYTHON = EXAMPLE_ROOT + "/.venv/bin/python"

# The client puts the plugin's folder in place of this; what a hook imports needs no package, so any Python will do.
PLUGIN_ROOT = "${CLAUDE_PLUGIN_ROOT}"
PLUGIN_PYTHON = "python3"
PLUGIN_OPTION = "--plugin"  # as in lib/host/plugin.py


def quote(word: str, platform: str = sys.platform) -> str:
    """The word in double quotes, so that `sh -c` hands on the same bytes; Windows paths get forward slashes."""
    if platform == "win32":
        word = word.replace("\\", "/")  # Git Bash, which the client uses there, eats backslashes
    for special in '\\"$`':
        word = word.replace(special, "\\" + special)
    return f'"{word}"'


def command(hook: Hook, python: str, root: str, platform: str = sys.platform) -> str:
    """The shell command of one row: `"<python>" -I -S "<root>/hooks/<script>" [page]`; both paths absolute."""
    words = [quote(word, platform) for word in (python, f"{root.rstrip('/')}/hooks/{hook.script}")]
    if hook.host:
        # Gemini CLI and Qwen Code put the environment's values for $NAME into each string of their settings.
        words = [word.replace("\\$", '\\$""') for word in words]
    return " ".join((words[0], *FLAGS, words[1], *hook.arguments))


def entry(hook: Hook, python: str, root: str, platform: str = sys.platform) -> dict[str, Any]:
    """The element that the client expects in `hooks.<event>`."""
    run = {"type": "command", "command": command(hook, python, root, platform), "timeout": hook.timeout}
    return {"matcher": hook.matcher, "hooks": [run]} if hook.matcher else {"hooks": [run]}


def entries(
    python: str, root: str, platform: str = sys.platform, hooks: tuple[Hook, ...] = HOOKS
) -> dict[str, list[dict[str, Any]]]:
    """The whole `hooks` object: event -> its elements, in the order of the table."""
    found: dict[str, list[dict[str, Any]]] = {}
    for hook in hooks:
        found.setdefault(hook.event, []).append(entry(hook, python, root, platform))
    return found


def example() -> str:
    """The text of settings.example.json."""
    return json.dumps({"hooks": entries(EXAMPLE_PYTHON, EXAMPLE_ROOT, "linux")}, indent=2) + "\n"


def plugin_hooks() -> str:
    """The text of hooks/hooks.json: the same rows for the client's plugin mechanism."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for hook in HOOKS:
        words = (PLUGIN_PYTHON, *FLAGS, f'"{PLUGIN_ROOT}/hooks/{hook.script}"', *hook.arguments, PLUGIN_OPTION)
        row = entry(hook, "", "")
        row["hooks"][0]["command"] = " ".join(words)
        groups.setdefault(hook.event, []).append(row)
    return json.dumps({"hooks": groups}, indent=2) + "\n"
