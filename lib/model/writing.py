"""The Write and Edit tools: they stage whole texts of memory files and never touch the disk. Req: B3, B4, B5, J1.

A model that saw only part of a file cannot overwrite the rest: an existing file must have been read whole first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lib.memory.store import INDEX, fold
from lib.model.overlay import MAX_TEXT_BYTES
from lib.model.paths import Refused, writable
from lib.model.sandbox import Sandbox, ToolError, words

# A model that saves tokens writes "rest of the file unchanged" and so deletes the rest.
PLACEHOLDER = re.compile(
    r"^\W{0,8}(?:the )?(?:rest|remainder|remaining)\b[^\n]{0,60}\b(?:unchanged|as before|omitted)\W{0,8}$"
    r"|^\W{0,4}(?:\.\.\.|…|[\[(<])\W{0,6}(?:unchanged|existing|previous|same)\b[^\n]{0,40}(?:\.\.\.|…|[\])>])\W{0,4}$",
    re.IGNORECASE | re.MULTILINE,
)


def write(sandbox: Sandbox, tool_input: Mapping[str, object]) -> str:
    """Stage `content` as the whole text of a memory file. Raises ToolError."""
    name = _target(sandbox, tool_input)
    content = words(tool_input, "content")
    present = _present(sandbox, name)
    if present is not None and not sandbox.overlay.read_whole(name, present):
        raise ToolError(f"{name} exists; Read it whole first, then Edit or Write it.")
    return _stage(sandbox, name, content, present)


def edit(sandbox: Sandbox, tool_input: Mapping[str, object]) -> str:
    """Stage a memory file with the one occurrence of `old_string` replaced by `new_string`. Raises ToolError."""
    name = _target(sandbox, tool_input)
    old, new = words(tool_input, "old_string"), words(tool_input, "new_string")
    present = _present(sandbox, name)
    if present is None:
        raise ToolError(f"There is no memory file {name}; create it with Write.")
    if not sandbox.overlay.read_whole(name, present):
        raise ToolError(f"Read {name} whole before you edit it.")
    if "\r\n" in present and "\r\n" not in old:
        # Read shows lines without their carriage returns, so the model cannot repeat them.
        old, new = old.replace("\n", "\r\n"), new.replace("\r\n", "\n").replace("\n", "\r\n")
    if not old:
        raise ToolError("old_string is empty; give the exact text to replace.")
    if old == new:
        raise ToolError("old_string and new_string are the same; nothing would change.")
    found = present.count(old)
    if found != 1:
        problem = "does not occur" if found == 0 else f"occurs {found} times"
        raise ToolError(f"old_string {problem} in {name}; give an exact text that occurs once.")
    return _stage(sandbox, name, present.replace(old, new), present)


def _target(sandbox: Sandbox, tool_input: Mapping[str, object]) -> str:
    place = writable(tool_input.get("file_path"), sandbox.scope.memory_dir)
    if isinstance(place, Refused):
        raise ToolError(place.reason)
    name = place.path
    if fold(name.rpartition("/")[2]) == fold(INDEX):
        raise ToolError("MEMORY.md is the index and is kept by the program; write only the memory files.")
    return name


def _present(sandbox: Sandbox, name: str) -> str | None:
    try:
        return sandbox.overlay.current(name)
    except UnicodeDecodeError:
        raise ToolError(f"{name} is not UTF-8 text and is left as it is; use another name.") from None
    except OSError as error:
        raise ToolError(f"{name} cannot be read ({error.strerror or 'unreadable'}); use another name.") from None


def _stage(sandbox: Sandbox, name: str, text: str, present: str | None) -> str:
    if not text.strip():
        raise ToolError(f"The new text of {name} is empty; a memory states one fact.")
    size = len(text.encode("utf-8"))
    if size > MAX_TEXT_BYTES:
        raise ToolError(f"The new text of {name} has {size:,} bytes, over {MAX_TEXT_BYTES:,}; state one fact briefly.")
    if PLACEHOLDER.search(text):
        raise ToolError(f"The new text of {name} has a placeholder for the rest; give the whole text.")
    if sandbox.overlay.full(name):
        raise ToolError("Too many files were changed in this run; stop here.")
    twin = sandbox.overlay.twin(name) if present is None else ""
    if twin:
        raise ToolError(f"{name} could be taken for the existing {twin}; update that one or choose another name.")
    problem = sandbox.check(name, text)
    if problem:
        raise ToolError(problem)
    sandbox.overlay.stage(name, text, present)
    return f"{'Updated' if present is not None else 'Created'} {name} ({size} bytes)."
