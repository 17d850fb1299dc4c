"""Where a session's summary lies, and the mark that it is ours. Req: D3."""

from __future__ import annotations

import os

FILE = "session-memory/summary.md"  # within the folder of the session, as the client's own would be
# The first line of the file says whose it is: the client may keep one of its own under that name.
MARK = "<!-- kept by memory-hooks -->"


def folder(transcript: str, session: str) -> str:
    """The folder of what belongs to a session; the client has it beside the transcript."""
    return os.path.join(os.path.dirname(transcript), session)
