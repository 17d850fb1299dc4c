"""UserPromptSubmit: give the model the memories that this prompt surely needs, or nothing."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.host.call import Call

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def handle(call: Call) -> str:
    from lib.journal import Journal
    from lib.recall import answer

    text, work = answer.respond(call, Journal(call.state, call.session))
    if work:
        from lib import detach

        detach.start(call.state)
    return text


if __name__ == "__main__":
    try:
        from lib.boundary import serve
    except (ImportError, SyntaxError, ValueError, OSError, MemoryError):
        sys.exit(0)  # half a bundle, or half a file of it, must not break the agent
    serve("UserPromptSubmit", handle)
