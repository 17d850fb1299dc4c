"""MEMORY.md: one line a memory, mended from what is there and never written anew. Req: A3, design rule 8."""

from __future__ import annotations

import re

from lib.memory import files, lock, store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LINE_LIMIT = 150  # characters of one entry, not reached
LOAD_LINES = 200
LOAD_BYTES = 25_000
NEWEST = 100  # memories whose lines must not be the ones that are cut off
READ_LIMIT = 4_000_000  # bytes of an index; a longer one is no index and is left alone
# A title may hold escaped brackets and balanced ones; a target in <> may hold what would end a bare one.
_ENTRY = re.compile(
    r"[-*+] \[((?:[^][\\\n]|\\.|\[[^][\\\n]{0,100}\]){0,300})\]\((?:<([^<>\n]{1,300})>|([^()<>\n]{1,300}))\)(.{0,2000})"
)
_BARE = frozenset(" ()\\:")  # a file name with one of these needs <> around it
_IN_TITLE = str.maketrans("-_[]\\", "  ()/")
_HEADING = "# Memory Index"


def target(line: str) -> str:
    """The memory file that an index line stands for, or "" for any other line."""
    match = _ENTRY.match(line)
    if not match:
        return ""
    file = match[2] or match[3].removeprefix("./").strip()
    if not file.endswith(".md") or "/" in file or (match[3] and not {":", "\\"}.isdisjoint(file)):
        return ""
    return file


def hooks(text: str) -> dict[str, str]:
    """file -> what its line says of it (title and hook)."""
    found: dict[str, str] = {}
    for line in text.split("\n"):
        match = _ENTRY.match(line)
        if match and (file := target(line)):
            found.setdefault(file, f"{match[1]} {match[4].strip(' -—–:')}".strip())
    return found


def line_for(memory: store.Memory) -> str:
    """`- [Title](file.md) — hook`, one line, under LINE_LIMIT characters; what could end the title is left out.

    A file name that leaves no room for words (over 130 characters) makes a longer line.
    """
    link = memory.file if _BARE.isdisjoint(memory.file) else f"<{memory.file}>"
    room = LINE_LIMIT - 1 - len(f"- []({link}) — ")
    title = _one_line(memory.name.translate(_IN_TITLE)) or _one_line(memory.file[:-3].translate(_IN_TITLE)) or "Memory"
    title = _short(title[:1].upper() + title[1:], max(3, min(48, room // 2)))
    return f"- [{title}]({link}) — {_short(_one_line(memory.statement), max(3, room - len(title)))}"


def reconcile(text: str, present: Iterable[str], missing_line: dict[str, str]) -> str:
    """The index for the files `present`: order and wording kept, dead and repeated lines dropped, new lines on top.

    `missing_line` gives a line for each file that may have none yet, newest first: what is cut is cut from the end,
    so the newest stands where it survives.
    """
    alive = set(present)
    newline = "\r\n" if "\r\n" in text else "\n"
    kept: list[str] = []
    seen: set[str] = set()
    for line in text.split("\n"):
        file = target(line)
        if not file or (file in alive and file not in seen):
            kept.append(line)
        seen.update({file} - {""})
    added = [line + newline[:-1] for file, line in missing_line.items() if file in alive and file not in seen]
    if not added:
        return "\n".join(kept)
    if not any(line.strip() for line in kept):
        return newline.join([_HEADING, ""] + [line.rstrip("\r") for line in added]) + newline
    first = next((i for i, line in enumerate(kept) if target(line)), None)
    if first is None:
        while kept and not kept[-1].strip():
            kept.pop()
        return newline.join(line.rstrip("\r") for line in [*kept, "", *added, ""])
    return "\n".join([*kept[:first], *added, *kept[first:]])


def newest_in_view(text: str, newest: Sequence[str]) -> str:
    """The index with its newest lines first when it is over a limit and one of them would be cut off; else as it is.

    Whoever appends at the end (a correction, mostly) would lose just that line, while what it corrects stays.
    """
    rows = text.split("\n")
    fresh = {file: age for age, file in enumerate(newest[:NEWEST])}
    if fresh.keys().isdisjoint(map(target, rows[loaded(rows) :])):
        return text
    first = next(at for at, row in enumerate(rows) if target(row))
    ahead = sorted((row for row in rows if target(row) in fresh), key=lambda row: fresh[target(row)])
    behind = [row for row in rows[first:] if target(row) not in fresh]
    return "\n".join([*rows[:first], *ahead, *behind])


def loaded(rows: Sequence[str]) -> int:
    """How many of the lines are loaded: as many as both limits hold, whole."""
    size, count = -1, 0  # the last line's end is not loaded
    for row in rows:
        size += len(row.encode("utf-8", "replace")) + 1
        if count == LOAD_LINES or size > LOAD_BYTES:
            break
        count += 1
    return count


def renewed(text: str, lines: Mapping[str, tuple[str, str]]) -> str:
    """The index with the lines of changed memories brought up to date: file -> (our line before, our line now).

    A line that somebody worded otherwise stays.
    """
    rows = text.split("\n")
    for at, row in enumerate(rows):
        before, now = lines.get(target(row), ("", ""))
        if before and row.rstrip("\r") == before:
            rows[at] = row.replace(before, now)
    return "\n".join(rows)


def mend(directory: str) -> bool:
    """Bring MEMORY.md in line with the files, under the directory's lock; True when it had to be written."""
    with lock.held(directory):
        return mend_locked(directory)


def mend_locked(directory: str, changed: Mapping[str, tuple[str, str]] | None = None) -> bool:
    try:
        raw = files.read(directory, store.INDEX, READ_LIMIT + 1)
    except FileNotFoundError:
        raw = b""
    if len(raw) > READ_LIMIT:
        return False
    before = raw.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    files.sweep(directory)
    listed = set(hooks(before))
    present = sorted(store.entries(directory), key=lambda entry: (-entry.mtime_ns, entry.file))
    lines = {
        entry.file: line_for(memory)
        for entry in present
        if entry.file not in listed and _listable(entry.file) and (memory := store.load(directory, entry.file))
    }
    after = reconcile(renewed(before, changed or {}), [entry.file for entry in present], lines)
    after = newest_in_view(after, [entry.file for entry in present])
    if after == before:
        return False
    files.write(directory, store.INDEX, after.encode("utf-8", "surrogateescape"))
    return True


def _listable(file: str) -> bool:
    """Whether a line can name the file: it is added only when the next look will find it again."""
    return file.isprintable() and "/" not in file and "<" not in file and ">" not in file


def within_limits(text: str) -> str:
    """The part of an index that is loaded: both limits held at a line end, a WARNING names what was left out."""
    rows = text.split("\n")
    while rows and not rows[-1].strip():
        rows.pop()
    count = loaded(rows)
    if count == len(rows):
        return "\n".join(rows)
    warning = (
        f"WARNING: MEMORY.md has {len(rows)} lines and {len(text.encode('utf-8', 'replace'))} bytes; at most "
        f"{LOAD_LINES} lines and {LOAD_BYTES} bytes are loaded. {len(rows) - count} lines were left out, the first one "
        f"is line {count + 1}: {_short(_one_line(rows[count]), 100)!r}. Keep one line a memory, under {LINE_LIMIT} "
        "characters, and move detail into the topic files."
    )
    return "\n".join([*rows[:count], "", warning])


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _short(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[limit // 2 :] else cut).rstrip(" ,;:") + "…"
