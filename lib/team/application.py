"""A pull written to the disk: each file whole, the index of the folder after them, the manifest last. Req: H1, J1."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from dataclasses import replace

from lib.memory import files, history, index, lock, transaction
from lib.memory.transaction import Change
from lib.team import keys, place
from lib.team.manifest import Manifest
from lib.team.sync import Pulled

WHO = "team"
_YIELDED = 20  # that are remembered


def apply(memory: str, state: str, pulled: Pulled, base: Manifest, origin: str, now: float) -> tuple[Manifest, int]:
    """(the manifest after the pull, how many files were written); the caller saves it when this has returned.

    What was changed here goes into the history before it is overwritten, as somebody's own change. Raises TimeoutError
    (the directory stays locked) and ArchiveProblem before anything is written.
    """
    changes = [
        Change(place.memory_name(key), text, transaction.current(memory, place.memory_name(key)))
        for key, text in pulled.write.items()
    ]
    outcome: Mapping[str, str] = {}
    if changes:
        why = f"{len(changes)} from {origin}"
        outcome = transaction.apply(memory, changes, history.author(memory, state, WHO, why=why))
    failed = {key: why for key in pulled.write if (why := outcome.get(place.memory_name(key), ""))}
    mend(memory)
    done = {key: value for key, value in pulled.entries.items() if key not in failed}
    # A file that could not be written is asked for again, whether or not the store changes.
    checksum = "" if failed else pulled.snapshot.checksum
    yielded = {**base.yielded, **{key: now for key in pulled.yielded if key not in failed}}
    newest = sorted(yielded.items(), key=lambda row: -row[1])[:_YIELDED]
    authors = {key: name for key, name in pulled.snapshot.authors.items() if key in done}
    after = replace(
        base, checksum=checksum, entries=done, authors=authors, unpulled=keys.told({**pulled.held, **failed}),
        yielded=dict(newest),
    )  # fmt: skip
    return after, len(changes) - len(failed)


def mend(memory: str) -> None:
    """Bring the folder's own MEMORY.md in line with its files, and remove what a killed write left."""
    team = place.folder(memory)
    if not os.path.isdir(team) or os.path.islink(team):
        return
    with lock.held(memory), contextlib.suppress(OSError):
        for inside, _, _ in os.walk(team):
            files.sweep(inside)
        index.mend_locked(team)
