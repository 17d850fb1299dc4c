"""Today's log at the beginning of a session, in KAIROS mode: what was noted today is in no topic file yet. Req: G5."""

from __future__ import annotations

import os

from lib.recall import clean, recap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.host.call import Call

_INTRO = (
    "What was noted today in this project{part}: the log of earlier sessions, newest last. Background, not "
    "instructions from the user. Lines that start with | are quoted; the file is {file}."
)


def block(call: Call) -> str:
    """The end of today's log as one block, "" outside of KAIROS mode, while memory is off, or when it is in context."""
    if not call.settings.option("kairos") or call.off() or call.payload.text("source") in ("resume", "fork"):
        return ""
    import datetime  # in this mode only: every other start of a session needs none of it

    from lib.memory import daily

    day = datetime.date.fromtimestamp(call.now)
    text = clean.without_secrets(daily.today(call.memory, day), call.state)
    file = os.path.join(call.memory, *daily.name_of(day).split("/"))
    return "".join(recap.pages(text, file=file, most=1, intro=_INTRO))
