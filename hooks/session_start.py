"""SessionStart: page 1 to 3 of what is told: after a compaction the summary, and the index where it is missing."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.host.call import Call

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def handle(call: Call) -> str:
    from lib.journal import Journal
    from lib.recall import opening
    from lib.session import delivery

    journal, page = Journal(call.state, call.session), opening.page_number(sys.argv)
    if page == 1:
        from lib import detach
        from lib.dream import schedule as dream
        from lib.extract import schedule
        from lib.host import paths

        opening.note_session(call, journal)
        if schedule.pick_up(call) or dream.due(call) or detach.waits(call.state, paths.TEAM_PULL, call.now):
            detach.start(call.state)
    return opening.page(call, page, *delivery.after_compaction(call, journal, page))


if __name__ == "__main__":
    try:
        from lib.boundary import serve
    except (ImportError, SyntaxError, ValueError, OSError, MemoryError):
        sys.exit(0)  # half a bundle, or half a file of it, must not break the agent
    serve("SessionStart", handle)
