"""Stop: a turn ended. Decide whether it is looked at, start the worker when something is due, return at once."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.host.call import Call

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def handle(call: Call) -> str:
    from lib import detach
    from lib.dream import schedule as dream
    from lib.extract import schedule
    from lib.host import paths
    from lib.journal import Journal
    from lib.session import schedule as summary

    journal = Journal(call.state, call.session)
    extract = schedule.turn_ended(call, journal)
    summarize = summary.look(call, journal, journal.state())
    # A worker that is started for the turn looks at the consolidation as well.
    if extract or summarize or dream.due(call) or detach.waits(call.state, paths.TEAM_PUSH, call.now):
        detach.start(call.state)
    return ""


if __name__ == "__main__":
    try:
        from lib.boundary import serve
    except (ImportError, SyntaxError, ValueError, OSError, MemoryError):
        sys.exit(0)  # half a bundle, or half a file of it, must not break the agent
    serve("Stop", handle)
