"""The summary for SessionStart: after a compaction, once, and the newest one that is to be had. Req: D4."""

from __future__ import annotations

import os
import time

from lib.session.place import FILE, MARK, folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.host.call import Call
    from lib.journal import Journal

READ = 200_000  # bytes
PATIENCE = 1.0  # seconds for an update that is being made; compaction itself takes many
STEP = 0.05


def after_compaction(call: Call, journal: Journal, page: int) -> tuple[str, str]:
    """(the session's summary, its file) when this start follows a compaction; a resumed session has it already.

    Page 1 notes it in the journal.
    """
    if call.payload.text("source") != "compact" or call.off() or not call.settings.option("session.enabled"):
        return "", ""
    path = call.transcript
    if not path:
        return "", ""
    from lib.memory import files  # every other start of a session needs none of this

    _wait(journal)
    place = folder(path, call.session)
    try:
        text = files.read(place, FILE, READ).decode("utf-8", "replace")
    except OSError:
        text = ""
    text = text.removeprefix(MARK).strip() if text.startswith(MARK) else ""
    if page == 1:
        journal.append("recap", reason="delivered" if text else "no_summary")
    return text, os.path.join(place, FILE)


def _wait(journal: Journal) -> None:
    """Give the update that PreCompact started the time to come to its end."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and os.path.exists(journal.path) and journal.state().progress.pending:
        time.sleep(STEP)
