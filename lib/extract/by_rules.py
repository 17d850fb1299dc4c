"""The turns of one extraction read by the offline rules: SKIP, UPDATE or CREATE for each statement. Req: B5, B9."""
from __future__ import annotations

import datetime
import time

from lib.extract import decision, retold, rules, voice
from lib.extract.source import Report, Source, day_of
from lib.host import paths
from lib.host.transcript import Turn
from lib.memory import hygiene, store, transaction
from lib.memory.store import Memory
from lib.memory.transaction import Change

MEMORIES = 2_000  # existing memories that a new statement is compared with


def propose(source: Source, turns: list[Turn], report: Report) -> list[Change]:
    """The changes that the statements of these turns ask for; one row of the report for each statement."""
    days = [(day_of(turn.time), [text for _, text in turn.human]) for turn in turns]
    return settle(source, [(today, rules.candidates(said, today=today)) for today, said in days], report)


def settle(source: Source, found: list[tuple[datetime.date, list[rules.Candidate]]], report: Report) -> list[Change]:
    """SKIP, UPDATE or CREATE for each candidate of a day, in order; what must not be kept is a SKIP with its reason."""
    existing = store.scan(source.memory, MEMORIES)
    project = paths.checkout(source.launch)
    changes: list[Change] = []
    for today, candidates in found:
        for candidate in candidates:
            if source.words is not None:
                candidate = retold.rested(candidate, source.words)
            if not candidate.quote and voice.needs_words(candidate.type):
                report.changes.append(("SKIP", candidate.name, retold.NOBODY))
                continue
            verdict = decision.decide(candidate, existing)
            kept = f"{candidate.description}\n{candidate.body}\n{candidate.quote}"
            if why := hygiene.objection(kept, candidate.description, project):
                verdict = decision.Decision("SKIP", candidate.name, why)
            if verdict.action == "SKIP":
                report.changes.append(("SKIP", verdict.file or candidate.name, verdict.reason))
                continue
            change = _change(source, candidate, verdict, existing, changes, today)
            changes = [other for other in changes if other.file != change.file] + [change]
            existing = [memory for memory in existing if memory.file != change.file]
            existing.insert(0, Memory(change.file, change.text or "", time.time()))
            advice = f"; better kept in {candidate.advice}" if candidate.advice else ""
            report.changes.append((verdict.action, change.file, verdict.reason + advice))
    return changes


def _change(
    source: Source,
    candidate: rules.Candidate,
    verdict: decision.Decision,
    existing: list[Memory],
    changes: list[Change],
    today: datetime.date,
) -> Change:
    said = {
        "originSessionId": source.session, "said_by": "user" if candidate.quote else "agent",
        "noted": today.isoformat(), **({"quote": candidate.quote[:500]} if candidate.quote else {}),
        **({"advice": candidate.advice} if candidate.advice else {}),
    }  # fmt: skip
    memory = next((memory for memory in existing if memory.file == verdict.file), None)
    pending = next((change for change in changes if change.file == verdict.file), None)
    if verdict.action == "UPDATE" and memory is not None:
        before = pending.before if pending else transaction.current(source.memory, memory.file)
        text = (pending.text if pending else before) or ""
        # Of a long memory only the beginning was compared; what is written holds all of it.
        description, body = decision.merge(candidate, Memory(memory.file, text, memory.mtime), today)
        return Change(memory.file, store.rewritten(text, description=description, body=body, metadata=said), before)
    taken = [entry.file for entry in store.entries(source.memory)] + [change.file for change in changes]
    file = store.free_file(candidate.name, taken)
    text = store.text_of(
        file[:-3], candidate.type, candidate.description, candidate.body, said, applies=candidate.applies
    )
    return Change(file, text, None)
