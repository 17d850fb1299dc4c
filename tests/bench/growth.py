"""What each hook costs as things grow: transcript, memories, sessions, journal. Flat where it should be.

usage: python tests/bench/growth.py [--quick]      exit status 0 = every number held, 1 = not

Each row is one command as registered, run in turn with all others; the figures are multiples of the bare start of the
same interpreter in the same rounds: wall time, and in brackets processor time, by which flatness is judged (a busy
machine stretches the one and not the other).
"""
from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from lib.dream import schedule as dream
from lib.host import paths
from lib.host.registration import FLAGS, HOOKS, Hook
from lib.journal import RECENT, SIZE_LIMIT
from lib.recall import delivery, postings
from tests.bench.hooks import row
from tests.bench.runs import Row, interleave
from tests.bench.stages import entry, memories, stage, transcript, turn
from tests.support.registered import SESSION, Stage

FLAT = 1.2  # times the smallest size
BY_TITLE = {hook.title: hook for hook in HOOKS}
START, PROMPT, TOOL, STOP = (BY_TITLE[name] for name in ("SessionStart 1", "UserPromptSubmit", "PostToolUse", "Stop"))
DAY = 86_400  # seconds


class Grown(NamedTuple):
    """One thing that grows: its sizes with their names, what makes a machine of that size, and what each hook may cost.

    `limits`: hook -> times the smallest size; 0 = told only.
    """

    title: str
    sizes: tuple[tuple[str, int], ...]
    make: Callable[[Stage, int], None]
    limits: tuple[tuple[Hook, float], ...]


def with_transcript(made: Stage, size: int) -> None:
    memories(made, 20)
    transcript(made, size)


def with_memories(made: Stage, count: int) -> None:
    memories(made, count)
    transcript(made, 100_000)


def with_sessions(made: Stage, count: int) -> None:
    """So many earlier sessions of the project, one a day, each with a transcript and a journal of its own."""
    with_transcript(made, 100_000)
    state = state_of(made)
    folder = state / "journal"
    folder.mkdir(parents=True)
    for number in range(count):
        name = f"{number:08d}-0000-4000-8000-000000000000.jsonl"
        past, then = made.transcript.parent / name, time.time() - (count - number) * DAY / 10 - DAY
        past.write_bytes(entry(1, "an earlier prompt"))
        size = past.stat().st_size
        rows: list[dict[str, object]] = [
            {"t": then, "e": "session", "source": "startup", "at": 0, "launch": str(made.project),
             "transcript": str(past), "index": "native_memory"},
            {"t": then, "e": "stop", "cursor": size, "transcript": str(past), "reason": "no_human_text"},
        ]  # fmt: skip
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
        for path in (past, folder / name):
            os.utime(path, (then, then))
    names = "".join(f"\n{number:08d}-0000-4000-8000-000000000000\n" for number in range(count))
    (state / RECENT).write_text(names)
    dream.put_off(str(state), time.time() + 3_000)  # the worker has just counted them


