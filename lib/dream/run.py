"""One consolidation: locked, planned on a staged copy, judged, applied as one step that can be undone. Req: G3, J1."""

from __future__ import annotations

from collections.abc import Callable

from lib.dream import ageing, logs, marks, phases, rules, shelf, tidying, trust
from lib.dream.lock import ConsolidateLock
from lib.dream.marks import Marks
from lib.dream.scene import Report, Scene, summary
from lib.dream.shelf import Shelf
from lib.memory import history, store, transaction
from lib.memory.transaction import Change
from lib.model import choice
from lib.model.task import Unavailable

Say = Callable[[str], None]


def quiet(line: str) -> None:
    """Tells nobody."""


def consolidate(scene: Scene, *, force: bool = False, dry: bool = False, say: Say = quiet) -> Report:
    """Run it now, whatever the gates say. A dry run writes nothing, not even the lock.

    A run that is refused, that fails or is killed leaves the time of the last consolidation as it was. OSError of the
    directory or the history passes through.
    """
    lock = ConsolidateLock(scene.memory)
    if not shelf.exists(scene.memory):
        return Report(reason="no_memory_directory")
    if not dry and not lock.acquire():
        return Report(reason="locked")
    report, done = Report(), False
    try:
        known = marks.load(scene.state)
        read = _plan(scene, report, known, lock.last_consolidated(), force, say)
        if not dry and report.ok:
            say("writing")
            _apply(scene, lock, report)
        if not dry and report.ok:
            known.logs.update(read)
            marks.save(scene.state, Marks(known.logs, 0))
            done = True
    finally:
        if not dry:
            report.ok = lock.finish(done) and done
    return report


def _plan(scene: Scene, report: Report, known: Marks, last: float | None, force: bool, say: Say) -> dict[str, int]:
    """Fill the report with the changes of a staged copy and the verdict on them; how far the logs were read."""
    say("reading the memories")
    staged = shelf.read(scene.memory, history.of(scene.memory, scene.state).taken_back())
    bullets, read = logs.unread(scene.memory, known.logs, last)
    chosen = choice.choose(scene.settings, scene.env)
    report.backend, report.reason, report.ok = chosen.backend, chosen.reason, True
    if chosen.backend != "rules":
        say(f"a model looks at {len(staged.now)} memories; this takes a minute or two")
        try:
            outcome = phases.run(scene, staged, bullets, last, chosen)
        except Unavailable as error:
            failed = f"{chosen.backend} was not available ({error.reason})"
            report.backend, report.reason = "rules", f"{failed}; rules used instead"
        else:
            report.reason = outcome.stopped
            report.details = {"usage": vars(outcome.usage), "rounds": outcome.turns}
            report.ok = bool(staged.rows) or outcome.stopped in phases.ENDED_WELL
            report.refused = "" if report.ok else f"the model stopped early ({outcome.stopped}) and changed nothing"
            ageing.make_dates_absolute(staged)
            ageing.mark_expired(staged, scene.today)
    if report.backend == "rules":
        say(f"comparing {len(staged.now)} memories")
        rules.consolidate(staged, bullets, scene.today)
    _judge(scene, report, staged, force)
    return read


def _judge(scene: Scene, report: Report, staged: Shelf, force: bool) -> None:
    verdict = trust.judge(staged.before, staged.now, scene.settings.option("dream.maxShare"), force=force)
    report.dropped = verdict.dropped
    report.changes = staged.changes()
    touched = {change.file for change in report.changes}
    report.rows = [row for row in staged.rows if row[1] in touched]
    report.dangling = tidying.dangling(staged)
    if (index := shelf.index_text(scene.memory)) is not None:
        tidy = tidying.shortened(index)
        if tidy != index:
            report.changes.append(Change(store.INDEX, tidy, index))
            report.rows.append(("INDEX", store.INDEX, "over-long lines shortened"))
        if warning := tidying.over_limits(tidy):
            report.notes.append(warning)
    if verdict.refusal:
        report.ok, report.refused = False, verdict.refusal


def _apply(scene: Scene, lock: ConsolidateLock, report: Report) -> None:
    author = history.author(scene.memory, scene.state, "dream", scene.session, summary(report.rows))
    problems: dict[str, str] = {}
    if not lock.fenced(lambda: problems.update(transaction.apply(scene.memory, report.changes, author))):
        report.ok, report.refused = False, "another consolidation took the lock over; nothing was written"
        return
    report.left_out(problems)
    # What others wrote meanwhile is no fault; what the disk refused is, and the next run finishes it.
    faults = [problem for problem in problems.values() if problem.partition(":")[0].endswith("Error")]
    if faults:
        report.ok = False
        report.notes.append(f"Not everything could be written: {faults[0]}")
