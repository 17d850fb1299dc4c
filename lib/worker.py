"""The project's worker: takes what is due, one job at a time, and exits; nobody waits for it. Req: B1, J4.

usage: python -I lib/worker.py STATE_DIR [LOCK]        LOCK: the descriptor that holds its lock already
exit status 0; what happened stands in the journals and the log
"""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType

if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from lib import boundary, upkeep
from lib.agents import job as runs
from lib.detach import WORKER_LOCK, handed
from lib.extract import run
from lib.host import paths, settings, transcript
from lib.host.call import CHILD_MARK, PAUSED, resting
from lib.journal import Journal, State, failing, newest, parts
from lib.memory import index, lock
from lib.model import outage
from lib.recall import backlog, postings, selector
from lib.recall.delivery import INDEX_FILE
from lib.recall.offer import Ask
from lib.session import job as rolling

DEADLINE = 300  # seconds; then the kernel ends the process, frees the lock, and the next turn starts another
ATTEMPTS = 3  # jobs that began and never ended, before a session's turns are let go
FAULTS = 20  # jobs that the disk or a lock stopped: what it holds up may work again when the next turn ends
SESSIONS = 20  # journals looked at, newest first
ASKING = 4  # journals looked at for prompts that wait: those of sessions that go on now


def work(state_dir: str, held: int | None = None) -> None:
    """Do every due job of a project's sessions under its lock, then look once more: a hook may have come meanwhile.

    `held` is the lock's descriptor when whoever started us took it.
    """
    # Tried again when the next turn ends, not now: what failed would fail again at once.
    failed: set[str] = set()
    unsummed: set[str] = set()
    unasked: set[str] = set()
    unlearned: set[str] = set()
    while True:
        held = lock.acquire(os.path.join(state_dir, WORKER_LOCK)) if held is None else held
        if held is None:
            return
        try:
            upkeep.sweep(state_dir)
            # Looked at in every round: the person may have switched while the work was under way.
            rest = resting(paths.config_dir(os.environ), os.path.basename(state_dir))
            if rest == PAUSED:
                return
            _select(state_dir, unasked)
            while not rest and (due := _due(state_dir, failed)):
                if not _job(state_dir, *due):
                    failed.add(due[0])
                _select(state_dir, unasked)
            _index(state_dir)
            if not rest:
                _agents(state_dir, unlearned)
                _summarize(state_dir, unsummed)
                upkeep.exchange(state_dir, DEADLINE)
                upkeep.consolidate(state_dir, DEADLINE)
        finally:
            os.close(held)
        held = None
        learns = not rest and (
            _due(state_dir, failed) or _summary_due(state_dir, unsummed) or runs.waits(state_dir, unlearned)
        )
        if not (learns or _asked(state_dir, unasked) or backlog.waits(state_dir)):
            return


def _asked(state_dir: str, failed: set[str]) -> tuple[str, Ask] | None:
    return selector.due(state_dir, (session for session in newest(state_dir, ASKING) if session not in failed))


def _select(state_dir: str, failed: set[str]) -> None:
    """Ask a model for each prompt that waits, before and between longer jobs: a turn is going on meanwhile."""
    while due := _asked(state_dir, failed):
        try:
            selector.attempt(state_dir, *due, os.environ, time.time())
        except OSError as error:
            boundary.note(paths.config_dir(os.environ), "worker", f"selection: {type(error).__name__}: {error}")
            failed.add(due[0])  # where the journal cannot be written, the question would stand there again at once


def _index(state_dir: str) -> None:
    """Bring the recall index up to date when a prompt could take in a part only."""
    if launch := backlog.take(state_dir):
        memory = paths.memory_path(launch, os.environ, settings.load(os.environ, launch))
        postings.refresh(memory, os.path.join(state_dir, INDEX_FILE))


def _agents(state_dir: str, failed: set[str]) -> None:
    """Learn from each sub-agent's run that is due, and look at the snapshots that their starts found."""
    for problem in runs.work(state_dir, os.environ, failed, _learn):
        boundary.note(paths.config_dir(os.environ), "worker", problem)


def _learn(journal: Journal, lesson: runs.Lesson, state: State) -> None:
    """One sub-agent's run through the same extraction, into its own memory."""
    upkeep.give(DEADLINE)
    its = lesson.scope
    made = (its.memory, lesson.settings, os.environ, its.state, lesson.words)
    _extract(journal, run.Source(lesson.session, lesson.launch, *made), state)
    os.makedirs(its.state, mode=0o700, exist_ok=True)
    postings.refresh(its.memory, os.path.join(its.state, INDEX_FILE))


