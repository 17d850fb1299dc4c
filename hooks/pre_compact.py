"""PreCompact: start a due update of the session's summary at once, so that it is there when the context is gone."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.host.call import Call

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def handle(call: Call) -> str:
    from lib import detach
    from lib.journal import Journal
    from lib.session import schedule

    journal = Journal(call.state, call.session)
    if schedule.before_compaction(call, journal):
        detach.start(call.state)
    return ""


if __name__ == "__main__":
    try:
        from lib.boundary import serve
    except (ImportError, SyntaxError, ValueError, OSError, MemoryError):
        sys.exit(0)  # half a bundle, or half a file of it, must not break the agent
    serve("PreCompact", handle)
