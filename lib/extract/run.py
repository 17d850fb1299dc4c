"""One extraction: the turns since the cursor become changes, by a model or by the rules. Req: B3, B5, B9."""
from __future__ import annotations

import datetime
import os

from lib.extract import by_model, by_rules, diary, exclusion
from lib.extract.source import Report, Source, day_of, row
from lib.host import transcript
from lib.journal import State
from lib.memory import history, index, transaction
from lib.memory.transaction import Change
from lib.model import choice
from lib.model.choice import Choice
from lib.model.task import Unavailable

__all__ = ["Report", "Source", "day_of", "extract", "row"]

ROUNDS = 4  # of writing what others write at the same time
HISTORY = 4_000_000  # bytes before `due` that are read when no cursor was ever set


def extract(source: Source, state: State) -> Report:
    """Look at everything between the cursor and `due`, once; OSError of transcript or directory passes through."""
    start, known = _start(state), frozenset(state.marks)
    if (state.failures or state.faults) and os.path.isdir(source.memory):
        index.mend(source.memory)  # what an interrupted run wrote may have no line, and is no change any more
    side = source.words is not None
    span = transcript.span(state.transcript, start, state.due, session=source.session, known=known, side=side)
    turns = [turn for turn in span.turns if turn.human]
    free = [turn for turn in turns if not exclusion.wrote_memory(turn, source.memory, source.launch)]
    marks = [transcript.mark_of(uuid) for turn in turns for uuid, _ in turn.human if uuid]
    report = Report(cursor=span.end, turns=len(turns), marks=marks)
    if span.skipped:
        report.details["unreadable_lines"] = span.skipped
    if not free:
        report.reason = "memory_tool" if turns else "no_human_text"
        return report
    chosen = _chosen(source, free)
    report.backend, report.reason = chosen.backend, chosen.reason
    changes: list[Change] = []
    if chosen.backend != "rules":
        try:
            changes = by_model.propose(source, state, free, report, chosen)
        except Unavailable as error:
            # The person's explicit statements are not lost to a missing network: the rules still see them.
            failed = f"{chosen.backend} was not available ({error.reason})"
            report.backend, report.reason = "rules", f"{failed}; rules used instead"
    if report.backend == "rules":
        changes = by_rules.propose(source, free, report)
    # A day's log is distilled by the project's consolidation, which knows nothing of a sub-agent's memory.
    if changes and source.settings.option("kairos") and not side:
        diary.write(source, changes, report, datetime.datetime.now())
    elif changes:
        _write(source, state, free, changes, report)
    return report


def _chosen(source: Source, turns: list[transcript.Turn]) -> Choice:
    """The backend, but no model for next to nothing: "thanks" is not worth its price."""
    chosen = choice.choose(source.settings, source.env)
    # In bytes: a character of Chinese says as much as three of English.
    new = sum(len(text.strip().encode("utf-8", "replace")) for turn in turns for _, text in turn.human)
    if chosen.backend != "rules" and new < source.settings.option("extract.minCharacters"):
        return Choice("rules", f"too little is new for a model ({new} characters)")
    return chosen


def _write(
    source: Source, state: State, turns: list[transcript.Turn], changes: list[Change], report: Report
) -> None:
    """Apply the changes; nothing that was said is dropped because somebody else wrote at the same moment.

    What another change came before is proposed anew by rules; for a model's the turn is looked at once more.
    """
    for _ in range(ROUNDS):
        author = history.author(source.memory, source.state, "extract", source.session, _why(changes))
        outcome = transaction.apply(source.memory, changes, author)
        if fault := transaction.disk_fault(outcome):
            raise OSError(fault)  # not the memory's fault: the turn is looked at again
        crossed = [file for file, why in outcome.items() if why in transaction.CROSSED]
        if report.backend != "rules":
            if not state.faults and any(outcome[file] != transaction.TAKEN for file in crossed):
                raise OSError(f"{crossed[0]}: {outcome[crossed[0]]}")
            crossed = []
        if not crossed:
            break
        settled = [row for row in report.changes if row[1] not in crossed]
        report.changes = []
        changes = by_rules.propose(source, turns, report)
        anew = {change.file for change in changes}
        report.changes = settled + [row for row in report.changes if row[1] in anew or row[1] in crossed]
        if not changes:
            return
    report.refuse(outcome)


def _why(changes: list[Change]) -> str:
    """What the history says of these changes: their files."""
    named = ", ".join(change.file for change in changes[:3])
    return f"{named} and {len(changes) - 3} more" if len(changes) > 3 else named


def _start(state: State) -> int:
    """The cursor; the beginning when the file shrank or is another one by now (the marks prevent repeats)."""
    if state.cursor > os.stat(state.transcript).st_size or transcript.replaced(state.transcript, state.fingerprint):
        return 0
    return state.cursor if state.cursor >= 0 else max(0, state.due - HISTORY)