def with_journal(made: Stage, size: int) -> None:
    """A session of so many bytes of events; the worker folds them from 128 KB on."""
    with_transcript(made, 100_000)
    folder = state_of(made) / "journal"
    folder.mkdir(parents=True)
    end = made.transcript.stat().st_size
    rows: list[dict[str, object]] = [
        {"t": time.time(), "e": "recall", "reason": "none_sure", "shown": {}, "why": {}, "model": "certain", "ms": 9},
        {"t": time.time(), "e": "stop", "cursor": end, "transcript": str(made.transcript), "reason": "no_human_text"},
        {"t": time.time(), "e": "look", "at": end, "tokens": 0, "calls": 1, "reason": "below_init"},
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / f"{SESSION}.jsonl").write_text(text * (size // len(text)))


def state_of(made: Stage) -> Path:
    return Path(paths.state_dir(str(made.config), paths.project_root(str(made.project))))


KB, MB = 1_000, 1_000_000
GROWN = (
    Grown("transcript", (("100 KB", 100 * KB), ("1 MB", MB), ("10 MB", 10 * MB), ("100 MB", 100 * MB),
                         ("600 MB", 600 * MB)), with_transcript, ((START, FLAT), (PROMPT, FLAT), (STOP, FLAT))),
    Grown("memories", (("10", 10), ("100", 100), ("1,000", 1_000), ("10,000", 10_000)), with_memories,
          ((START, FLAT), (PROMPT, 1.5), (TOOL, FLAT), (STOP, FLAT))),
    Grown("sessions", (("10", 10), ("100", 100), ("1,000", 1_000), ("5,000", 5_000)), with_sessions,
          ((START, FLAT), (PROMPT, FLAT), (STOP, FLAT))),
    Grown("journal", (("1 KB", KB), ("16 KB", 16 * KB), ("64 KB", 64 * KB), ("128 KB", SIZE_LIMIT)), with_journal,
          ((START, FLAT), (PROMPT, 1.5), (TOOL, FLAT), (STOP, 1.5))),
)  # fmt: skip


def kept(made: Stage) -> Callable[[], None]:
    """What puts this session's journal back; those of other sessions stand."""
    path = state_of(made) / "journal" / f"{SESSION}.jsonl"
    saved = path.read_bytes() if path.exists() else b""

    def restore() -> None:
        path.write_bytes(saved)

    return restore


def rows_of(base: Path, grown: Grown, size: tuple[str, int]) -> list[Row]:
    name, number = size
    made = stage(base, f"{grown.title}-{number}")
    grown.make(made, number)
    index = state_of(made) / delivery.INDEX_FILE
    index.parent.mkdir(parents=True, exist_ok=True)
    postings.refresh(str(made.memory), str(index))
    if not (state_of(made) / "journal" / f"{SESSION}.jsonl").exists():
        row(START, made, "").run()
    turn(made)
    found = []
    for hook, _ in grown.limits:
        one = row(hook, made, f"{hook.title}, {name}", speaks=hook is PROMPT)
        one.before = kept(made)
        found.append(one)
    return found


def told(grown: Grown, table: list[list[Row]], bare: Row) -> bool:
    """Print one table, a hook a line and a size a column; True when each hook stayed within its limit."""
    held = True
    print(f"\n{grown.title:22}" + "".join(f"{name:>15}" for name, _ in grown.sizes))
    cpu = median(bare.cpu)
    for place, (hook, limit) in enumerate(grown.limits):
        column = [rows[place] for rows in table]
        cells = [f"{one.median / bare.median:5.2f} ({median(one.cpu) / cpu:.2f})" for one in column]
        growth = median(column[-1].cpu) / median(column[0].cpu)
        good = growth <= limit
        held &= good
        verdict = f"   x {growth:.2f}, at most {limit}: {'HELD' if good else 'NOT HELD'}"
        print(f"{hook.title:22}" + "".join(f"{cell:>15}" for cell in cells) + verdict)
    return held


def main(arguments: list[str]) -> int:
    quick = "--quick" in arguments
    base = Path(tempfile.mkdtemp(prefix="memory-hooks-growth-"))
    held = True
    try:
        for grown in GROWN:
            if quick:
                grown = grown._replace(sizes=(grown.sizes[0], grown.sizes[-2]))
            bare = Row("bare", [sys.executable, *FLAGS, "-c", "pass"], b"", dict(os.environ), lambda: None)
            table = [rows_of(base, grown, size) for size in grown.sizes]
            measured = [bare, *(one for rows in table for one in rows)]
            interleave(measured, 1)
            for one in measured:
                one.seconds.clear()
                one.cpu.clear()
            interleave(measured, 7 if quick else 15)
            held &= told(grown, table, bare)
            shutil.rmtree(base, ignore_errors=True)
        return 0 if held else 1
    finally:
        shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
