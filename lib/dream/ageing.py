"""What time does to memories: relative dates become absolute, dated facts that are over are marked. Req: G3, A6."""

from __future__ import annotations

import datetime
import re

from lib.dream.shelf import Shelf
from lib.memory import checks, dates, frontmatter
from lib.memory.store import Memory

# Code, quotations and links are somebody's exact words; a habit ("before every release") is no date.
_EXACT = re.compile(r"(`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”|'[^'\n]{3,}'|\[\[[^\]\n]*\]\]|https?://\S+)")
_HABIT = re.compile(r"\b(?:always|never|every|each|whenever|when|daily|usually|immer|jeden|jede)\b", re.I)
_EARLIER = "Earlier, until "
_OVER = re.compile(
    r"\b(?:until|till|through|by|before|due(?: on)?|deadline(?: is| of|:)?|expires?(?: on)?|ends?(?: on)?|"
    r"scheduled for|planned for|frozen|freeze|bis)\b[^.\n]{0,40}?\b(20\d\d-\d\d-\d\d)\b",
    re.I,
)
_DAY = re.compile(r"\b20\d\d-\d\d-\d\d\b")


def make_dates_absolute(shelf: Shelf) -> None:
    """Stage each memory whose dates are counted from the day it was written; what is older than the file stays."""
    for file in shelf.files():
        memory = shelf.memory(file)
        day = written_on(memory)
        description, body = _absolute(memory.description, day), _absolute(memory.body, day)
        if (description, body) == (memory.description, memory.body):
            continue
        document = frontmatter.parse(shelf.now[file] or "")
        if document.problem:
            continue
        fields = dict(document.fields)
        if isinstance(given := fields.get("description"), str):
            fields["description"] = _absolute(given, day)
        text = frontmatter.dump(fields, _absolute(document.body, day), document.newline)
        shelf.stage(file, text, f"relative dates counted from {day.isoformat()}")


def mark_expired(shelf: Shelf, today: datetime.date) -> None:
    """Stage a mark on each project fact whose last date is over; marked once."""
    for file in shelf.files():
        memory = shelf.memory(file)
        if memory.type != "project" or memory.fields.get("metadata.expired") or not _OVER.search(memory.description):
            continue
        last = max(_DAY.findall(memory.description))
        if last >= today.isoformat():
            continue
        document = frontmatter.parse(shelf.now[file] or "")
        if document.problem:
            continue
        fields = dict(document.fields)
        inner = fields.get("metadata")
        fields["metadata"] = {**(inner if isinstance(inner, dict) else {}), "expired": last}
        marked = f"(over since {last}) {fields.get('description', '')}"
        if len(marked) <= checks.DESCRIPTION_LIMIT:
            fields["description"] = marked
        shelf.stage(file, frontmatter.dump(fields, document.body, document.newline), f"over since {last}")


def written_on(memory: Memory) -> datetime.date:
    """The day a memory was written: what its provenance says, else the file's time."""
    for key in ("metadata.noted", "metadata.modified", "metadata.created", "created"):
        try:
            return datetime.date.fromisoformat(memory.fields.get(key, "")[:10])
        except ValueError:
            continue
    try:
        return datetime.date.fromtimestamp(memory.mtime)
    except (OverflowError, ValueError, OSError):
        return datetime.date.today()


def _absolute(text: str, day: datetime.date) -> str:
    fenced = False
    lines = []
    for line in text.split("\n"):
        fenced ^= line.lstrip().startswith("```")
        if not (fenced or line.startswith((_EARLIER, "  ", ">", "#")) or _HABIT.search(line)):
            parts = _EXACT.split(line)
            # A weekday alone may be a habit ("no deploys on Friday"): it stays.
            parts[::2] = [dates.absolute(part, day, weekdays=False) for part in parts[::2]]
            line = "".join(parts)
        lines.append(line)
    return "\n".join(lines)
