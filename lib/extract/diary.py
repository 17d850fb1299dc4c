"""KAIROS mode: what a turn taught goes into the day's log as bullets, no topic file is touched. Req: G5."""
from __future__ import annotations

import contextlib
import datetime

from lib.extract.source import Report, Source
from lib.memory import daily, history, lock, store, transaction
from lib.memory.transaction import Change


def write(source: Source, changes: list[Change], report: Report, now: datetime.datetime) -> None:
    """Append one bullet for each change, each in one write; what the log holds already is not said again.

    Raises TimeoutError when the directory stays locked, and OSError of the disk and the history.
    """
    name = daily.name_of(now.date())
    with lock.held(source.memory):
        said = _said(source.memory, name)
        fresh = [change for change in changes if change.text and _statement(change) not in said]
        author = history.author(source.memory, source.state, "extract", source.session, f"{len(fresh)} in {name}")
        with author.step([name]) if author and fresh else contextlib.nullcontext():
            daily.append(source.memory, [_bullet(change, now) for change in fresh], now.date())
    logged = {change.file for change in fresh}
    known = {change.file for change in changes} - logged
    report.changes = [
        ("LOG", file, name) if file in logged
        else ("SKIP", file, f"{name} says it already") if file in known and action in ("CREATE", "UPDATE")
        else (action, file, reason)
        for action, file, reason in report.changes
    ]  # fmt: skip


def _bullet(change: Change, now: datetime.datetime) -> str:
    updates = transaction.digest(change.before) if change.before is not None else ""
    return daily.text_of(change.text or "", change.file, now, updates)


def _statement(change: Change) -> str:
    return _plain(store.Memory(change.file, change.text or "", 0.0).statement)


def _said(directory: str, name: str) -> set[str]:
    try:
        return {_plain(bullet.statement) for bullet in daily.read(directory, name)}
    except OSError:
        return set()


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
