"""The Grep and Glob tools: our own, inside the roots, bounded in files, bytes, matches and CPU seconds. Req: B4."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping

from lib.model.credentials import is_credential
from lib.model.expressions import CpuLimit, TooSlow, finder
from lib.model.files_inside import walk
from lib.model.sandbox import FILE_BYTES, Sandbox, ToolError, words
from lib.model.wildcards import PathPattern

MATCHES = 200
LINE_CHARACTERS = 300
SEARCHED_BYTES = 30_000_000
SEARCHED_FILES = 5_000
CPU_SECONDS = 5.0


def glob(sandbox: Sandbox, tool_input: Mapping[str, object]) -> str:
    """Paths of the files below `path` that match `pattern`, one a line. Raises ToolError."""
    start = _start(sandbox, tool_input)
    pattern = PathPattern(words(tool_input, "pattern"))
    found: list[str] = []
    for path in _files(sandbox, start):
        if pattern.matches(os.path.relpath(path, start)):
            if len(found) == MATCHES:
                found.append(f"(more than {MATCHES}; narrow the pattern)")
                break
            found.append(path)
    return "\n".join(found) or "No file matches."


def grep(sandbox: Sandbox, tool_input: Mapping[str, object]) -> str:
    """Files below `path` (default), or `path:line:text` with output_mode `content`. Raises ToolError."""
    start = _start(sandbox, tool_input)
    mode = tool_input.get("output_mode") or "files_with_matches"
    if mode not in ("files_with_matches", "content"):
        raise ToolError("output_mode is files_with_matches or content.")
    matches = finder(
        words(tool_input, "pattern"),
        literal=tool_input.get("literal") is True,
        ignore_case=tool_input.get("ignore_case") is True or tool_input.get("-i") is True,
    )
    only = PathPattern(words(tool_input, "glob")) if tool_input.get("glob") is not None else None
    paths = (p for p in _files(sandbox, start) if only is None or only.matches(os.path.relpath(p, start)))
    found: list[str] = []
    try:
        with CpuLimit(CPU_SECONDS):
            for line in _hits(sandbox, paths, matches, mode == "content"):
                found.append(line)
                if len(found) == MATCHES:
                    found.append(f"(stopped at {MATCHES}; narrow the search)")
                    break
    except TooSlow:
        found.append("(stopped: the search took too long; use a simpler pattern or literal: true)")
    return "\n".join(found) or "No match."


def _start(sandbox: Sandbox, tool_input: Mapping[str, object]) -> str:
    given = tool_input.get("path")
    if given is None or given == "":
        return sandbox.project()
    path = sandbox.place(given)
    if not os.path.exists(path) and sandbox.overlay.relative(path) is None and path != sandbox.overlay.root:
        raise ToolError(f"There is no {given!r}; look with Glob from a folder above.")
    return path


def _files(sandbox: Sandbox, start: str) -> Iterator[str]:
    """Files at or below `start`, staged ones included, credentials left out."""
    seen = set()
    for path in walk(start):
        seen.add(path)
        if not is_credential(path, sandbox.roots):
            yield path
    for name in sandbox.overlay.staged_names():
        path = os.path.join(sandbox.overlay.root, name)
        if path not in seen and (path == start or path.startswith(start.rstrip(os.sep) + os.sep)):
            yield path


def _hits(sandbox: Sandbox, paths: Iterator[str], matches: Callable[[str], bool], lines: bool) -> Iterator[str]:
    left = SEARCHED_BYTES
    for count, path in enumerate(paths):
        if count == SEARCHED_FILES or left <= 0:
            yield "(stopped: too much to search; narrow path or glob)"
            return
        try:
            data = sandbox.bytes_of(path)
        except OSError:
            continue
        left -= len(data)
        if b"\0" in data[:4096]:
            continue
        if len(data) == FILE_BYTES:
            data = data[: data.rfind(b"\n") + 1]
        for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
            if matches(line):
                yield f"{path}:{number}:{line[:LINE_CHARACTERS].rstrip()}" if lines else path
                if not lines:
                    break
