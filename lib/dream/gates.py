"""Whether a consolidation runs by itself: pure, in order, each no with its name. Req: G1, I1."""

from __future__ import annotations

from lib.journal import Run, Skip

HOUR = 3600.0  # seconds


def decide(
    *,
    kairos: bool = False,
    remote: bool = False,
    off: str = "",
    dream: bool = True,
    last: float | None = None,
    now: float = 0.0,
    min_hours: float = 24,
    sessions: int | None = None,
    min_sessions: int = 5,
    throttled: bool = False,
    locked: bool = False,
) -> Run | Skip:
    """Times in seconds since the epoch; `last` is None for never.

    `sessions` counts those that changed since, the current one and sub-agents not among them; None when they were not
    counted, because counting was throttled or is left to the worker.
    """
    if kairos:
        return Skip("kairos")
    if remote:
        return Skip("remote")
    if off:
        return Skip(off)
    if not dream:
        return Skip("dream_off")
    # A last time in the future says nothing: the lock has read it as never.
    if last is not None and now - last < min_hours * HOUR:
        return Skip("min_hours")
    if sessions is not None and sessions < min_sessions:
        return Skip("min_sessions")
    if throttled:
        return Skip("scan_throttled")
    if locked:
        return Skip("locked")
    return Run()
