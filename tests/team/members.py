"""A team in a test: a store in memory, members with folders of their own, and stores that do wrong."""
from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from lib.memory import files
from lib.team import application, manifest, place, reconciliation, sync, wire
from lib.team.manifest import Manifest
from lib.team.problems import Moved
from lib.team.reconciliation import Outcome
from lib.team.store import Hashes, Snapshot, Store
from lib.team.sync import Local, Pulled

NOW = 1_790_000_000.0
TEXT = """\
---
name: {name}
description: {said}
metadata:
  type: reference
---

{said}.
"""


def text_of(name: str, said: str) -> str:
    return TEXT.format(name=name, said=said)


def local_of(texts: Mapping[str, str]) -> Local:
    return Local(dict(texts), {key: wire.checksum(text) for key, text in texts.items()})


@dataclass
class Shelf:
    """A store in memory that counts what it is asked; `before_put` runs between a member's look and its write."""

    entries: dict[str, str] = field(default_factory=dict)
    body_limit: int = wire.BODY_BYTES
    begun: bool = False
    before_put: Callable[[], None] = lambda: None
    asked: list[str] = field(default_factory=list)
    bodies: list[dict[str, str]] = field(default_factory=list)

    @property
    def checksum(self) -> str:
        known = bool(self.entries) or self.begun
        return wire.overall({key: wire.checksum(text) for key, text in self.entries.items()}) if known else wire.EMPTY

    def fetch_all(self, known: str = "") -> Snapshot | None:
        self.asked.append("all")
        return None if known == self.checksum else Snapshot(self.checksum, dict(self.entries))

    def fetch_hashes(self) -> Hashes:
        self.asked.append("hashes")
        return Hashes(self.checksum, {key: wire.checksum(text) for key, text in self.entries.items()})

    def put(self, entries: Mapping[str, str], if_match: str) -> str:
        self.asked.append("put")
        self.before_put()
        if if_match != self.checksum:
            raise Moved("moved")
        self.bodies.append(dict(entries))
        self.entries.update(entries)
        return self.checksum


@dataclass
class Naive:
    """The mutant: it writes whatever the store holds by now, as a client without If-Match does."""

    store: Store

    @property
    def body_limit(self) -> int:
        return self.store.body_limit

    def fetch_all(self, known: str = "") -> Snapshot | None:
        return self.store.fetch_all(known)

    def fetch_hashes(self) -> Hashes:
        return self.store.fetch_hashes()

    def put(self, entries: Mapping[str, str], if_match: str) -> str:
        while True:
            try:
                return self.store.put(entries, if_match)
            except Moved:
                if_match = self.store.fetch_hashes().checksum


@dataclass
class Member:
    """One machine: its memory directory and its state, which `exchange` brings in line with a store."""

    folder: Path

    @property
    def memory(self) -> str:
        return str(self.folder / "memory")

    @property
    def state(self) -> str:
        return str(self.folder / "state")

    @property
    def team(self) -> Path:
        return self.folder / "memory" / "team"

    def write(self, key: str, text: str) -> None:
        files.write(self.memory, f"team/{key}", text.encode())

    def read(self, key: str) -> str:
        return (self.team / key).read_text(encoding="utf-8")

    def texts(self) -> dict[str, str]:
        return dict(place.read(self.memory).texts)

    def known(self) -> Manifest:
        return manifest.load(place.state_folder(self.state))

    def exchange(self, store: Store, *, push: bool = True, pull: bool = True) -> Outcome:
        return reconciliation.run(store, self.memory, self.state, "a test", NOW, push=push, pull=pull)

    def quick_exchange(self, store: Store) -> sync.Pushed:
        """The same without history, lock and index, for hundreds of rounds."""
        folder = place.state_folder(self.state)
        done = sync.push(store, lambda: place.read(self.memory), manifest.load(folder))
        pulled = sync.pull(store, place.read(self.memory), done.manifest, keep_pending=True)
        after = done.manifest if pulled is None else self._written(pulled, done.manifest)
        manifest.save(folder, after)
        return done

    def _written(self, pulled: Pulled, base: Manifest) -> Manifest:
        for key, text in pulled.write.items():
            self.write(key, text)
        return replace(base, entries=dict(pulled.entries), checksum=pulled.snapshot.checksum)


def bare(folder: Path) -> Path:
    """A remote on the disk."""
    subprocess.run(["git", "init", "-q", "--bare", "--template=", str(folder)], check=True, capture_output=True)
    return folder


def git(*arguments: str, cwd: Path, given: str = "") -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=cwd, input=given, capture_output=True, text=True, check=True, timeout=30
    )
    return done.stdout.strip()


__all__ = ["NOW", "Member", "Naive", "Shelf", "application", "bare", "git", "local_of", "text_of"]
