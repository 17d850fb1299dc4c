"""What reaches the person's terminal: as wide as it is, coloured where it may be, plain when piped.

Whatever is said here has been made visible first: text of a memory moves no cursor and reorders no line.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import unicodedata
from collections.abc import Mapping, Sequence

from lib.recall.escaping import visible

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"}
_ROOM = 40  # columns that a table's last cell must have; with fewer it stands on a line of its own
_LEAST = 20  # columns; a narrower terminal is treated as one of these


def is_terminal() -> bool:
    return sys.stdout.isatty()


def width() -> int:
    """Columns of the terminal; 0 when the output is not one, and then nothing is cut or wrapped."""
    return max(_LEAST, shutil.get_terminal_size((80, 24)).columns) if is_terminal() else 0


def coloured() -> bool:
    """Colour only for a terminal that has it and a person who has not switched it off (no-color.org)."""
    return is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "") not in ("", "dumb")


def paint(text: str, style: str) -> str:
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if style and text and coloured() else text


def cells(text: str) -> int:
    """How many columns a text takes: two for wide letters and emoji, none for marks that sit on the letter before."""
    return sum(_cell(c) for c in text)


def _cell(c: str) -> int:
    if c < "\u0300":
        return 1
    if unicodedata.category(c) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


def cut(text: str, limit: int) -> str:
    """At most `limit` columns of a text, its end marked when it was cut."""
    if cells(text) <= limit:
        return text
    kept, used = "", 0
    for c in text:
        used += _cell(c)
        if used >= limit:
            break
        kept += c
    return kept.rstrip() + "…"


def pad(text: str, columns: int) -> str:
    return text + " " * (columns - cells(text))


def wrapped(text: str, columns: int, indent: int) -> list[str]:
    """Lines of at most `columns`, broken at spaces where there are any, all but the first behind an indent."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        room = columns - (indent if lines else 0)
        if cells(line) + cells(word) + bool(line) <= room or not line.strip():
            line = f"{line} {word}" if line else word
        else:
            lines.append(line)
            line = word
        while cells(line) > (room := columns - (indent if lines else 0)):
            head = cut(line, room + 1)[:-1] if room > 1 else line[:1]
            if not head or len(head) >= len(line):
                break
            lines.append(head)
            line = line[len(head) :].lstrip()
    lines.append(line)
    return [lines[0], *(" " * indent + line for line in lines[1:])]


def say(text: str = "", label: str = "", style: str = "") -> None:
    """One or more lines; `label` stands before the text in its style. Wrapped to the terminal, whole when piped."""
    label, text = visible(label), visible(text)
    columns = width()
    for number, line in enumerate(text.split("\n")):
        start = label if number == 0 else ""
        whole = start + line
        rows = [whole]
        if columns and cells(whole) > columns:
            lead = len(line) - len(line.lstrip(" "))
            rows = wrapped(whole, columns, min(columns // 3, cells(start) + lead if start else lead + 2))
        first = rows[0]
        head = paint(first[: len(start)], style) + first[len(start) :]
        print("\n".join([head, *rows[1:]]))


def table(rows: Sequence[Sequence[str]], styles: Mapping[int, str] | None = None) -> None:
    """Rows of which the last cell takes what room is left; on a narrow terminal it stands on a line of its own."""
    shown = [[" ".join(visible(cell).split()) for cell in row] for row in rows]
    columns, painted = width(), styles or {}
    if not shown:
        return
    limits = [min(40, max(cells(row[at]) for row in shown)) for at in range(len(shown[0]) - 1)]
    narrow = columns and columns - sum(limit + 2 for limit in limits) < _ROOM
    for row in shown:
        if narrow:
            print(paint(cut("  ".join(row[:-1]), columns), painted.get(0, "")))
            print("\n".join(f"  {line}" for line in wrapped(row[-1], columns - 2, 0)))
            continue
        padded = [paint(pad(row[at], limit), painted.get(at, "")) for at, limit in enumerate(limits)]
        used = sum(max(cells(row[at]), limit) + 2 for at, limit in enumerate(limits))
        last = cut(row[-1], max(10, columns - used)) if columns else row[-1]
        print("  ".join([*padded, last]).rstrip())


def emit(record: Mapping[str, object]) -> None:
    """One JSON object on one line, in ASCII: whatever it holds is harmless to a terminal, too."""
    print(json.dumps(record, ensure_ascii=True))


def confirmed(question: str, yes: bool) -> bool | None:
    """The person's answer; True for --yes, None when there is nobody to ask."""
    if yes:
        return True
    if not (sys.stdin.isatty() and is_terminal()):
        return None
    try:
        return input(f"{visible(question)} [y/N] ").strip().lower() in ("y", "yes", "j", "ja", "o", "oui", "s", "si")
    except EOFError:
        return False
