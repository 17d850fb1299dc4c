"""What did not work, why, and until when it is left alone: a fault is said once and never tried in a loop. Req: J3."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from lib.host import paths, replacement

NAME = "outages.json"
HOUR, DAY = 3600.0, 86_400.0
# Faults of the kind that only the person can mend, or that time mends; the others need several in a row.
_PAUSES = {"auth": DAY, "missing": DAY, "old": DAY, "limit": HOUR, "request": HOUR}
IN_A_ROW = 3
BACKENDS = ("claude", "anthropic")
_RESET = re.compile(r"\|(\d{10})\b")


@dataclass(frozen=True)
class Outage:
    """`since` and `until` are seconds since the epoch; until then the backend is not tried."""

    kind: str
    reason: str
    since: float
    until: float
    failures: int = 1

    def lasts(self, now: float) -> bool:
        return self.since <= now < self.until


def known(config: str, backend: str) -> Outage | None:
    """The last fault of a backend that has not worked since, or None."""
    row = _load(config).get(backend)
    if not isinstance(row, dict):
        return None
    texts = [row.get(key) for key in ("kind", "reason")]
    numbers = [row.get(key) for key in ("since", "until", "failures")]
    if not all(isinstance(text, str) for text in texts) or not all(type(n) in (int, float) for n in numbers):
        return None
    since, until, failures = (float(str(number)) for number in numbers)
    return Outage(str(texts[0]), str(texts[1]), since, until, int(failures))


def failed(config: str, backend: str, kind: str, reason: str, now: float) -> Outage:
    """Note a fault and how long the backend is left alone: at once for some kinds, else after IN_A_ROW in a row."""
    before = known(config, backend)
    failures = before.failures + 1 if before else 1
    pause = _PAUSES.get(kind, HOUR if failures >= IN_A_ROW else 0.0)
    until = now + pause
    if kind == "limit" and (told := _RESET.search(reason)):
        until = min(max(until, float(told[1])), now + 7 * DAY)
    found = Outage(kind, reason[:300], now, until, failures)
    _save(config, {**_load(config), backend: asdict(found)})
    return found


def worked(config: str, backend: str) -> None:
    """Forget the backend's fault."""
    rows = _load(config)
    if rows.pop(backend, None) is not None:
        _save(config, rows)


def clock(at: float) -> str:
    """A moment in the person's own time, for a sentence."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def _load(config: str) -> dict[str, object]:
    try:
        with open(_path(config), "rb") as file:
            rows = json.loads(file.read(100_000))
    except (OSError, ValueError, RecursionError):
        return {}
    return rows if isinstance(rows, dict) else {}


def _save(config: str, rows: Mapping[str, object]) -> None:
    os.makedirs(paths.own_dir(config), mode=0o700, exist_ok=True)
    replacement.put(_path(config), json.dumps(rows, indent=1).encode("ascii"))


def _path(config: str) -> str:
    return os.path.join(paths.own_dir(config), NAME)
