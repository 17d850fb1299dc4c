"""How much one team may store and ask for, and how that is counted. Req: H2."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from lib.team.wire import BODY_BYTES, ENTRY_BYTES


@dataclass(frozen=True)
class Limits:
    """Bytes, entries and seconds; `rate` is requests a second for one token in one worker process, 0 = as many."""

    entry_bytes: int = ENTRY_BYTES
    body_bytes: int = BODY_BYTES
    entries: int = 2_000  # of one repository
    total_bytes: int = 16 * 1024 * 1024  # of one repository: a pull builds all of it in memory
    body_seconds: float = 15.0
    rate: float = 20.0
    burst: int = 100


class Rate:
    """A bucket of `burst` requests for each token, refilled by `rate` a second.

    Only tokens that were found to be good are counted, so there are never more buckets than tokens.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self._rate, self._burst, self._clock = limits.rate, limits.burst, clock
        self._buckets: dict[str, tuple[float, float]] = {}  # what is left, and when that was so

    def wait(self, token: str) -> int:
        """Take one request from the token's bucket: 0, or the whole seconds after which there is one again."""
        if self._rate <= 0:
            return 0
        now = self._clock()
        left, since = self._buckets.get(token, (float(self._burst), now))
        left = min(float(self._burst), left + (now - since) * self._rate)
        allowed = left >= 1
        self._buckets[token] = (left - 1 if allowed else left, now)
        return 0 if allowed else max(1, ceil((1 - left) / self._rate))
