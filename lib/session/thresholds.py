"""Whether the summary of a session is due: pure, in order, each no with its name. Req: D1, D2."""

from __future__ import annotations

from lib.journal import Run, Skip


def decide(
    *,
    off: str = "",
    enabled: bool = True,
    tokens: int,
    noted: int | None,
    calls: int,
    turn_calls: int,
    init: int = 10_000,
    update: int = 5_000,
    update_calls: int = 3,
) -> Run | Skip:
    """`tokens` of the conversation now, `noted` at the last summary (None: there is none).

    `calls` counts tool calls since the last summary, `turn_calls` those of the turn that ended.
    """
    if off:
        return Skip(off)
    if not enabled:
        return Skip("summary_off")
    if noted is None:
        return Run() if tokens >= init else Skip("below_init")
    if tokens - noted < update:
        return Skip("below_update")
    # Neither much done nor a pause in the doing: the work is in full swing.
    if calls < update_calls and turn_calls:
        return Skip("busy")
    return Run()
