"""What the hooks do for the summary: count what is new, decide, note it. Never waits. Req: D1, D2."""

from __future__ import annotations

import os

from lib.host import autocompact, speaker, transcript
from lib.journal import Run, Skip
from lib.journal.progress import MANY, UNREAD
from lib.session import thresholds, tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.host.call import Call
    from lib.journal import Journal, State

GLANCE = 1_000_000  # bytes of new transcript that a hook reads


class Count:
    """What a part of a transcript holds: estimated tokens, tool calls, and those since the last prompt in it."""

    __slots__ = ("calls", "end", "tokens", "turn_calls")

    def __init__(self, end: int) -> None:
        self.end = end
        self.tokens = 0
        self.calls = 0
        self.turn_calls = 0


def look(call: Call, journal: Journal, state: State) -> bool:
    """Count what the transcript has got since the last look; True when a summary is due and noted as such."""
    path, settings = call.transcript, call.settings
    if not call.main_agent or not path or call.learning_off() or not settings.option("session.enabled"):
        return False
    progress, size = state.progress, os.stat(path).st_size
    recount = size < progress.looked or transcript.replaced(path, state.fingerprint)
    start = 0 if recount else max(0, progress.looked)
    if size == start:
        return False
    found = count(path, start, size)
    known = not recount and progress.noted >= 0
    verdict = thresholds.decide(
        tokens=found.tokens + (0 if recount else progress.tokens),
        noted=progress.noted_tokens if known else None,
        calls=found.calls + (0 if recount else progress.calls),
        turn_calls=found.turn_calls,
        init=settings.option("session.initTokens"),
        update=settings.option("session.updateTokens"),
        update_calls=settings.option("session.updateToolCalls"),
    )
    if isinstance(verdict, Run) and not autocompact.enabled(call.env, settings):
        verdict = Skip("auto_compact_off")
    journal.append(
        "look", at=found.end, tokens=found.tokens, calls=found.calls, reason=verdict.reason or "run",
        transcript=path, launch=call.launch, **({"recount": True} if recount else {}),
    )  # fmt: skip
    return isinstance(verdict, Run)


def before_compaction(call: Call, journal: Journal) -> bool:
    """Note that the client is about to compact; True when a summary is due at this moment."""
    if not call.main_agent:
        return False
    journal.append("compact", trigger=call.payload.text("trigger")[:20])
    return look(call, journal, journal.state())


def count(path: str, start: int, stop: int) -> Count:
    """Count [start, stop), of much only the last GLANCE bytes line by line; `end` is behind the last whole line."""
    found = Count(start)
    if stop - start > GLANCE:
        # So much was hardly written without tools; which they were, the worker reads.
        found.tokens, found.calls = (stop - start - GLANCE) // UNREAD, MANY
        start = stop - GLANCE
    for end, line in transcript.lines(path, start, stop):
        found.end = end
        if not transcript.speaks(line):
            continue
        for entry in transcript.objects(line) or ():
            found.tokens += tokens.of_entry(entry)
            if speaker.human_text(entry):
                found.turn_calls = 0
            uses = len(speaker.assistant_parts(entry)[1])
            found.calls += uses
            found.turn_calls += uses
    return found
