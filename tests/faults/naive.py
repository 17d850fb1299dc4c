"""Writers as one would write them without thinking of faults, and one that does: what the sweep has to tell apart.

usage: python naive.py WAY MEMORY_DIR        one turn's work, done in that way; "whole" is the sound one
"""
from __future__ import annotations

import os
import sys
from pathlib import Path

SAID = "the staging server is called otter\n"
LINE = "- [Otter](otter.md) \u2014 the staging server\n"


def in_place(path: Path, text: str) -> None:
    """Torn by whatever stops it: the old text is gone before the new one is there."""
    with path.open("w") as file:
        file.write(text[: len(text) // 2])
        file.flush()
        os.fsync(file.fileno())
        file.write(text[len(text) // 2 :])


def renamed(path: Path, text: str, *, tidy: bool) -> None:
    """Whole at every moment; without `tidy` a fault leaves the temporary file for ever."""
    temp = path.with_name(f"{path.name}.{os.getpid() if not tidy else ''}.tmp")
    try:
        in_place(temp, text)
        os.replace(temp, path)
    finally:
        if tidy:
            temp.unlink(missing_ok=True)


def appended(path: Path, line: str) -> None:
    """Twice the same line when it is called twice."""
    with path.open("a") as file:
        file.write(line)


def work(way: str, folder: Path) -> None:
    text = (folder / "package-manager.md").read_text().replace("pnpm.", "pnpm, always.")
    if way == "in place":
        in_place(folder / "package-manager.md", text)
    else:
        renamed(folder / "package-manager.md", text, tidy=way != "untidy")
    renamed(folder / "otter.md", SAID, tidy=way != "untidy")
    index = folder / "MEMORY.md"
    if way == "appending":
        appended(index, LINE)
    elif LINE not in index.read_text():
        renamed(index, index.read_text() + LINE, tidy=way != "untidy")


if __name__ == "__main__":
    try:
        work(sys.argv[1], Path(sys.argv[2]))
    except (OSError, MemoryError):
        if sys.argv[1] == "loud":
            raise
