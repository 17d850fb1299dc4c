"""Journals of sessions that ended long ago go: nobody asks for what they tell, and they must not pile up. Req: J4."""

from __future__ import annotations

import os

from lib.journal import Journal, lock

DAYS = 90  # without a new event; the client deletes transcripts after 30


def drop_old(state: str, now: float) -> int:
    """Remove the journals of a project in which nothing happened for DAYS and nothing is due; how many went."""
    dropped = 0
    try:
        with os.scandir(os.path.join(state, "journal")) as listing:
            names = [item.name for item in listing if item.name.endswith(".jsonl") and _old(item, now)]
    except OSError:
        return 0
    for name in names:
        dropped += _drop(Journal(state, name[: -len(".jsonl")]), now)
    return dropped


def _old(item: os.DirEntry[str], now: float) -> bool:
    return item.is_file(follow_symlinks=False) and item.stat().st_mtime < now - DAYS * 86_400


def _drop(journal: Journal, now: float) -> bool:
    """Under the writers' lock: one that waits for it sees that the file is gone and begins a new one."""
    try:
        descriptor = os.open(journal.path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return False
    try:
        lock(descriptor)
        state = journal.state()
        if state.pending or state.progress.pending or os.fstat(descriptor).st_mtime >= now - DAYS * 86_400:
            return False
        os.unlink(journal.path)
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
