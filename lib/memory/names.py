"""Which file names a memory may have: the same file on every system, inside, and safe to be shown. Req: B4."""

from __future__ import annotations

NAME_LIMIT = 128  # bytes a component, below every file system's own limit
DEPTH_LIMIT = 4  # components: logs/2026/11/2026-11-30.md
# Letters and marks without a shape of their own, which no category tells: fillers, joiners, variation selectors.
BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)
_EMPTY_BRAILLE = "\u2800"
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³"]
)


def unsafe_name(name: object) -> str:
    """Why this relative name may not be written, in one sentence, or "" when it may.

    A name is plain text, ends in .md, stays inside, means the same file on every system, and can be shown safely.
    """
    if not isinstance(name, str) or not name:
        return "a memory's file name must be non-empty text"
    parts = name.split("/")
    if len(parts) > DEPTH_LIMIT:
        return f"{len(parts)} folders deep: at most {DEPTH_LIMIT} components are allowed"
    for part in parts:
        if why := _unsafe_part(part):
            return why
    if any(part.lower().endswith(".md") for part in parts[:-1]):
        return "a memory file cannot be used as a folder"
    if not parts[-1].endswith(".md"):
        return "a memory's file name must end in .md"
    return ""


def _unsafe_part(part: str) -> str:
    import unicodedata  # here and not above: names are judged where something is written, and hooks read

    if part in ("", ".", ".."):
        return "the path must be relative, without empty, `.` or `..` components"
    if any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for c in part):
        return "the name holds a control, bidirectional or invisible character"
    if any(c in BLANK or c == _EMPTY_BRAILLE or (c.isspace() and c != " ") for c in part):
        return "the name holds a character that is drawn as nothing, or a space other than the plain one"
    for form in (part, unicodedata.normalize("NFKC", part)):
        if any(c in '/\\:*?"<>|%' for c in form if form is not part or c != "/"):
            return 'the name holds one of \\ / : * ? " < > | % or a character that becomes one'
        if form in (".", "..") or form.startswith((".", "-", "~", " ")) or form.endswith((".", " ")):
            return "the name starts with a dot, dash, tilde or space, or ends with a dot or space"
    if part.partition(".")[0].rstrip().lower() in _DEVICES:
        return "the name is reserved on Windows"
    if len(part.encode()) > NAME_LIMIT:
        return f"the name is longer than {NAME_LIMIT} bytes"
    return ""
