"""PostToolUse: the agent acted. A memory it wrote is indexed after the turn; what a model found meanwhile is told."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.host.call import Call

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def handle(call: Call) -> str:
    from lib.extract import exclusion
    from lib.journal import Journal
    from lib.recall import offer

    journal = Journal(call.state, call.session)
    if file := exclusion.memory_written(call):
        from lib.host import paths
        from lib.memory import written
        from lib.team import schedule

        journal.append("memory_write", file=file)
        schedule.note_write(call.state, file, call.now)
        written.note_present(paths.directory_state(call.memory, call.state), call.memory, file)
    return offer.at_tool(call, journal)


if __name__ == "__main__":
    try:
        from lib.boundary import serve
    except (ImportError, SyntaxError, ValueError, OSError, MemoryError):
        sys.exit(0)  # half a bundle, or half a file of it, must not break the agent
    serve("PostToolUse", handle)
