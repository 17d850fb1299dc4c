"""MEMORY.md: one line a memory, mended from what is there and never written anew. Req: A3, design rule 8."""

from __future__ import annotations

import re

from lib.memory import files, lock, store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LINE_LIMIT = 150  # characters of one entry, not reached
LOAD_LINES = 200
LOAD_BYTES = 25_000
_ENTRY = re.compile(r"[-*+] \[((?:[^\]\\\n]|\\.){0,300})\]\(<?([^()<>\n]{1,300})>?\)(.{0,2000})")
_HEADING = "# Memory Index"


def target(line: str) -> str:
    """The memory file that an index line stands for, or "" for any other line."""
    match = _ENTRY.match(line)
    file = match[2].removeprefix("./").strip() if match else ""
    return file if file.endswith(".md") and "/" not in file and "\\" not in file and ":" not in file else ""


def hooks(text: str) -> dict[str, str]:
    """file -> what its line says of it (title and hook)."""
    found: dict[str, str] = {}
    for line in text.split("\n"):
        match = _ENTRY.match(line)
        if match and (file := target(line)):
            found.setdefault(file, f"{match[1]} {match[3].strip(' -—–:')}".strip())
    return found


def line_for(memory: store.Memory) -> str:
    """`- [Title](file.md) — hook`, one line, under LINE_LIMIT characters; what could end the link is escaped."""
    title = _one_line(memory.name.replace("-", " ").replace("_", " ")) or memory.file[:-3]
    title = _short(title[:1].upper() + title[1:], 48)
    link = f"<{memory.file}>" if set(memory.file) & set(" ()") else memory.file
    escaped = re.sub(r"([][\\])", r"\\\1", title)
    start = f"- [{escaped}]({link}) — "
    return start + _short(_one_line(memory.statement), max(24, LINE_LIMIT - 1 - len(start)))


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
        return "\n".join([*kept, "", *added, ""])
    return "\n".join([*kept[:first], *added, *kept[first:]])


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
        before = files.read(directory, store.INDEX, 4_000_000).decode("utf-8-sig", "surrogateescape")
    except FileNotFoundError:
        before = ""
    files.sweep(directory)
    listed = set(hooks(before))
    present = sorted(store.entries(directory), key=lambda entry: (-entry.mtime_ns, entry.file))
    lines = {
        entry.file: line_for(memory)
        for entry in present
        if entry.file not in listed and (memory := store.load(directory, entry.file))
    }
    after = reconcile(renewed(before, changed or {}), [entry.file for entry in present], lines)
    if after == before:
        return False
    files.write(directory, store.INDEX, after.encode("utf-8", "surrogateescape"))
    return True


def within_limits(text: str) -> str:
    """The part of an index that is loaded: both limits held at a line end, a WARNING names what was left out."""
    rows = text.split("\n")
    while rows and not rows[-1].strip():
        rows.pop()
    size = count = 0
    for row in rows:
        size += len(row.encode("utf-8", "replace")) + 1
        if count == LOAD_LINES or size > LOAD_BYTES:
            break
        count += 1
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
