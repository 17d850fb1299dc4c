"""What fails in a row, counted off the hot path; at the third time the person is told, once, until it changes. Req: J2.

Counts lie in one small file of ours; what is to be told in another, which the next prompt's hook takes away
(lib/host/call.py).
"""

from __future__ import annotations

import json
import os
import time

from lib.host import paths, replacement
from lib.host.call import ALARM
from lib.journal import lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Rows = dict[str, dict[str, object]]

IN_A_ROW = 3
NAME = "failing.json"
KINDS = 100  # kept; the oldest go first
WAITING, TOLD = "waiting", "told"
_LONGEST = 300  # characters of one cause


def failed(config: str, kind: str, cause: str, *, times: int = 1, gap: float = 0.0) -> None:
    """Count one failure (or `times`) of a kind; another cause begins anew. Never raises.

    `kind` is the middle of a sentence ("learning from /p"). With a `gap` (seconds) failures farther apart are not in
    a row: for what nobody reports a success of.
    """
    cause = "".join(c if c.isprintable() else " " for c in cause)[:_LONGEST]
    now = time.time()

    def count(rows: Rows) -> None:
        row = rows.pop(kind, {})
        before, last = row.get("count"), row.get("t")
        apart = gap and not (isinstance(last, float) and now - last <= gap)
        same = row.get("cause") == cause and isinstance(before, int) and not apart
        told = row.get("told", "") if same else ""
        number = (before if same and isinstance(before, int) else 0) + times
        told = told or (WAITING if number >= IN_A_ROW else "")
        rows[kind] = {"count": number, "cause": cause, "t": now, "told": told}
        for old in list(rows)[:-KINDS]:
            del rows[old]

    _change(config, count)


def worked(config: str, kind: str) -> None:
    """Forget a kind's failures: the next ones are news again. Costs one failed `open` when nothing ever failed."""
    if kind in known(config):
        _change(config, lambda rows: rows.pop(kind, None))


def known(config: str) -> Rows:
    """kind -> count, cause, t (seconds since the epoch), told; the last one failed latest."""
    try:
        with open(os.path.join(paths.own_dir(config), NAME), "rb") as file:
            rows = json.loads(file.read(1_000_000))
    except (OSError, ValueError, RecursionError):
        return {}
    return {kind: row for kind, row in rows.items() if isinstance(row, dict)} if isinstance(rows, dict) else {}


def _change(config: str, change: Callable[[Rows], object]) -> None:
    folder = paths.own_dir(config)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        guard = os.open(os.path.join(folder, "failing.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return  # nowhere to write: nowhere to tell
    try:
        lock(guard)
        rows = known(config)
        alarm = os.path.join(folder, ALARM)
        if not os.path.exists(alarm):
            for row in rows.values():
                row["told"] = TOLD if row.get("told") == WAITING else row.get("told", "")
        change(rows)
        _write(os.path.join(folder, NAME), json.dumps(rows, indent=1) if rows else "")
        waiting = [f"{kind} failed {row['count']} times in a row ({row['cause']})" for kind, row in rows.items()
                   if row.get("told") == WAITING]  # fmt: skip
        _write(alarm, "; ".join(waiting)[:1_500])
    except OSError:
        return
    finally:
        os.close(guard)


def _write(path: str, text: str) -> None:
    """The whole file in one step; no file for no text."""
    if not text:
        if os.path.exists(path):
            os.unlink(path)
        return
    replacement.put(path, text.encode("utf-8", "replace"))
