"""When the last consolidation was: the time of the lock file, which the client's own consolidation shares. Req: G2."""

from __future__ import annotations

import os
import stat

NAME = ".consolidate-lock"
SLACK = 60.0  # seconds that the clocks of one file system may differ; a time beyond that is in the future


def last_consolidated(directory: str, now: float) -> float | None:
    """Seconds since the epoch, by one `stat`; None for never, and for a time in the future, which means nothing."""
    try:
        found = os.stat(os.path.join(directory, NAME), follow_symlinks=False)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode) or not 0 < found.st_mtime <= now + SLACK:
        return None
    return found.st_mtime
