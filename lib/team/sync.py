"""The protocol between a folder and a team's store; pure over the store, no file is touched here. Req: H1, H2.

Pull: the server wins. Push: entries whose checksum differs, and of those only what was changed here: somebody else's
newer text is not undone by an old copy. A deletion does not travel and comes back. A store that has moved on meanwhile
is asked again, what is to be sent is read and searched for secrets again, and sent again, at most RETRIES times.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from lib.memory import secrets
from lib.team import keys, wire
from lib.team.manifest import Manifest
from lib.team.problems import Moved, TooLarge
from lib.team.store import Hashes, Snapshot, Store

RETRIES = 2
_FRAME = len('{"entries": {}}')  # bytes around the entries of a body


@dataclass(frozen=True)
class Local:
    """The folder: key -> text of what could be sent, key -> checksum of every file, key -> why it cannot be sent."""

    texts: Mapping[str, str]
    checksums: Mapping[str, str]
    held: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Pushed:
    """`sent` went; `held`: key -> why it did not; `moved`: the store never held still, so it is to be tried again."""

    manifest: Manifest
    sent: list[str]
    held: dict[str, str]
    moved: bool = False


@dataclass(frozen=True)
class Pulled:
    """`write`: key -> text to be written; `yielded`: those of them that were changed here and not pushed."""

    snapshot: Snapshot
    entries: Mapping[str, str]
    write: dict[str, str]
    yielded: list[str]
    held: dict[str, str]


def changed_here(local: Local, base: Mapping[str, str]) -> list[str]:
    """The files that are not what the store was last known to have."""
    return sorted(key for key, checksum in local.checksums.items() if base.get(key) != checksum)


def push(store: Store, read: Callable[[], Local], base: Manifest) -> Pushed:
    """Send what was changed here. `read` gives the folder as it is now; raises what the store raises but Moved."""
    sent: dict[str, str] = {}
    held: dict[str, str] = {}
    for _ in range(1 + RETRIES):
        local = read()
        there = store.fetch_hashes()
        going, held = _going(local, base, there, sent)
        try:
            checksum = there.checksum
            parts = _Parts(going, store.body_limit)
            for part in parts:
                checksum = _put(store, part, checksum, held)
                done = {key: local.checksums[key] for key in part if key not in held}
                sent.update(done)
            held.update(parts.too_large)
        except Moved:
            continue
        known = {**there.entries, **sent} == {**base.entries, **sent}
        return Pushed(base.having(_agreed(local, there, sent), checksum if known else ""), sorted(sent), held)
    return Pushed(base.having(sent, ""), sorted(sent), held, moved=True)


def _put(store: Store, part: Mapping[str, str], checksum: str, held: dict[str, str]) -> str:
    """Send one body; what the store finds too large is sent entry by entry, so that one does not stop the others."""
    try:
        return store.put(part, checksum)
    except TooLarge as problem:
        if len(part) == 1:
            held.update(dict.fromkeys(part, str(problem)))
            return checksum
    for key, text in part.items():
        checksum = _put(store, {key: text}, checksum, held)
    return checksum


def _agreed(local: Local, there: Hashes, sent: Mapping[str, str]) -> dict[str, str]:
    same = {key: value for key, value in local.checksums.items() if there.entries.get(key) == value}
    return {**same, **sent}


def _going(
    local: Local, base: Manifest, there: Hashes, sent: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, str]]:
    """(what is to be sent, why the rest that was changed here is not)."""
    held = {key: why for key, why in local.held.items() if there.entries.get(key) != local.checksums.get(key)}
    good, bad = keys.judged({*local.texts, *there.entries}, there.entries)
    allowed, going = frozenset(good), {}
    for key, text in sorted(local.texts.items()):
        here, theirs, known = local.checksums[key], there.entries.get(key), base.entries.get(key)
        if here == theirs:
            continue
        if key not in allowed:
            held[key] = bad[key]
        elif theirs is not None and here in (known, sent.get(key)):
            continue  # not changed here: the store has a newer text, and the next pull brings it
        elif theirs is not None and theirs not in (known, sent.get(key)):
            held[key] = "somebody else changed it as well: the team's text stands"
        elif why := secret(key, text):
            held[key] = why
        else:
            going[key] = text
    return going, held


def secret(key: str, text: str) -> str:
    """Why this entry may neither leave nor come in, or "": the rule that found a secret, never its value. Req: H2."""
    found = secrets.scan(text) or secrets.scan(key)
    return f"it holds what looks like a secret ({found[0].rule}, line {found[0].line})" if found else ""


class _Parts:
    """The entries in bodies that the store takes; what fits into none is in `too_large`. Req: H2."""

    def __init__(self, entries: Mapping[str, str], limit: int) -> None:
        self._entries = entries
        self._limit = limit
        self.too_large: dict[str, str] = {}

    def __iter__(self) -> Iterator[dict[str, str]]:
        part: dict[str, str] = {}
        size = _FRAME
        for key, text in self._entries.items():
            more = len(encoded({key: text})) - _FRAME + len(", ")
            if self._limit and _FRAME + more > self._limit:
                self.too_large[key] = f"its request would have {_FRAME + more} bytes, over {self._limit}: shorten it"
                continue
            if part and self._limit and size + more > self._limit:
                yield part
                part, size = {}, _FRAME
            part[key] = text
            size += more
        if part:
            yield part


def encoded(entries: Mapping[str, str]) -> bytes:
    """The body of a PUT."""
    return json.dumps({"entries": dict(entries)}, ensure_ascii=False).encode()


def pull(store: Store, local: Local, base: Manifest, *, keep_pending: bool = False) -> Pulled | None:
    """What the store has and the folder has not; None when nothing is new. The server wins.

    With `keep_pending` a change made here of an entry that nobody else changed stays: it waits to be pushed.
    """
    whole = all(key in local.checksums for key in base.entries)
    if not keep_pending:
        whole = whole and not changed_here(local, base.entries)
    snapshot = store.fetch_all(base.checksum if whole else "")
    if snapshot is None:
        return None
    good, held = keys.judged(snapshot.entries, {*base.entries, *local.checksums})
    held.update(snapshot.damaged)
    agreed: dict[str, str] = {}
    write: dict[str, str] = {}
    yielded = []
    for key in good:
        text = snapshot.entries[key]
        try:
            theirs = wire.checksum(text)
        except UnicodeEncodeError:
            held[key] = "its text holds half a character"
            continue
        here, known = local.checksums.get(key), base.entries.get(key)
        if why := "" if here == theirs else _unwelcome(key, text):
            held[key] = why
            continue
        agreed[key] = theirs
        changed = here is not None and here not in (known, theirs)
        if here != theirs and not (keep_pending and changed and theirs == known):
            write[key] = text
            yielded += [key] if changed else []
    return Pulled(replace(snapshot, entries={}), agreed, write, yielded, held)


def _unwelcome(key: str, text: str) -> str:
    if len(text.encode()) > wire.ENTRY_BYTES:
        return f"it is over {wire.ENTRY_BYTES} bytes"
    if "\0" in text:
        return "it is no text: it holds a NUL"
    return secret(key, text)
