"""What each call of a model cost, for good: one line a call, one file a month, never rewritten. Req: J3."""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields

from lib.host import paths
from lib.model.task import Usage

FOLDER = "ledger"
FILE_LIMIT = 20_000_000  # bytes of a month that are read; ours write 300 a call
DAY = 86_400.0


@dataclass(frozen=True)
class Entry:
    """One call. `t` seconds since the epoch; token counts; `usd` what it cost, `estimate` what was expected before."""

    t: float
    project: str
    job: str
    backend: str
    model: str
    mode: str = ""
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    usd: float = 0.0
    estimate: float = 0.0
    rounds: int = 0
    outcome: str = ""
    changes: int = 0
    note: str = ""

    @property
    def usage(self) -> Usage:
        return Usage(self.input, self.output, self.cache_read, self.cache_write)


_KINDS: Mapping[str, type] = {field.name: type(field.default) for field in fields(Entry)[5:]} | {
    "t": float, "project": str, "job": str, "backend": str, "model": str,
}  # fmt: skip


def add(config: str, entry: Entry) -> None:
    """Append one call in one write. OSError passes through: a cost that cannot be noted must not be spent again."""
    folder = _folder(config)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    line = json.dumps({key: value for key, value in asdict(entry).items() if value not in ("", 0)}) + "\n"
    path = os.path.join(folder, time.strftime("%Y-%m.jsonl", time.localtime(entry.t)))
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        if os.write(descriptor, line.encode("ascii")) < len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
    finally:
        os.close(descriptor)


def ready(config: str) -> None:
    """OSError when a call could not be noted; asked before it is paid for."""
    folder = _folder(config)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), folder)


def since(config: str, start: float, now: float) -> list[Entry]:
    """The calls from `start` to `now` (seconds since the epoch), oldest first; unreadable lines are passed over."""
    months = {time.strftime("%Y-%m.jsonl", time.localtime(at)) for at in (start, now)}
    at = start
    while at < now:
        months.add(time.strftime("%Y-%m.jsonl", time.localtime(at)))
        at += 20 * DAY
    found = [entry for month in sorted(months) for entry in _entries(os.path.join(_folder(config), month))]
    return sorted((entry for entry in found if start <= entry.t <= now), key=lambda entry: entry.t)


def day_start(now: float) -> float:
    """When the person's calendar day began."""
    today = time.localtime(now)
    return time.mktime((today.tm_year, today.tm_mon, today.tm_mday, 0, 0, 0, 0, 0, -1))


def _entries(path: str) -> Iterator[Entry]:
    try:
        with open(path, "rb") as file:
            raw = file.read(FILE_LIMIT)
    except OSError:
        return
    for line in raw.split(b"\n"):
        try:
            row = json.loads(line) if line else None
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict) and (entry := _entry(row)):
            yield entry


def _entry(row: Mapping[str, object]) -> Entry | None:
    values: dict[str, object] = {}
    for name, kind in _KINDS.items():
        value = row.get(name, kind())
        if kind is float and type(value) is int:
            value = float(value)
        if type(value) is not kind or (isinstance(value, (int, float)) and not 0 <= value < 1e15):
            return None
        values[name] = value
    return Entry(**values)  # type: ignore[arg-type]


def _folder(config: str) -> str:
    return os.path.join(paths.own_dir(config), FOLDER)
