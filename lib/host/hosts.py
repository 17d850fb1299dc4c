"""Agents other than Claude Code that run our hooks: which ones, and their payloads in Claude Code's words.

A registered command names its host (`--host gemini`); Claude Code's commands name none and never load this module.
Req: I2.
"""

from __future__ import annotations

from lib.host.payload import Payload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol

    from lib.host.registration import Hook

    class Adapter(Protocol):
        """One host's module: what it calls things, and where it looks for hooks."""

        @property
        def NAME(self) -> str: ...
        @property
        def TITLE(self) -> str: ...
        @property
        def PROGRAM(self) -> str: ...
        @property
        def FILE(self) -> str:
            """The file in `folder` that holds {"hooks": {event: [...]}}."""

        @property
        def SECOND(self) -> int:
            """One second in the unit of its timeouts."""

        @property
        def PAGES(self) -> int:
            """How many pages of the index reach the model from its SessionStart."""

        @property
        def NOTE(self) -> str:
            """What a person has to know after registering."""

        @property
        def EVENTS(self) -> Mapping[str, str]:
            """Claude Code's name of an event -> its own."""

        @property
        def TOOLS(self) -> Mapping[str, str]:
            """Its own name of a tool -> Claude Code's."""

        def folder(self, env: Mapping[str, str], /) -> str: ...
        def adapt(self, fields: dict[str, object], /) -> None: ...
        def entry(self, raw: dict[str, object], /) -> dict[str, object]: ...


NAMES = ("codex", "gemini", "qwen")
OPTION = "--host"
# Left over from an outer Claude Code in whose shell another agent was started.
_CLAUDE_ALONE = ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT")


def adapter(name: str) -> Adapter:
    """The host of that name; raises ValueError for an unknown one."""
    if name == "codex":
        from lib.host import codex

        return codex
    if name == "gemini":
        from lib.host import gemini

        return gemini
    if name == "qwen":
        from lib.host import qwen

        return qwen
    raise ValueError(f"no such host: {name!r}")


def named(arguments: Sequence[str]) -> Adapter:
    """The host that a registered command names; raises ValueError when it names none that is known."""
    at = list(arguments).index(OPTION) + 1
    return adapter(arguments[at] if at < len(arguments) else "")


def translated(host: Adapter, given: Payload) -> Payload:
    """The payload as Claude Code would have sent it; what is unknown stays as it is."""
    fields = dict(given.fields)
    event, tool = given.text("hook_event_name"), given.text("tool_name")
    fields["hook_event_name"] = next((ours for ours, theirs in host.EVENTS.items() if theirs == event), event)
    if tool in host.TOOLS:
        fields["tool_name"] = host.TOOLS[tool]
    host.adapt(fields)
    return Payload(fields, given.problem)


def written_with(host: Adapter) -> str:
    """The tool with which the host writes a file."""
    return next(iter(host.TOOLS))


def environment(host: Adapter, env: Mapping[str, str]) -> dict[str, str]:
    """The environment without what would make this host look like Claude Code, and without its session summary."""
    # Gemini CLI and Qwen Code set CLAUDE_PROJECT_DIR themselves; in another host it is an outer agent's.
    stale = _CLAUDE_ALONE if f"{host.NAME.upper()}_PROJECT_DIR" in env else (*_CLAUDE_ALONE, "CLAUDE_PROJECT_DIR")
    # A summary would be written beside the host's own files, and no hook of the host gives it back after compaction.
    return {**{name: value for name, value in env.items() if name not in stale}, "DISABLE_AUTO_COMPACT": "1"}


def hooks(host: Adapter) -> tuple[Hook, ...]:
    """The host's rows of the table: those of Claude Code in its words, each command naming the host."""
    from lib.host.registration import HOOKS, Hook  # needs json, which no hook wants

    rows = []
    for hook in HOOKS:
        page = int(hook.arguments[0]) if hook.event == "SessionStart" else 0
        if hook.event not in host.EVENTS or page > host.PAGES:
            continue
        rows.append(
            Hook(
                host.EVENTS[hook.event], hook.script, *hook.arguments, OPTION, host.NAME,
                matcher="|".join(host.TOOLS) if hook.matcher else "",
                timeout=hook.timeout * host.SECOND,
                role=hook.event,
                host=host.NAME,
            )
        )  # fmt: skip
    return tuple(rows)
