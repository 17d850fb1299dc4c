"""One extraction: the turns since the cursor become changes, by a model or by the rules. Req: B3, B5, B9."""

from __future__ import annotations

import datetime
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from lib.extract import decision, exclusion, prompt, rules
from lib.host import transcript
from lib.host.settings import Settings
from lib.host.transcript import Turn
from lib.journal import State
from lib.memory import checks, frontmatter, manifest, store, transaction
from lib.memory.store import Memory
from lib.memory.transaction import Change
from lib.model import catalog, choice
from lib.model.anthropic_api import AnthropicAPI
from lib.model.task import Outcome, Task, Unavailable

MEMORIES = 2_000  # existing memories that a new statement is compared with
HISTORY = 4_000_000  # bytes before `due` that are read when no cursor was ever set


@dataclass(frozen=True)
class Source:
    """Whose turns: one session of one project, and where its memories lie."""

    session: str
    launch: str
    memory: str
    settings: Settings
    env: Mapping[str, str]


@dataclass
class Report:
    """What a run did, in the form the journal keeps: `changes` holds [action, file, reason] rows."""

    backend: str = "none"
    reason: str = ""
    cursor: int = 0
    turns: int = 0
    changes: list[tuple[str, str, str]] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    details: dict[str, object] = field(default_factory=dict)


def extract(source: Source, state: State) -> Report:
    """Look at everything between the cursor and `due`, once; OSError of transcript or directory passes through."""
    start, known = _start(state), frozenset(state.marks)
    span = transcript.span(state.transcript, start, state.due, session=source.session, known=known)
    turns = [turn for turn in span.turns if turn.human]
    free = [turn for turn in turns if not exclusion.wrote_memory(turn, source.memory, source.launch)]
    marks = [transcript.mark_of(uuid) for turn in turns for uuid, _ in turn.human if uuid]
    report = Report(cursor=span.end, turns=len(turns), marks=marks)
    if span.skipped:
        report.details["unreadable_lines"] = span.skipped
    if not free:
        report.reason = "memory_tool" if turns else "no_human_text"
        return report
    chosen = choice.choose(source.settings, source.env)
    report.backend, report.reason = chosen.backend, chosen.reason
    changes: list[Change] = []
    if chosen.backend == "anthropic":
        changes = _by_model(source, state, free, report)
    if report.backend == "rules":
        changes = _by_rules(source, free, report)
    if changes:
        _apply(source.memory, changes, report)
    return report


def _start(state: State) -> int:
    """The cursor; the beginning when the file shrank or is another one by now (the marks prevent repeats)."""
    if state.cursor > os.stat(state.transcript).st_size or transcript.replaced(state.transcript, state.fingerprint):
        return 0
    return state.cursor if state.cursor >= 0 else max(0, state.due - HISTORY)


def _by_rules(source: Source, turns: list[Turn], report: Report) -> list[Change]:
    existing = store.scan(source.memory, MEMORIES)
    changes: list[Change] = []
    for turn in turns:
        today = day_of(turn.time)
        for candidate in rules.candidates([text for _, text in turn.human], today=today):
            verdict = decision.decide(candidate, existing)
            if verdict.action == "SKIP":
                report.changes.append(("SKIP", verdict.file or candidate.name, verdict.reason))
                continue
            change = _changed(source, candidate, verdict, existing, changes, today)
            changes = [other for other in changes if other.file != change.file] + [change]
            existing = [memory for memory in existing if memory.file != change.file]
            existing.insert(0, Memory(change.file, change.text or "", time.time()))
            report.changes.append((verdict.action, change.file, verdict.reason))
    return changes


def _changed(
    source: Source,
    candidate: rules.Candidate,
    verdict: decision.Decision,
    existing: list[Memory],
    changes: list[Change],
    today: datetime.date,
) -> Change:
    said = {
        "originSessionId": source.session,
        "said_by": "user",
        "noted": today.isoformat(),
        "quote": candidate.quote[:500],
    }
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


def _by_model(source: Source, state: State, turns: list[Turn], report: Report) -> list[Change]:
    thinker = AnthropicAPI(catalog.model("extract", source.settings), source.env)
    known = manifest.text(store.scan(source.memory))
    today = day_of(turns[-1].time)
    task = Task(
        system=prompt.system(),
        prompt=prompt.user(_with_last_words(turns, state), known, today),
        memory_dir=source.memory,
        read_roots=(source.launch, source.memory, os.path.dirname(state.transcript)),
        max_turns=max(1, source.settings.option("extract.maxTurns")),
    )
    try:
        outcome = thinker.run_agent(task, check=checks.check)
    except Unavailable as error:
        # The person's explicit statements are not lost to a missing network: the rules still see them.
        report.backend, report.reason = "rules", f"anthropic was not available ({error.reason}); rules used instead"
        return []
    report.reason = outcome.stopped
    report.details["usage"] = vars(outcome.usage)
    report.details["rounds"] = outcome.turns
    if outcome.refusals:
        report.details["refused"] = list(outcome.refusals)[:8]
    return _staged(source, outcome, today, report)


def _staged(source: Source, outcome: Outcome, today: datetime.date, report: Report) -> list[Change]:
    changes = []
    for staged in outcome.changes:
        if staged.text is None:
            report.changes.append(("SKIP", staged.file, "an extraction may not delete"))
            continue
        document = frontmatter.parse(staged.text)
        # Who said it is set by code: a model's text never passes for the person's own words.
        noted = {
            "originSessionId": source.session, "said_by": "model", "noted": today.isoformat(),
            "quote": _quote(staged.before),
        }  # fmt: skip
        text = store.rewritten(
            staged.text, description=str(document.fields.get("description", "")), body=document.body, metadata=noted
        )
        changes.append(Change(staged.file, text, staged.before))
        report.changes.append(("UPDATE" if staged.before is not None else "CREATE", staged.file, ""))
    return changes


def _quote(before: str | None) -> object:
    """The person's words that a memory held before the change; None when there were none."""
    metadata = frontmatter.parse(before or "").fields.get("metadata")
    return metadata.get("quote") if isinstance(metadata, dict) else None


def _with_last_words(turns: list[Turn], state: State) -> list[Turn]:
    """The transcript may lack the turn's last reply when the turn ends; the hook has heard it."""
    if state.last_said and not any(text.startswith(state.last_said[:200]) for text in turns[-1].assistant):
        turns[-1].assistant.append(state.last_said)
    return turns


def _apply(memory: str, changes: list[Change], report: Report) -> None:
    problems = transaction.apply(memory, changes)
    report.changes = [
        ("DROP", file, problem)
        if action in ("CREATE", "UPDATE") and (problem := problems.get(file, ""))
        else (action, file, reason)
        for action, file, reason in report.changes
    ]


def day_of(timestamp: str) -> datetime.date:
    """The person's calendar day of a transcript timestamp (UTC); today when there is none."""
    try:
        return datetime.datetime.fromisoformat(timestamp.replace("Z", "+00:00")).astimezone().date()
    except ValueError:
        return datetime.date.today()


def row(report: Report) -> dict[str, object]:
    """The journal's fields of a report, within one line: of many changes the first are named and the rest counted."""
    named: list[object] = [list(change) for change in report.changes]
    while len(json.dumps(named)) > 2_000:
        named.pop()
    more = len(report.changes) - len(named)
    return {
        "backend": report.backend, "reason": report.reason[:300], "turns": report.turns, "changes": named,
        **({"more_changes": more} if more else {}), **report.details,
    }  # fmt: skip
