"""What an agent of ours may do with a tool: deny by default, each refusal with a reason it can act on. Req: B4."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lib.model import shell
from lib.model.paths import Refused, readable, writable
from lib.model.scope import Scope

__all__ = ["Decision", "Scope", "can_use_tool"]

MAX_PATTERN = 1000


@dataclass(frozen=True)
class Decision:
    """Whether a call may run; `reason` is one sentence for the model when it may not, else empty."""

    allowed: bool
    reason: str = ""


ALLOWED = Decision(True)


def can_use_tool(name: str, tool_input: Mapping[str, object], *, scope: Scope) -> Decision:
    """Whether this call may run in this scope. Never raises, whatever the model sent. Req: B4."""
    if not _is_object(tool_input):
        return Decision(False, "The tool's input must be one JSON object.")
    if name == "Read":
        return _read(tool_input.get("file_path"), scope)
    if name in ("Grep", "Glob"):
        return _search(name, tool_input, scope)
    if name in ("Edit", "Write"):
        target = writable(tool_input.get("file_path"), scope.memory_dir)
        return Decision(False, target.reason) if isinstance(target, Refused) else ALLOWED
    if name == "Bash":
        return _bash(tool_input, scope)
    return Decision(False, f"{str(name)[:60]!r} is not available here; use Read, Grep, Glob, Bash, Edit or Write.")


def _bash(tool_input: Mapping[str, object], scope: Scope) -> Decision:
    if tool_input.get("run_in_background"):
        return Decision(False, "Nothing runs in the background here; run the command and wait for it.")
    reason = shell.decide(tool_input.get("command"), scope)
    return Decision(False, reason) if reason else ALLOWED


def _is_object(value: object) -> bool:
    return isinstance(value, Mapping)


def _read(path: object, scope: Scope) -> Decision:
    place = readable(path, scope.memory_dir, scope.read_roots)
    return Decision(False, place.reason) if isinstance(place, Refused) else ALLOWED


def _search(name: str, tool_input: Mapping[str, object], scope: Scope) -> Decision:
    pattern = tool_input.get("pattern")
    if not isinstance(pattern, str) or not pattern:
        return Decision(False, "Give pattern as a non-empty string.")
    filters = [value for key in ("pattern", "glob") if isinstance(value := tool_input.get(key), str)]
    if any(len(value) > MAX_PATTERN for value in filters):
        return Decision(False, f"The pattern is longer than {MAX_PATTERN} characters; search for less.")
    if name == "Glob" and climbs(pattern):
        return Decision(False, "A glob pattern is relative and has no '..'; give the folder as path.")
    return _read(tool_input["path"], scope) if tool_input.get("path") is not None else ALLOWED


def climbs(pattern: str) -> bool:
    """True when a glob pattern is absolute or names a parent folder, so that it asks for another starting folder."""
    return pattern.startswith(("/", "~")) or ".." in pattern.replace("\\", "/").split("/")
