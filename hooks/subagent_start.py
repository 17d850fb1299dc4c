"""SubagentStart: give a sub-agent that keeps memories what its task needs of them, and a missing index."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.host.call import Call

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def handle(call: Call) -> str:
    from lib import boundary, detach
    from lib.agents import notices, schedule
    from lib.agents.seat import Seat
    from lib.recall import briefing

    seat = Seat(call)
    if (scope := seat.scope) is None:
        if seat.problem:
            boundary.note(call.config, call.event, seat.problem)
        return ""
    task, text, snapshot = ("", "", False) if call.off() else schedule.began(call, seat, scope)
    if snapshot:
        detach.start(call.state)
    told = "" if call.off() else notices.told(scope)
    return briefing.block(call, scope, text, notice=told, row={"agent": seat.agent, "run": seat.run, "task": task})


if __name__ == "__main__":
    try:
        from lib.boundary import serve
    except (ImportError, SyntaxError, ValueError, OSError, MemoryError):
        sys.exit(0)  # half a bundle, or half a file of it, must not break the agent
    serve("SubagentStart", handle)
