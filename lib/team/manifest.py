"""What this machine last knew of the team's store: written last, so that a killed pull is done again. Req: H1."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from lib.host import replacement

FILE = "manifest.json"
_READ = 16_000_000  # bytes; a longer one is no manifest


@dataclass(frozen=True)
class Manifest:
    """The state as of the last pull. `checksum` "" means: not known whole, ask for everything.

    `entries`: key -> checksum of what the store and this machine agreed on; `authors`: key -> who wrote it, as the
    store tells; `unpulled`, `unpushed`: key -> why it stays away; `yielded`: key -> when (seconds, epoch) a change made
    here gave way to the team's.
    """

    checksum: str = ""
    entries: Mapping[str, str] = field(default_factory=dict)
    authors: Mapping[str, str] = field(default_factory=dict)
    unpulled: Mapping[str, str] = field(default_factory=dict)
    unpushed: Mapping[str, str] = field(default_factory=dict)
    yielded: Mapping[str, float] = field(default_factory=dict)

    def having(self, sent: Mapping[str, str], checksum: str) -> Manifest:
        """The same with entries that the store has taken from here."""
        return replace(self, entries={**self.entries, **sent}, checksum=checksum)


def load(folder: str) -> Manifest:
    """The manifest of a team's state folder; an unreadable one counts as none: everything is compared anew."""
    try:
        with open(os.path.join(folder, FILE), "rb") as file:
            raw = json.loads(file.read(_READ))
    except (OSError, ValueError, RecursionError):
        return Manifest()
    if not isinstance(raw, dict):
        return Manifest()
    checksum, times = raw.get("checksum"), raw.get("yielded")
    parts = {name: _texts(raw.get(name)) for name in ("entries", "authors", "unpulled", "unpushed")}
    yielded = {
        str(key): float(at) for key, at in (times if isinstance(times, dict) else {}).items()
        if isinstance(at, (int, float))
    }  # fmt: skip
    return Manifest(checksum if isinstance(checksum, str) else "", **parts, yielded=yielded)


def save(folder: str, manifest: Manifest) -> None:
    """Replace the manifest as a whole; OSError passes through."""
    row = {
        "checksum": manifest.checksum, "entries": dict(manifest.entries), "authors": dict(manifest.authors),
        "unpulled": dict(manifest.unpulled), "unpushed": dict(manifest.unpushed), "yielded": dict(manifest.yielded),
    }  # fmt: skip
    replacement.put(os.path.join(folder, FILE), json.dumps(row).encode())


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {str(key): text for key, text in value.items() if isinstance(text, str)}
