"""The sessions of a project that changed since a time: what the gates count, what a consolidation reads. Req: G1."""

from __future__ import annotations

import os
from collections.abc import Iterable

from lib.host import paths
from lib.journal import Journal, newest

JOURNALS = 50  # looked at, newest first, for the folders of worktrees


def folders(config: str, state: str, launch: str) -> list[str]:
    """Where this project's transcripts lie: the launch folder's, and those that its sessions' journals name."""
    found = [os.path.join(config, "projects", paths.slug(os.path.realpath(launch)))] if launch else []
    for session in newest(state, JOURNALS):
        if folder := paths.transcripts(Journal(state, session).state().transcript):
            found.append(folder)
    return list(dict.fromkeys(found))


def since(places: Iterable[str], last: float | None, current: str) -> list[str]:
    """Transcripts changed after `last` (None: ever), newest first; without the current session and sub-agents' files.

    A session that several folders hold (it moved to a worktree) counts once.
    """
    changed: dict[str, tuple[float, str]] = {}
    for place in places:
        try:
            with os.scandir(place) as listing:
                for item in listing:
                    session = item.name.removesuffix(".jsonl")
                    if session in (item.name, current) or session.startswith("agent-"):
                        continue
                    if not item.is_file(follow_symlinks=False):
                        continue
                    at = item.stat(follow_symlinks=False).st_mtime
                    if at > (last or 0.0):
                        changed[session] = max(changed.get(session, (0.0, "")), (at, item.path))
        except OSError:
            continue
    return [path for _, path in sorted(changed.values(), reverse=True)]