def _summary_due(state_dir: str, failed: set[str]) -> tuple[str, State] | None:
    return rolling.due(state_dir, (session for session in newest(state_dir, SESSIONS) if session not in failed))


def _summarize(state_dir: str, failed: set[str]) -> None:
    """Bring every due summary up to date, and keep what the client would delete; neither touches extraction."""
    while due := _summary_due(state_dir, failed):
        upkeep.give(DEADLINE)
        done = rolling.attempt(state_dir, *due, os.environ)
        if not done:
            failed.add(due[0])
        upkeep.counted("summing up a session", state_dir, "" if done else "see memory.py why")
    try:
        rolling.archive_due(state_dir, os.environ, time.time())
    except OSError as error:
        boundary.note(paths.config_dir(os.environ), "worker", f"archive: {type(error).__name__}: {error}")


def _due(state_dir: str, failed: set[str]) -> tuple[str, State] | None:
    for session in newest(state_dir, SESSIONS):
        if session not in failed and (state := Journal(state_dir, session).state()).pending:
            return session, state
    return None


def _job(state_dir: str, session: str, state: State) -> bool:
    """One session's due work; False when it failed. The session moves on, at the latest after ATTEMPTS beginnings."""
    journal = Journal(state_dir, session)
    if state.failures >= ATTEMPTS or state.faults >= FAULTS:
        given_up = f"given up after {state.failures + state.faults} attempts"
        behind = max(state.cursor, state.due)  # a stale index alone has nothing due: the cursor stays where it is
        journal.append("extract", cursor=behind, handled=state.due, backend="none", reason=given_up)
        journal.append("mended", reason=given_up)
        upkeep.counted("learning", state_dir, given_up, times=failing.IN_A_ROW)
        return True
    journal.append("job")
    config = settings.load(os.environ, state.launch)
    memory = paths.memory_path(state.launch, os.environ, config)
    try:
        if state.index_stale:
            journal.append("mended", changed=index.mend(memory))
        if state.due > max(state.cursor, state.handled):
            _extract(journal, run.Source(session, state.launch, memory, config, os.environ, state_dir), state)
    except OSError as error:
        journal.append("failed", reason=f"{type(error).__name__}: {error}"[:300])
        boundary.note(paths.config_dir(os.environ), "worker", f"{type(error).__name__}: {error}")
        upkeep.counted("learning", state_dir, f"{type(error).__name__}: {error}")
        return False
    upkeep.counted("learning", state_dir, "")
    # In a large folder the hooks look at a part of the files only; what was written just now must not wait for that.
    postings.refresh(memory, os.path.join(state_dir, INDEX_FILE))
    journal.compact()
    return True


def _extract(journal: Journal, source: run.Source, state: State) -> None:
    started = time.monotonic()
    report = run.extract(source, state)
    _thought(report)
    for marks in parts(report.marks):
        journal.append("marks", marks=marks)
    journal.append(
        "extract",
        since=state.cursor,
        cursor=report.cursor,
        handled=state.due,
        fingerprint=transcript.fingerprint(state.transcript),
        ms=round((time.monotonic() - started) * 1000),
        **run.row(report),
    )


def _thought(report: run.Report) -> None:
    """A backend that does not answer is no failure of the turn, which the rules looked at; but the person must know."""
    config = paths.config_dir(os.environ)
    for backend in outage.BACKENDS:
        fault = outage.known(config, backend)
        if report.backend == backend:
            failing.worked(config, f"the backend {backend}")
        elif fault and report.backend == "rules" and backend in report.reason:
            failing.failed(config, f"the backend {backend}", f"{fault.reason}; the rules think instead")


def _unforeseen(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A fault of ours ends the worker; the log says where, and the journal's "job" event bounds the attempts."""
    config, what = paths.config_dir(os.environ), f"{kind.__name__}: {boundary.where(error)}"
    boundary.note(config, "worker", what)
    failing.failed(config, "the worker", what)


def main(arguments: list[str]) -> int:
    state, given = arguments[0] if arguments else "", arguments[1:]
    if not os.path.isdir(state) or len(given) > 1 or not all(map(str.isdecimal, given)):
        print("usage: python -I lib/worker.py STATE_DIR (a folder that exists) [LOCK]", file=sys.stderr)
        return 2
    descriptor = int(given[0]) if given else -1
    # Whatever this process starts must not start it again.
    os.environ[CHILD_MARK] = "1"
    upkeep.give(DEADLINE)
    sys.excepthook = _unforeseen
    work(state, descriptor if handed(state, descriptor) else None)
    failing.worked(paths.config_dir(os.environ), "the worker")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
