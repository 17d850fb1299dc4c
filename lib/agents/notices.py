"""Notes between the hooks and the worker about an agent's snapshot: it is to be looked at, or something is to be told.

Each is one small file; whoever acts on it removes it. Req: F2.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.agents.scopes import Scope

DUE = ".due"  # behind the agent's folder name, in the project's state: its snapshot is to be looked at
SEEN = "snapshot.seen"  # in the agent's state: the mark of the snapshot that was looked at last
NOTICE = "snapshot.notice"  # there too: what the person is to be told once
_LONGEST = 4_096  # bytes


def mark(scope: Scope) -> str:
    """What tells one version of the snapshot from another without reading it, "" when there is none."""
    try:
        found = os.stat(os.path.join(scope.snapshot, "snapshot.json"), follow_symlinks=False)
    except (OSError, ValueError):
        return ""
    return f"{found.st_mtime_ns}:{found.st_size}"


def new(scope: Scope) -> bool:
    """Whether there is a snapshot that the worker has not looked at."""
    now = mark(scope)
    return bool(now) and now != _read(os.path.join(scope.state, SEEN))


def looked_at(scope: Scope, seen: str) -> None:
    _write(os.path.join(scope.state, SEEN), seen)


def ask(folder: str, scope: Scope, launch: str) -> None:
    """Leave a note for the worker; `folder` is that of the runs' journals."""
    _write(os.path.join(folder, scope.name + DUE), f"{scope.agent}\n{launch}")


def asked(folder: str) -> list[tuple[str, str, str]]:
    """(file, agent, launch) of each note that waits."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(DUE))
    except OSError:
        return []
    rows = ((os.path.join(folder, name), *_read(os.path.join(folder, name)).partition("\n")) for name in names)
    return [(path, agent, launch) for path, agent, _, launch in rows]


def tell(scope: Scope, sentence: str) -> None:
    _write(os.path.join(scope.state, NOTICE), sentence)


def told(scope: Scope) -> str:
    """What is to be told, once: it is gone afterwards."""
    path = os.path.join(scope.state, NOTICE)
    sentence = _read(path)
    if sentence:
        remove(path)
    return sentence


def remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return  # somebody else was faster


def _read(path: str) -> str:
    try:
        with open(path, "rb", buffering=0) as file:
            return os.fsdecode(file.read(_LONGEST))
    except (OSError, ValueError):
        return ""


def _write(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        os.write(descriptor, os.fsencode(text)[:_LONGEST])
    finally:
        os.close(descriptor)
