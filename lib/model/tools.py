"""The tools an agent is offered, small and always the same bytes, and how one call becomes one result. Req: B4, B7."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lib.model.permission import can_use_tool
from lib.model.reading import read
from lib.model.sandbox import Sandbox, ToolError
from lib.model.searching import glob, grep
from lib.model.shell import bash
from lib.model.stream import Call
from lib.model.writing import edit, write

RESULT_CHARACTERS = 60_000


def run_bash(sandbox: Sandbox, tool_input: Mapping[str, object]) -> str:
    """The Bash tool: the read-only shell. Raises ToolError."""
    text, failed = bash(tool_input, sandbox.scope)
    if failed:
        raise ToolError(text)
    return text


TOOLS: Mapping[str, Callable[[Sandbox, Mapping[str, object]], str]] = {
    "Read": read,
    "Grep": grep,
    "Glob": glob,
    "Bash": run_bash,
    "Edit": edit,
    "Write": write,
}


@dataclass(frozen=True)
class Result:
    """What one call gave: `refused` when it was not allowed at all, `error` when the model should mend its call."""

    text: str
    error: bool = False
    refused: bool = False


def schemas() -> list[dict[str, Any]]:
    """The tool list of every request. Stable: it stands first in the cached prefix."""
    path = {"type": "string", "description": "Absolute, or the name of a memory file"}
    return [
        _schema(
            "Read",
            "Read a text file. Lines come numbered from 1. Call it for many files in one round.",
            {"file_path": path, "offset": {"type": "integer"}, "limit": {"type": "integer"}},
            ["file_path"],
        ),
        _schema(
            "Grep",
            "Search file contents for a regular expression, or for plain text with literal.",
            {
                "pattern": {"type": "string"},
                "path": {"type": "string", "description": "File or folder; the project when left out"},
                "glob": {"type": "string", "description": "Only files that match, such as *.md"},
                "output_mode": {"type": "string", "enum": ["files_with_matches", "content"]},
                "ignore_case": {"type": "boolean"},
                "literal": {"type": "boolean"},
            },
            ["pattern"],
        ),
        _schema(
            "Glob",
            "List files by name pattern, such as **/*.py.",
            {
                "pattern": {"type": "string"},
                "path": {"type": "string", "description": "Folder; the project when left out"},
            },
            ["pattern"],
        ),
        _schema(
            "Bash",
            "Run read-only commands in the project: ls, cat, grep, find, head, tail, sed -n, jq, wc, sort and the like,"
            " joined by | && || ;. Nothing is expanded but file patterns. Files of credentials (.env, keys) are left"
            " out, by grep -r .git too. Staged changes are not visible to it.",
            {"command": {"type": "string"}},
            ["command"],
        ),
        _schema(
            "Edit",
            "Replace one exact, unique text in a memory file that was read whole before.",
            {"file_path": path, "old_string": {"type": "string"}, "new_string": {"type": "string"}},
            ["file_path", "old_string", "new_string"],
        ),
        _schema(
            "Write",
            "Create a memory file, or replace one that was read whole before.",
            {"file_path": path, "content": {"type": "string"}},
            ["file_path", "content"],
        ),
    ]


def _schema(name: str, description: str, properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {
        "name": name,
        "description": description,
        "input_schema": {"type": "object", "properties": properties, "required": required},
    }


def run(call: Call, sandbox: Sandbox) -> Result:
    """Run one call in the sandbox. Every fault becomes a result; nothing is raised for what a model sent."""
    if call.input is None:
        return Result("The tool's input was not one JSON object; send it again, complete.", error=True)
    decision = can_use_tool(call.name, call.input, scope=sandbox.scope)
    if not decision.allowed:
        return Result(decision.reason, error=True, refused=True)
    tool = TOOLS.get(call.name)
    if tool is None:
        return Result(f"{call.name!r} is not available here.", error=True, refused=True)
    try:
        text = tool(sandbox, call.input)
    except ToolError as error:
        return Result(str(error), error=True)
    except OSError as error:
        return Result(f"{call.name} failed: {error.strerror or 'the file system refused'}.", error=True)
    if len(text) > RESULT_CHARACTERS:
        text = text[:RESULT_CHARACTERS] + "\n(cut; ask for less)"
    return Result(text)
