"""A copy of an agent's memory that is kept under version control, and what becomes of one that is found. Req: F2.

`.claude/agent-memory-snapshot/<agent>/` holds the files and `snapshot.json` with `updatedAt` and a hash of each. What
is read there was written by anybody: links, oversized texts and unfinished merges are left out and named.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from lib.agents.scopes import SNAPSHOTS, Scope
from lib.memory import checks, conflict, files, secrets, store

FILE = "snapshot.json"
MOST = 200  # files
ABSENT = "there is no snapshot"
_JSON = 200_000  # bytes of snapshot.json
_AHEAD = 3600.0  # seconds by which clocks may differ


@dataclass(frozen=True)
class Snapshot:
    """What a snapshot holds: `files` name -> text, `refused` name -> why, `altered` files that its hashes do not tell.

    `updated` is seconds since the epoch, never later than when it was read; `problem` says why it is none at all.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    altered: tuple[str, ...] = ()
    updated: float = 0.0
    problem: str = ""

    @property
    def version(self) -> str:
        """What tells these contents from others, whatever time stands beside them."""
        rows = "".join(f"{name}\0{digest(text)}\n" for name, text in sorted(self.files.items()))
        return hashlib.sha256(rows.encode("utf-8", "surrogateescape")).hexdigest()


@dataclass(frozen=True)
class Synced:
    """What is known on this machine: `updated` of the last snapshot that was settled, the versions that were `settled`
    (taken in or shown, each once) and those that were `made` here."""

    updated: float = 0.0
    settled: tuple[str, ...] = ()
    made: tuple[str, ...] = ()


@dataclass(frozen=True)
class Decision:
    """`outcome` is none, initialize or prompt-update; `reason` says why in words."""

    outcome: str
    reason: str


def decide(local: Mapping[str, str], found: Snapshot, synced: Synced) -> Decision:
    """What becomes of a snapshot beside the memories `local` (name -> text). Pure."""
    if found.problem:
        return Decision("none", found.problem)
    if not found.files:
        return Decision("none", "the snapshot holds no memory that can be used")
    if found.version in synced.settled:
        return Decision("none", "this version was taken in or shown already")
    if all(local.get(name) == text for name, text in found.files.items()):
        return Decision("none", "the memory holds all of it")
    if not local:
        return Decision("initialize", "there is no memory yet")
    if found.updated <= synced.updated:
        return Decision("none", "the snapshot is not newer than the last one")
    return Decision("prompt-update", "the snapshot is newer than the last one")


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def texts(directory: str) -> dict[str, str]:
    """The memories of a directory, name -> whole text; what is too large or no regular file is passed over."""
    found = {}
    for entry in sorted(store.entries(directory), key=lambda entry: entry.file)[:MOST]:
        if (text := _text(directory, entry.file)) is not None:
            found[entry.file] = text
    return found


def read(scope: Scope, now: float) -> Snapshot:
    """The snapshot of an agent; never raises on what lies there."""
    folder = scope.snapshot
    if os.path.realpath(folder) != os.path.join(os.path.realpath(scope.root), ".claude", SNAPSHOTS, scope.name):
        return Snapshot(problem="the snapshot's folder is a link that leads elsewhere")
    if not os.path.isdir(folder):
        return Snapshot(problem=ABSENT)
    try:
        about = json.loads(files.read(folder, FILE, _JSON))
    except (OSError, ValueError, RecursionError):
        return Snapshot(problem=f"{FILE} is missing or cannot be read")
    updated = _time(about.get("updatedAt")) if isinstance(about, dict) else None
    if updated is None:
        return Snapshot(problem=f"{FILE} has no time in `updatedAt`")
    kept: dict[str, str] = {}
    refused = dict.fromkeys(_links(folder), "it is a link")
    for entry in sorted(store.entries(folder), key=lambda entry: entry.file):
        text = _text(folder, entry.file) if entry.size <= checks.TEXT_LIMIT else None
        why = f"it is unreadable, or over {checks.TEXT_LIMIT} bytes" if text is None else _objection(entry.file, text)
        why = why or ("" if len(kept) < MOST else f"more than {MOST} files")
        if why or text is None:
            refused[entry.file] = why
        else:
            kept[entry.file] = text
    told = about.get("files")
    hashes = told if isinstance(told, dict) else {}
    altered = tuple(name for name, text in kept.items() if hashes.get(name) != digest(text))
    # A date in the future would make every later snapshot look old.
    return Snapshot(kept, refused, altered, min(updated, now + _AHEAD))


def write(scope: Scope, now: float) -> tuple[Snapshot, dict[str, str]]:
    """Write the agent's memory as its snapshot; (what is in it, name -> why a memory was left out).

    OSError passes through. What is no longer remembered is no longer in the snapshot.
    """
    folder = scope.snapshot
    local = texts(scope.memory)
    left = {name: why for name, text in local.items() if (why := _objection(name, text) or _secret(text))}
    kept = {name: text for name, text in local.items() if name not in left}
    os.makedirs(folder, exist_ok=True)
    for name, text in kept.items():
        files.write(folder, name, text.encode("utf-8", "surrogateescape"))
    for entry in store.entries(folder):
        if entry.file not in kept:
            files.delete(folder, entry.file)
    at = datetime.datetime.fromtimestamp(now, datetime.timezone.utc)
    about = {"updatedAt": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"), "agent": scope.agent,
             "files": {name: digest(text) for name, text in sorted(kept.items())}}  # fmt: skip
    files.write_record(folder, FILE, (json.dumps(about, indent=2) + "\n").encode())
    return Snapshot(kept, left, (), now), left


def _links(folder: str) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if os.path.islink(os.path.join(folder, name)))
    except OSError:
        return []


def _objection(file: str, text: str) -> str:
    if why := files.unsafe_name(file):
        return why
    if conflict.marked(text):
        return "a merge was left unfinished in it (conflict markers)"
    return "" if len(text.encode("utf-8", "surrogateescape")) <= checks.TEXT_LIMIT else "it is too large"


def _secret(text: str) -> str:
    found = secrets.scan(text)
    return f"it holds what looks like a secret ({found[0].rule})" if found else ""


def _text(directory: str, file: str) -> str | None:
    try:
        return files.read(directory, file).decode("utf-8", "surrogateescape")
    except OSError:
        return None


def _time(value: object) -> float | None:
    """Seconds since the epoch of an ISO time or a number of milliseconds."""
    try:
        if isinstance(value, str):
            at = datetime.datetime.fromisoformat(value.strip().replace("Z", "+00:00"))
            return (at if at.tzinfo else at.replace(tzinfo=datetime.timezone.utc)).timestamp()
        if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 1e14:
            return float(value) / 1000
    except (ValueError, OverflowError, OSError):
        return None
    return None
