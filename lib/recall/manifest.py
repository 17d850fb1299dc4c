"""The readable memories of a folder as cards, read in bounds. Req: A7, C1."""

from __future__ import annotations

import os
import time

from lib.memory import files, store
from lib.recall.card import Card, card_of, checksum


def read(directory: str, entry: store.Entry, hook: str = "") -> Card | None:
    """The card of one file, at most 64 KB of it; None when it cannot be read."""
    try:
        raw = files.read(directory, entry.file, files.READ_LIMIT)
    except OSError:
        return None
    card = card_of(entry.file, raw, hook)
    card.mtime_ns, card.size = entry.mtime_ns, entry.size
    return card


def reread(directory: str, card: Card) -> Card | None:
    """The card as its file is now: the same object when the bytes are the same, None when it cannot be read."""
    try:
        raw = files.read(directory, card.file, files.READ_LIMIT)
        status = os.lstat(path(directory, card.file))
    except OSError:
        return None
    if checksum(raw) == card.check:
        return card
    now = card_of(card.file, raw, index_lines(directory).get(card.file, ""))
    now.mtime_ns, now.size = status.st_mtime_ns, status.st_size
    return now


def path(directory: str, file: str) -> str:
    """The absolute path of a memory file."""
    return os.path.join(os.path.abspath(directory), file)


def scan(directory: str, patience: float = 0.0) -> list[Card]:
    """The cards of every readable memory in a folder; with `patience`, of the newest that so many seconds allow."""
    hooks = index_lines(directory)
    until = time.monotonic() + patience
    cards: list[Card] = []
    for entry in sorted(store.entries(directory), key=lambda entry: (-entry.mtime_ns, entry.file)):
        card = read(directory, entry, hooks.get(entry.file, ""))
        if card is not None:
            cards.append(card)
        if patience and time.monotonic() > until:
            break
    return sorted(cards, key=lambda card: card.file)


def index_lines(directory: str) -> dict[str, str]:
    """file -> what MEMORY.md says of it; empty when there is no readable index."""
    from lib.memory.index import hooks

    try:
        raw = files.read(directory, store.INDEX, files.READ_LIMIT)
    except OSError:
        return {}
    return hooks(raw.decode("utf-8", "replace"))
