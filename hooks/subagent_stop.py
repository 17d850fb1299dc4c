"""SubagentStop: a sub-agent's run ended. Decide whether it is looked at for its own memory, and return at once."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.host.call import Call

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def handle(call: Call) -> str:
    from lib import boundary, detach
    from lib.agents import schedule
    from lib.agents.seat import Seat
    from lib.extract import exclusion, gates

    seat = Seat(call)
    if (scope := seat.scope) is None:
        if seat.problem:
            boundary.note(call.config, call.event, seat.problem)
    elif schedule.ended(call, seat, scope, gates.decide, exclusion.wrote_memory):
        detach.start(call.state)
    return ""


if __name__ == "__main__":
    try:
        from lib.boundary import serve
    except (ImportError, SyntaxError, ValueError, OSError, MemoryError):
        sys.exit(0)  # half a bundle, or half a file of it, must not break the agent
    serve("SubagentStop", handle)
