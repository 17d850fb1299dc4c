"""Where memories can be taken in from: folders of the client that belong to no project any more, CLAUDE.md files."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

from lib.cli.place import Place
from lib.host import paths
from lib.memory import derivable, store

READ = 65_536  # bytes of a transcript in which its folder is looked for
TRANSCRIPTS = 20  # of one project, newest first, that are asked


@dataclass(frozen=True)
class Source:
    """A memory folder or an instruction file: its `path`, `count` of memories or sections, newest change (seconds,
    epoch), and what speaks for it."""

    path: str
    count: int
    modified: float
    note: str = ""
    likely: bool = False


def folders(place: Place) -> list[Source]:
    """The memory folders of other slugs, the likeliest first: a project's folder that is gone was renamed."""
    projects = os.path.join(place.config, "projects")
    try:
        names = sorted(os.listdir(projects))
    except OSError:
        return []
    found = []
    for name in names:
        memory = os.path.join(projects, name, "memory")
        entries = store.entries(memory)
        if not entries or _same(memory, place.memory):
            continue
        origin = _origin(os.path.join(projects, name))
        gone = bool(origin) and not os.path.isdir(origin)
        note = f"{origin}{' is gone' if gone else ''}" if origin else "where it was is not known"
        alike = os.path.basename(origin) == os.path.basename(place.root)
        newest = max(entry.mtime_ns for entry in entries) / 1e9
        found.append(Source(memory, len(entries), newest, note, gone or alike))
    return sorted(found, key=lambda source: (not source.likely, -source.modified, source.path))


def files(place: Place) -> list[Source]:
    """The instruction files of the project, and the person's own."""
    named = [os.path.join(place.root, name) for name in derivable.INSTRUCTIONS]
    found = []
    for path in [*named, os.path.join(place.config, "CLAUDE.md")]:
        try:
            count, modified = len(sections(_text(path))), os.stat(path).st_mtime
        except OSError:
            continue
        if count:
            found.append(Source(path, count, modified, "sections"))
    return found


def sections(text: str) -> list[tuple[str, str]]:
    """(heading, text) of each part of a Markdown file that says something; code fences hold no headings."""
    found: list[tuple[str, list[str]]] = [("", [])]
    fence = ""
    for line in text.replace("\r\n", "\n").split("\n"):
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~"):
            fence = "" if fence == mark else fence or mark
        if not fence and line.startswith("#") and line.lstrip("#").startswith(" "):
            found.append((line.lstrip("#").strip(), []))
        else:
            found[-1][1].append(line)
    return [(heading, body) for heading, lines in found if (body := "\n".join(lines).strip())]


def read(path: str) -> list[tuple[str, str]]:
    """The sections of a file; OSError passes through."""
    return sections(_text(path))


def _text(path: str) -> str:
    with open(path, "rb") as file:
        return file.read(1_000_000).decode("utf-8", "replace").removeprefix("\ufeff")


def _same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _origin(project: str) -> str:
    """The folder that a project's slug was made of, as one of its transcripts tells; "" when none does."""
    slug = os.path.basename(project)
    try:
        with os.scandir(project) as listing:
            rows = [item for item in listing if item.name.endswith(".jsonl") and item.is_file(follow_symlinks=False)]
        newest = sorted(rows, key=lambda item: -item.stat().st_mtime)[:TRANSCRIPTS]
    except OSError:
        return ""
    for item in newest:
        try:
            with open(item.path, "rb") as file:
                head = file.read(READ)
        except OSError:
            continue
        for part in head.split(b'"cwd":')[1:6]:
            if folder := _whose(part, slug):
                return folder
    return ""


def _whose(part: bytes, slug: str) -> str:
    """The folder named at the beginning of a JSON text, or the one above it, that has this slug."""
    try:
        folder, _ = json.JSONDecoder().raw_decode(part.decode("utf-8", "replace").lstrip())
    except (ValueError, RecursionError):
        return ""
    while isinstance(folder, str) and os.path.isabs(folder):
        if paths.slug(folder) == slug:
            return folder
        folder = os.path.dirname(folder) if os.path.dirname(folder) != folder else ""
    return ""
