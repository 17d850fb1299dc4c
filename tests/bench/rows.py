"""One line of a bench's table, and how a piece of work is timed."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple


class Row(NamedTuple):
    """One line of the table; `measured` and `limit` are of the same `unit`."""

    what: str
    measured: float
    limit: float
    unit: str

    @property
    def ok(self) -> bool:
        return self.measured <= self.limit


def best(work: Callable[[], object], runs: int = 3) -> float:
    """Least seconds of CPU that `work` took."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)
