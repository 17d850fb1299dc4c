"""One round with the store: send what was changed here, take what is new there, in that order. Req: H1."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from lib.memory import lock
from lib.team import application, keys, manifest, place, sync
from lib.team.manifest import Manifest
from lib.team.problems import StoreProblem
from lib.team.store import Store

LOCK = "sync.lock"


@dataclass(frozen=True)
class Outcome:
    """`pulled`: how many files were written; `pushed`: keys; `held`: key -> why; `again`: the store never held still;
    `more`: something was changed here meanwhile.
    """

    pulled: int
    pushed: list[str]
    held: dict[str, str]
    yielded: list[str]
    again: bool = False
    more: bool = False


def run(
    store: Store, memory: str, state: str, origin: str, now: float, *, push: bool = True, pull: bool = True,
    patience: float = 0.0,
) -> Outcome:  # fmt: skip
    """Push, then pull. A pull alone overwrites what was changed here; both keep what could not be sent yet.

    Raises StoreProblem, OSError (the disk, a lock, the history).
    """
    folder = place.state_folder(state)
    held = lock.acquire(os.path.join(folder, LOCK), patience)
    if held is None:
        raise StoreProblem("another process is exchanging memories with the team at this moment")
    try:
        return _round(store, memory, state, folder, origin, now, push, pull)
    finally:
        os.close(held)


def _round(
    store: Store, memory: str, state: str, folder: str, origin: str, now: float, push: bool, pull: bool
) -> Outcome:
    base = manifest.load(folder)
    local = place.read(memory)
    sent: list[str] = []
    again = False
    if push:
        if sync.changed_here(local, base.entries):
            done = sync.push(store, lambda: place.read(memory), base)
            base = _kept(folder, replace(done.manifest, unpushed=keys.told(done.held)))
            sent, again, local = done.sent, done.moved, place.read(memory)
        else:
            base = _kept(folder, replace(base, unpushed=keys.told(dict(local.held))))
    count, yielded = 0, []
    pulled = sync.pull(store, local, base, keep_pending=push) if pull else None
    if pulled:
        after, count = application.apply(memory, state, pulled, base, origin, now)
        yielded = [key for key in pulled.yielded if after.entries.get(key)]
        base = _kept(folder, after)
    elif sent or local.texts:
        application.mend(memory)
    held = {**base.unpulled, **base.unpushed}
    more = push and any(key not in held for key in sync.changed_here(place.read(memory), base.entries))
    return Outcome(count, sent, held, yielded, again, more)


def _kept(folder: str, now: Manifest) -> Manifest:
    manifest.save(folder, now)
    return now
