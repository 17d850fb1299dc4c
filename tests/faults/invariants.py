"""What must hold after a fault, and after the next run that nothing disturbs. Pure looks at a machine's files."""
from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lib.dream.lock import ConsolidateLock
from lib.memory import history, index, lock
from lib.memory.archive import ArchiveProblem
from tests.support.registered import Stage

# What a run that met a fault may leave that another one does not: what it has to say about the fault.
TELLING = re.compile(r"memory-hooks/(log\.jsonl|failing\.(json|lock)|alarm\.txt|outage.*\.json)$"
                     r"|/history/(entries\.jsonl|versions/\*)$"  # copies go on where git once failed
                     r"|/history\.git/objects/pack/\*\.(pack|idx)$"  # git's own choice of how it keeps what it is given
                     r"|/history\.pending$")  # which the next write to a memory settles: see `remembered`
# Names that are another one in each run: git's objects, versions by their hash, a process' number.
VARYING = re.compile(r"[0-9a-f]{2}/[0-9a-f]{38}|[0-9a-f]{40,64}|(?<=settings-)[0-9a-f]{16}|pack-[0-9a-f]+")
TEMPORARY = re.compile(r"\.tmp$|tmp_(obj|pack|idx)|\.lock$.*history|-journal$")


@dataclass(frozen=True)
class Looks:
    """The files that belong to the person: memories, summaries and settings, by their place below the home."""

    files: Mapping[str, bytes]

    @classmethod
    def of(cls, stage: Stage) -> Looks:
        found = [*stage.config.glob("projects/**/*.md"), *stage.config.glob("settings*.json"),
                 *stage.config.glob("commands/*.md")]  # fmt: skip
        return cls({path.relative_to(stage.home).as_posix(): path.read_bytes() for path in found if path.is_file()})


def torn(now: Looks, before: Looks, after: Looks) -> list[str]:
    """Files that are neither what they were nor what they would have become. Indexes are judged by `indexed`."""
    found = []
    for name in sorted({*now.files, *before.files, *after.files}):
        present = now.files.get(name)
        if name.endswith("/MEMORY.md") or present in (before.files.get(name), after.files.get(name)):
            continue
        size = "gone" if present is None else f"{len(present)} bytes"
        known = [len(looks.files.get(name, b"")) for looks in (before, after)]
        found.append(f"{name} is {size}, neither the old nor the new ({known[0]} and {known[1]} bytes)")
    return found


def indexed(stage: Stage, *, mended: bool) -> list[str]:
    """Lines that stand twice; once the next run has `mended` it, also files without a line and lines without a file."""
    path = stage.memory / "MEMORY.md"
    lines = [file for row in _text(path).split("\n") if (file := index.target(row))]
    found = [f"{file} has two lines in MEMORY.md" for file in sorted(set(lines)) if lines.count(file) > 1]
    if mended and stage.memory.is_dir():
        there = {path.name for path in stage.memory.glob("*.md")} - {"MEMORY.md"}
        found += [f"{file} has no line in MEMORY.md" for file in sorted(there - set(lines))]
        found += [f"MEMORY.md has a line for {file}, which is not there" for file in sorted(set(lines) - there)]
    return found


def journalled(stage: Stage) -> list[str]:
    """Journals that hold more than one line nobody can read: a fault may tear the line that it met, and no other."""
    found = []
    for path in [*stage.own.rglob("journal/*.jsonl"), stage.own / "log.jsonl"]:
        bad = [line for line in _bytes(path).split(b"\n") if line and not _parses(line)]
        if len(bad) > 1:
            found.append(f"{path.name}: {len(bad)} lines cannot be read, e.g. {bad[0][:80]!r}")
    return found


def unlocked(stage: Stage) -> list[str]:
    """Locks that somebody still holds."""
    found = []
    for path in [*stage.own.rglob("worker.lock"), *stage.config.rglob(".memory.lock")]:
        held = lock.acquire(str(path), 0.5)
        if held is None:
            found.append(f"{path.name} is still held")
        else:
            os.close(held)
    if stage.memory.is_dir() and ConsolidateLock(stage.memory).taken():
        found.append(".consolidate-lock is still held")
    return found


def remembered(stage: Stage) -> list[str]:
    """A history that cannot be caught up with and read, as `memory.py history` does it."""
    found = []
    for folder in stage.own.glob("projects/*"):
        kept = history.of(str(stage.memory), str(folder))
        try:
            if (folder / history.PENDING).exists():
                with lock.held(str(stage.memory)):
                    kept.catch_up()
            kept.entries()
        except ArchiveProblem as problem:
            found.append(f"the history cannot be kept: {problem}")
    return found


def names(stage: Stage) -> set[str]:
    """Every file there is, by a name that is the same in each run."""
    found = set()
    for top in (stage.home, stage.project):
        for path in top.rglob("*"):
            if not path.is_dir():
                found.add(VARYING.sub("*", path.relative_to(top.parent).as_posix()))
    return found


def left_over(now: set[str], undisturbed: set[str]) -> list[str]:
    """Files that an undisturbed machine would not have."""
    extra = sorted(name for name in now - undisturbed if not TELLING.search(name))
    return [f"{name} was left behind" for name in extra]


def _parses(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def _text(path: Path) -> str:
    return _bytes(path).decode("utf-8", "replace")
