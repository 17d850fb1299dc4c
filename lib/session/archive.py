"""Transcripts that the client would soon delete, kept compressed beside the state: opt-in, within a size. Req: E4."""

from __future__ import annotations

import gzip
import os
import shutil
from collections.abc import Iterable

from lib.host.settings import Settings

FOLDER = "archive"
PERIOD = 30  # days after which the client deletes, when its settings do not say
MARGIN = 5  # days before that at which a transcript is taken in
DAY = 86_400.0
FULL = 0.9  # share of the limit
QUIET = 3_600.0  # seconds without a change: what still grows is not taken


def files(state: str) -> list[str]:
    """The archived transcripts, oldest first."""
    folder = os.path.join(state, FOLDER)
    try:
        found = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".jsonl.gz")]
    except OSError:
        return []
    return sorted(found, key=os.path.getmtime)


def keep(state: str, transcripts: Iterable[str], config: Settings, now: float) -> list[str]:
    """Take in what is due, then let the oldest go until the archive is within its size; what was taken in.

    Nothing is done unless `archive.enabled` is set. A transcript that changed since it was archived is taken in anew.
    OSError of the disk passes through; the archive then holds whole files only.
    """
    if not config.option("archive.enabled"):
        return []
    limit = config.option("archive.maxMb") * 1_000_000
    full = _size(state) > limit * FULL
    # What is older than all that a full archive holds would be the first to go again.
    oldest = os.path.getmtime(held[0]) if full and (held := files(state)) else 0.0
    taken = [path for path in transcripts if _due(path, config, now, oldest) and _take(state, path)]
    _shrink(state, limit)
    return taken


def _size(state: str) -> int:
    return sum(os.path.getsize(path) for path in files(state))


def _due(path: str, config: Settings, now: float, oldest: float) -> bool:
    period = config.get("cleanupPeriodDays")
    days = float(period) if isinstance(period, (int, float)) and not isinstance(period, bool) else PERIOD
    try:
        changed = os.stat(path, follow_symlinks=False).st_mtime
    except OSError:
        return False
    age = now - changed
    return changed >= oldest and age >= max(QUIET, (days - min(MARGIN, days / 2)) * DAY)


def _take(state: str, path: str) -> bool:
    folder = os.path.join(state, FOLDER)
    target = os.path.join(folder, os.path.basename(path) + ".gz")
    status = os.stat(path, follow_symlinks=False)
    if os.path.exists(target) and os.stat(target).st_mtime == status.st_mtime:
        return False
    os.makedirs(folder, mode=0o700, exist_ok=True)
    temp = f"{target}.{os.getpid()}.tmp"
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
        with open(path, "rb") as source, open(os.open(temp, flags, 0o600), "wb") as raw:
            with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed:
                shutil.copyfileobj(source, packed, 1 << 20)
            raw.flush()
            os.fsync(raw.fileno())
        # The time of the transcript: by it the archive is ordered, and a later change is seen.
        os.utime(temp, (status.st_atime, status.st_mtime))
        os.replace(temp, target)
    finally:
        if os.path.exists(temp):
            os.unlink(temp)
    return True


def _shrink(state: str, limit: int) -> None:
    found = files(state)
    size = sum(os.path.getsize(path) for path in found)
    for path in found:
        if size <= limit:
            return
        size -= os.path.getsize(path)
        os.unlink(path)
