"""Which snapshots were taken in, shown or made on this machine: one small file in the agent's state. Req: F2."""

from __future__ import annotations

import json
import os
from dataclasses import replace

from lib.agents.scopes import Scope
from lib.agents.snapshot import Snapshot, Synced
from lib.host import replacement

FILE = "snapshot.json"
KEPT = 50  # versions of each kind
_LIMIT = 100_000  # bytes


def load(scope: Scope) -> Synced:
    """What is known; nothing when the file is missing or damaged, and then a snapshot is only shown once more."""
    try:
        with open(os.path.join(scope.state, FILE), "rb") as file:
            data = json.loads(file.read(_LIMIT))
        updated = float(data["updated"])
        settled, made = (tuple(str(one) for one in data[key]) for key in ("settled", "made"))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return Synced()
    return Synced(updated, settled, made)


def settle(scope: Scope, found: Snapshot) -> None:
    """Note that this version needs no more attention."""
    known = load(scope)
    settled = _with(known.settled, found.version)
    _save(scope, replace(known, updated=max(known.updated, found.updated), settled=settled))


def note_made(scope: Scope, found: Snapshot) -> None:
    """Note that this version was written here: its text is known, and it says nothing new."""
    known = load(scope)
    _save(scope, replace(known, made=_with(known.made, found.version)))
    settle(scope, found)


def _with(versions: tuple[str, ...], one: str) -> tuple[str, ...]:
    return (*[version for version in versions if version != one], one)[-KEPT:]


def _save(scope: Scope, known: Synced) -> None:
    os.makedirs(scope.state, mode=0o700, exist_ok=True)
    row = {"updated": known.updated, "settled": known.settled, "made": known.made}
    replacement.put(os.path.join(scope.state, FILE), json.dumps(row).encode())
