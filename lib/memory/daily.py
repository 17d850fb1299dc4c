"""The daily logs of KAIROS mode, `logs/YYYY/MM/YYYY-MM-DD.md`: bullets, appended and never rewritten. Req: G5, A8.

A bullet is a line `- 14:05:09 name [type]: statement`, then, indented, its provenance as a comment and the body of the
memory it may become.
"""

from __future__ import annotations

import datetime
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from lib.memory import files, frontmatter, store

LOGS = "logs"
BULLET = re.compile(r"- (\d\d:\d\d:\d\d) ([^\[\n]{1,120}) \[(\w{1,20})\]: (.{1,1000})")
_NAME = re.compile(r"(\d{4})-(\d\d)-(\d\d)\.md")
_INDENT = "  "


@dataclass(frozen=True)
class Bullet:
    """One statement: what a topic file would hold. `end` is the byte offset behind it in its log."""

    at: datetime.datetime
    name: str
    type: str
    statement: str
    body: str
    about: Mapping[str, object] = field(default_factory=dict)
    end: int = 0


def name_of(day: datetime.date) -> str:
    """The log of a day, relative to the memory directory."""
    return f"{LOGS}/{day.year:04d}/{day.month:02d}/{day.isoformat()}.md"


def text_of(memory_text: str, file: str, at: datetime.datetime, updates: str = "") -> str:
    """The bullet for a memory's whole text; `updates` is the digest of the version it was made from, "" for none."""
    memory = store.Memory(file, memory_text, 0.0)
    fields = frontmatter.parse(memory_text).fields
    metadata = fields.get("metadata")
    about: dict[str, object] = {k: v for k, v in metadata.items() if k != "type"} if isinstance(metadata, dict) else {}
    if applies := fields.get("applies"):
        about["applies"] = applies
    if updates:
        about["updates"] = updates
    # In a comment, and no text in it can end the comment.
    comment = json.dumps(about, ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e")
    said = _one_line(memory.statement) or "(nothing was said)"
    head = f"- {at:%H:%M:%S} {_one_line(file[:-3])[:100]} [{memory.type or 'project'}]: {said}"
    rows = [head, f"<!-- {comment} -->", *memory.body.strip("\r\n").split("\n")]
    return "\n".join([rows[0], *(_INDENT + row.rstrip() if row.strip() else "" for row in rows[1:])]) + "\n"


def append(directory: str, bullets: Iterable[str], day: datetime.date) -> str:
    """Add bullets to a day's log, each in one write; the log's name. Raises OSError."""
    name = name_of(day)
    for bullet in bullets:
        files.append(directory, name, bullet.encode("utf-8", "replace"))
    return name


def names(directory: str) -> list[str]:
    """Every log there is, oldest first."""
    found = []
    for folder, _, leaves in os.walk(os.path.join(directory, LOGS)):
        found += [
            name for leaf in leaves
            if (day := _day(leaf)) and os.path.relpath(os.path.join(folder, leaf), directory).replace(os.sep, "/")
            == (name := name_of(day))
        ]  # fmt: skip
    return sorted(found)


def read(directory: str, name: str, start: int = 0) -> list[Bullet]:
    """The bullets of a log behind a byte offset; what is none (a person's own notes) is passed over. Raises OSError."""
    day = _day(name.rpartition("/")[2])
    if day is None:
        raise ValueError(f"{name!r} is no daily log")
    data = files.read(directory, name, 1 << 24)
    found: list[Bullet] = []
    offset = start
    rows: list[str] = []
    for raw in [*data[start:].split(b"\n"), b"- "]:
        line = raw.decode("utf-8", "replace").rstrip("\r")
        if rows and not (line.startswith(_INDENT) or not line.strip()):
            found.append(_bullet(day, rows, min(offset, len(data))))
            rows = []
        if rows or BULLET.fullmatch(line):
            rows.append(line)
        offset += len(raw) + 1
    return found


def today(directory: str, day: datetime.date, limit: int = 4_000) -> str:
    """The last `limit` characters of a day's log at whole bullets, "" when there is none: what a recall may show."""
    try:
        text = files.read(directory, name_of(day), 1 << 24).decode("utf-8", "replace")
    except OSError:
        return ""
    if len(text) <= limit:
        return text
    cut = text[-limit:]
    at = cut.find("\n- ")
    return cut[at + 1 :] if at >= 0 else ""


def _bullet(day: datetime.date, rows: list[str], end: int) -> Bullet:
    match = BULLET.fullmatch(rows[0])
    assert match is not None  # only such a line opens a bullet
    body = [row.removeprefix(_INDENT) for row in rows[1:]]
    about: object = None
    if body and body[0].startswith("<!-- ") and body[0].endswith(" -->"):
        try:
            about = json.loads(body[0][5:-4])
        except (ValueError, RecursionError):
            about = None
        body = body[1:]
    hour, minute, second = (min(int(part), top) for part, top in zip(match[1].split(":"), (23, 59, 59), strict=True))
    at = datetime.datetime(day.year, day.month, day.day, hour, minute, second)
    text = "\n".join(body).strip("\n")
    return Bullet(at, match[2].strip(), match[3], match[4], text, about if isinstance(about, dict) else {}, end)


def _day(leaf: str) -> datetime.date | None:
    match = _NAME.fullmatch(leaf)
    try:
        return datetime.date(*(int(part) for part in match.groups())) if match else None
    except ValueError:
        return None


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:900]
