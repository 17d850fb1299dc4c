"""SessionStart: one page of the index (argument 1 to 3) where the client has not loaded it itself."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.host.call import Call

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def handle(call: Call) -> str:
    from lib.recall import opening

    if (page := opening.page_number(sys.argv)) == 1:
        begin(call)
    return opening.index_page(call, page)


def begin(call: Call) -> None:
    from lib import detach
    from lib.dream import schedule as dream
    from lib.extract import schedule
    from lib.journal import Journal
    from lib.recall import opening

    opening.note_session(call, Journal(call.state, call.session))
    if schedule.pick_up(call) or dream.due(call):
        detach.start(call.state)


if __name__ == "__main__":
    try:
        from lib.boundary import serve
    except ImportError:
        sys.exit(0)  # half a bundle must not break the agent
    serve("SessionStart", handle)
