"""Exactly one path writes in a turn: did the main agent itself write a memory in this one? Req: B2, B6."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.host.call import Call
    from lib.host.transcript import Turn

WRITERS = frozenset(("Write", "Edit", "MultiEdit", "NotebookEdit"))


def inside(path: str, memory: str, launch: str) -> bool:
    """Whether a tool's path lies in the memory directory, whatever links and `..` it is written with."""
    if not path or not memory or "\0" in path:
        return False
    return os.path.realpath(os.path.join(launch, path)).startswith(os.path.realpath(memory) + os.sep)


def wrote_memory(turn: Turn, memory: str, launch: str) -> bool:
    """True when a writing tool of the main agent was given a path inside the memory directory in this turn."""
    return any(tool.name in WRITERS and inside(tool.path, memory, launch) for tool in turn.tools)


def memory_written(call: Call) -> str:
    """The memory file that a tool has just written, relative to the directory, or ""."""
    tool, given = call.payload.text("tool_name"), call.payload.mapping("tool_input")
    path = next((value for key in ("file_path", "notebook_path") if isinstance(value := given.get(key), str)), "")
    if tool not in WRITERS or not path.endswith(".md"):
        return ""
    cwd = call.payload.text("cwd") or call.launch
    if call.off() or not inside(path, call.memory, cwd):
        return ""
    return os.path.relpath(os.path.realpath(os.path.join(cwd, path)), os.path.realpath(call.memory))
