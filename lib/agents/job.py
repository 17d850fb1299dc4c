"""The worker's part: runs of sub-agents that are due, and snapshots that were found at their start. Req: F1, F2."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass

from lib.agents import ignored, intake, notices, scopes
from lib.agents.scopes import Scope
from lib.agents.seat import journals
from lib.host import settings, transcript
from lib.host.settings import Settings
from lib.journal import Journal, State, newest
from lib.memory import index

LOOKED_AT = 40  # runs, newest first
KEPT = 200  # journals of runs
SNAPSHOTS = "snapshots"  # the journal of what became of them
ATTEMPTS = 3  # jobs that began and never ended, before a run is let go
FAULTS = 20
HEARD = 4_000_000  # bytes at the end of the parent's transcript in which the person's words are looked for


@dataclass(frozen=True)
class Lesson:
    """One run to learn from: `words` are the person's own in the session around it."""

    scope: Scope
    session: str
    launch: str
    settings: Settings
    words: tuple[str, ...]


Learn = Callable[[Journal, Lesson, State], None]


def due(state_dir: str, failed: Container[str] = ()) -> tuple[str, State] | None:
    """The newest run that waits, with what its journal adds up to."""
    folder = journals(state_dir)
    for run in newest(folder, LOOKED_AT):
        if run not in failed and (state := Journal(folder, run).state()).pending:
            return run, state
    return None


def attempt(state_dir: str, run: str, state: State, env: Mapping[str, str], learn: Learn) -> bool:
    """Do one run's due work; False when the disk or a lock stopped it. `learn` extracts and notes what came of it."""
    journal = Journal(journals(state_dir), run)
    if state.failures >= ATTEMPTS or state.faults >= FAULTS:
        return _closed(journal, state, f"given up after {state.failures + state.faults} attempts")
    journal.append("job")
    about = next((event for event in reversed(journal.events()) if event.get("e") == "stop"), {})
    agent, session = str(about.get("agent", "")), str(about.get("session", ""))
    scope = None if scopes.unsafe(agent) else scopes.of(agent, state.launch, env, state_dir)
    if scope is None or scope.astray():
        return _closed(journal, state, "the agent has no memory here any more")
    try:
        if state.index_stale:
            journal.append("mended", changed=index.mend(scope.memory))
        if state.due > max(state.cursor, state.handled):
            config = settings.load(env, state.launch)
            words = said(str(about.get("parent", "")), session)
            learn(journal, Lesson(scope, session, state.launch, config, words), state)
    except OSError as error:
        journal.append("failed", reason=f"{type(error).__name__}: {error}"[:300])
        return False
    ignored.shield(scope)
    journal.compact()
    _prune(state_dir)
    return True


def said(parent: str, session: str) -> tuple[str, ...]:
    """What the person said in the session so far: a task is what another agent made of it."""
    try:
        start = max(0, os.stat(parent).st_size - HEARD) if parent else 0
        span = transcript.span(parent, start, session=session)
    except (OSError, ValueError):
        return ()
    return tuple(text for turn in span.turns for _, text in turn.human)


def work(state_dir: str, env: Mapping[str, str], failed: set[str], learn: Learn) -> list[str]:
    """Do all of it once; what stopped a snapshot, as sentences for the log. What failed is added to `failed`."""
    while found := due(state_dir, failed):
        if not attempt(state_dir, *found, env, learn):
            failed.add(found[0])
    return snapshots(state_dir, env, failed)


def waits(state_dir: str, failed: Container[str] = ()) -> bool:
    """Whether there is something to do that did not fail before in this worker."""
    notes = notices.asked(journals(state_dir))
    return due(state_dir, failed) is not None or any(path not in failed for path, _, _ in notes)


def snapshots(state_dir: str, env: Mapping[str, str], failed: set[str]) -> list[str]:
    """Look at each snapshot that a hook found new; what stopped one, as sentences for the log. Its note then stays."""
    problems = []
    for path, agent, launch in notices.asked(journals(state_dir)):
        if path in failed:
            continue
        try:
            _snapshot(state_dir, agent, launch, env)
            notices.remove(path)
        except OSError as error:
            failed.add(path)
            problems.append(f"the snapshot of {agent}: {type(error).__name__}: {error}")
    return problems


def _snapshot(state_dir: str, agent: str, launch: str, env: Mapping[str, str]) -> None:
    scope = None if scopes.unsafe(agent) else scopes.of(agent, launch, env, state_dir)
    if scope is None or scope.astray():
        return
    report = intake.take(intake.Setting(scope, launch, settings.load(env, launch), env, time.time()))
    Journal(journals(state_dir), SNAPSHOTS).append(
        "snapshot", agent=agent, outcome=report.outcome, reason=report.reason[:300], backend=report.backend,
        changes=[list(row) for row in report.rows[:20]],
    )  # fmt: skip


def _closed(journal: Journal, state: State, reason: str) -> bool:
    journal.append(
        "extract", cursor=max(state.cursor, state.due), handled=state.due, backend="none", reason=reason, changes=[]
    )
    journal.append("mended", reason=reason)
    return True


def _prune(state_dir: str) -> None:
    """Forget the oldest runs that came to their end; a run is over when its agent is."""
    folder = journals(state_dir)
    for run in newest(folder, 10 * KEPT)[KEPT:]:
        journal = Journal(folder, run)
        if not journal.state().pending:
            notices.remove(journal.path)
