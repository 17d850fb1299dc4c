"""What the last turns worked with: tool names and files from the transcript's end, by one small read. Req: C1."""

from __future__ import annotations

import os

TAIL = 48_000  # bytes; a reply with its tool calls is mostly far shorter
MOST = 8  # of each
LONGEST = 300  # bytes of a name or a path
# Inside a JSON string each quote has a backslash before it, so quoted or pasted transcripts do not look like this.
_USE = (b'"type":"tool_use"', b'"type": "tool_use"')
_PATHS = (b'"file_path":', b'"notebook_path":')


def used(transcript: str) -> tuple[list[str], list[str]]:
    """(tool names, file paths as the tools were given them), newest first, at most MOST of each; never raises."""
    tools: dict[str, None] = {}
    files: dict[str, None] = {}
    lines = _tail(transcript).split(b"\n")
    for line in reversed(lines):
        if not any(mark in line for mark in _USE):
            continue
        for mark in _USE:
            for part in line.split(mark)[1:]:
                if name := _after(part, b'"name":'):
                    tools[name] = None
                for key in _PATHS:
                    if path := _after(part, key):
                        files[path] = None
        if len(tools) >= MOST and len(files) >= MOST:
            break
    return list(tools)[:MOST], list(files)[:MOST]


def _tail(path: str) -> bytes:
    if not os.path.isabs(path) or "\0" in path:
        return b""
    try:
        # Not blocking: what the host names could be a pipe.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return b""
    try:
        size = os.fstat(descriptor).st_size
        os.lseek(descriptor, max(0, size - TAIL), os.SEEK_SET)
        return os.read(descriptor, TAIL)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def _after(text: bytes, key: bytes) -> str:
    """The plain string behind a key, "" when there is none or it holds an escape."""
    rest = text.partition(key)[2].lstrip()[: LONGEST + 2]
    value, closed, _ = rest[1:].partition(b'"')
    if rest[:1] != b'"' or not closed or b"\\" in value:
        return ""
    return value.decode("utf-8", "replace")
