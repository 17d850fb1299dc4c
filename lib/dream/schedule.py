"""The cheap half of the gates, for a hook: is it worth starting the worker for a consolidation? Req: G1.

Two `stat` calls, and only when both let it pass the names in one folder. The worker counts exactly and decides.
"""

from __future__ import annotations

import os

from lib.dream import gates, stamp
from lib.host import paths
from lib.journal import Run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from lib.host.call import Call
    from lib.host.settings import Settings
    from lib.journal import Skip

NEXT = "dream.next"  # in the project's state; its time is the earliest next look at the sessions
THROTTLE = 600.0  # seconds between two looks
FARTHEST = 86_400.0  # seconds; a time farther ahead was set by a wrong clock


def due(call: Call) -> bool:
    """True when the worker should look closer."""
    if not call.main_agent or not call.memory:
        return False
    verdict = first_gates(call.settings, call.env, call.learning_off(), call.memory, call.state, call.now)
    if not isinstance(verdict, Run):
        return False
    named = call.payload.text("transcript_path")
    return _maybe_enough(paths.transcripts(named), call.settings.option("dream.minSessions"))


def first_gates(
    settings: Settings,
    env: Mapping[str, str],
    off: str,
    memory: str,
    state: str,
    now: float,
    sessions: int | None = None,
) -> Run | Skip:
    """The gates as far as settings, environment and two times tell; `sessions` None when they were not counted."""
    return gates.decide(
        kairos=settings.option("kairos"),
        remote=env.get("CLAUDE_CODE_REMOTE", "").lower() not in ("", "0", "false", "no", "off"),
        off=off,
        dream=settings.get("autoDreamEnabled") is not False,
        last=stamp.last_consolidated(memory, now),
        now=now,
        min_hours=settings.option("dream.minHours"),
        sessions=sessions,
        min_sessions=settings.option("dream.minSessions"),
        throttled=sessions is None and throttled(state, now),
    )


def throttled(state: str, now: float) -> bool:
    try:
        return now < os.stat(os.path.join(state, NEXT)).st_mtime <= now + FARTHEST
    except OSError:
        return False


def put_off(state: str, until: float) -> None:
    """No look at the sessions before `until`, in seconds since the epoch."""
    path = os.path.join(state, NEXT)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    os.close(descriptor)
    os.utime(path, (until, until))


def _maybe_enough(folder: str, wanted: int) -> bool:
    """Whether there are as many sessions at all, besides the current one; a folder that is unreadable may have them."""
    try:
        return sum(name.endswith(".jsonl") for name in os.listdir(folder)) > wanted
    except OSError:
        return True
