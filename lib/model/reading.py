"""The Read tool: numbered lines of one file, staged changes included. Req: B4."""

from __future__ import annotations

from collections.abc import Mapping

from lib.model.sandbox import FILE_BYTES, Sandbox, ToolError, number, words

LINES = 2000
LINE_CHARACTERS = 2000
SHOWN_CHARACTERS = 40_000


def read(sandbox: Sandbox, tool_input: Mapping[str, object]) -> str:
    """Lines `offset`, `offset + 1`, … (from 1, at most `limit`) as `number<TAB>line`. Raises ToolError."""
    given = words(tool_input, "file_path")
    path = sandbox.place(given)
    try:
        data = sandbox.bytes_of(path, FILE_BYTES + 1)
    except FileNotFoundError:
        raise ToolError(f"There is no file {given!r}; look with Glob.") from None
    except IsADirectoryError:
        raise ToolError(f"{given!r} is a folder; list it with Glob.") from None
    except OSError as error:
        raise ToolError(f"{given!r} cannot be read: {error.strerror or 'unreadable'}.") from None
    if b"\0" in data[:4096]:
        raise ToolError(f"{given!r} is not a text file.")
    text = data[:FILE_BYTES].decode("utf-8", "replace")
    lines = text.split("\n")
    start = number(tool_input, "offset", 1, 1, len(lines) + 1) - 1
    wanted = range(start, min(len(lines), start + number(tool_input, "limit", LINES, 1, LINES)))
    shown, whole = _numbered(lines, wanted)
    relative = sandbox.overlay.relative(path)
    if relative is not None and len(data) <= FILE_BYTES and "\ufffd" not in text:
        sandbox.overlay.show(relative, text, whole)
    return shown if text else "(the file is empty)"


def _numbered(lines: list[str], wanted: range) -> tuple[str, range]:
    """The text to show, and which lines of it were shown uncut (up to the first cut one)."""
    out: list[str] = []
    size, whole = 0, len(wanted)
    for count, index in enumerate(wanted):
        line = lines[index].removesuffix("\r")
        if len(line) > LINE_CHARACTERS:
            line = line[:LINE_CHARACTERS] + f" … (line cut, {len(line)} characters)"
            whole = min(whole, count)
        size += len(line) + 8
        if size > SHOWN_CHARACTERS:
            whole = min(whole, count)
            out.append(f"(cut here; go on with offset {index + 1})")
            break
        out.append(f"{index + 1:>6}\t{line}")
    else:
        rest = len(lines) - (wanted.stop if wanted else len(lines))
        if rest > 0:
            out.append(f"({rest} more lines; go on with offset {wanted.stop + 1})")
    return "\n".join(out), range(wanted.start, wanted.start + whole)
