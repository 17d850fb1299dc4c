"""How long each hook takes, as registered, as a multiple of the bare interpreter in the same minute.

usage: python tests/bench/hooks.py [ROUNDS]        default 30; exit status 0 = every number held, 1 = not
"""
from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from lib.host.registration import FLAGS, HOOKS, Hook
from tests.bench.runs import Row, interleave
from tests.bench.stages import kept, memories, stage, transcript, turn
from tests.support.registered import ROOT, Stage

PEAK = 30.0  # MB
GROWTH = 1.2  # a Stop on the large transcript, as a multiple of one on the small
ATTEMPTS = 90  # prompts, a second apart, until one is answered from the saved index
SMALL, LARGE = 100_000, 600_000_000  # bytes


def row(hook: Hook, made: Stage, title: str, limit: float = 0.0, *, speaks: bool = False) -> Row:
    argv = [sys.executable, *FLAGS, str(ROOT / "hooks" / hook.script), *hook.arguments]
    stdin = json.dumps(made.payload(hook.event)).encode()
    # A summary that is due starts a worker: no part of the hook, but it would be measured with the rows that follow.
    environment = {**made.environment(), "DISABLE_AUTO_COMPACT": "1"}
    return Row(title, argv, stdin, environment, kept(made), limit, speaks)


def opened(made: Stage) -> Stage:
    """The stage after its session began, so that the journal stands where later hooks expect it."""
    row(HOOKS[0], made, "").run()
    return made


def rows(base: Path) -> list[Row]:
    by_title = {hook.title: hook for hook in HOOKS}
    few, many, small, large = (stage(base, name) for name in ("few", "many", "small", "large"))
    memories(few, 200)
    memories(many, 10_000)
    transcript(few, SMALL)
    found = [Row("python -I -S -c pass", [sys.executable, *FLAGS, "-c", "pass"], b"", few.environment(), lambda: None)]
    found += [row(hook, few, title, 3.5) for title, hook in by_title.items() if hook.event == "SessionStart"]
    prompt = by_title["UserPromptSubmit"]
    found.append(row(prompt, opened(few), "UserPromptSubmit, 200 memories", 3.5, speaks=True))
    found.append(row(prompt, opened(many), "UserPromptSubmit, 10,000 memories", 4.5, speaks=True))
    found.append(row(by_title["PostToolUse"], few, "PostToolUse", 2.5))
    found.append(row(by_title["Stop"], few, "Stop, nothing new", 2.5))
    # An agent without a memory of its own is the usual one: its definition is looked for, and that is all.
    found += [row(by_title[event], few, f"{event}, no memory", 3.5) for event in ("SubagentStart", "SubagentStop")]
    for made, size, title, limit in ((small, SMALL, "100 KB", 2.5), (large, LARGE, "600 MB", 0.0)):
        transcript(made, size)
        made.memory.mkdir(parents=True)
        opened(made)
        turn(made)
        found.append(row(by_title["Stop"], made, f"Stop, transcript of {title}", limit))
    return found


def warm(measured: list[Row]) -> bool:
    """Let each hook build what it keeps, and tell what that took; True when its memory stayed within the limit."""
    held = True
    for each in measured:
        peak = each.peak()
        for attempt in range(ATTEMPTS):
            try:
                each.run()
                break
            except RuntimeError:
                if attempt == ATTEMPTS - 1:
                    raise
                time.sleep(1)  # the worker builds the index of the large folder meanwhile
        if attempt or peak > PEAK:
            worst, verdict = max(each.seconds) * 1000, "" if peak <= PEAK else "   NOT HELD"
            told = f"{attempt} silent, the longest {worst:.0f} ms, peak {peak:.1f} MB{verdict}"
            print(f"first runs of {each.name}: {told}")
        held &= peak <= PEAK
        each.seconds.clear()
    return held


def report(measured: list[Row]) -> bool:
    """Print the table; True when every number is held."""
    held = True
    print(f"\n{'':36} {'median ms':>9} {'times':>6} {'limit':>6} {'peak MB':>8}")
    for each in measured:
        times, peak = each.median / measured[0].median, each.peak()
        good = (not each.limit or times <= each.limit) and peak <= PEAK
        held &= good
        limit, verdict = f"{each.limit:6.1f}" if each.limit else " " * 6, "" if good else "   NOT HELD"
        print(f"{each.name:36} {each.median * 1000:9.1f} {times:6.2f} {limit} {peak:8.1f}{verdict}")
    growth = measured[-1].median / measured[-2].median
    print(f"\n600 MB against 100 KB: {growth:.2f} times, limit {GROWTH}{'' if growth <= GROWTH else '   NOT HELD'}")
    print(f"peak memory: limit {PEAK:.0f} MB\n\nmodules loaded beyond the bare interpreter:")
    for each in measured[1:]:
        names = each.modules()
        ours = [name for name in names if name.split(".")[0] == "lib"]
        theirs = [name for name in names if name not in ours]
        print(f"{each.name}: {len(names)}\n    {' '.join(theirs)}\n    ours: {' '.join(ours)}")
    return held and growth <= GROWTH


def main(arguments: list[str]) -> int:
    rounds = int(arguments[0]) if arguments else 30
    base = Path(tempfile.mkdtemp(prefix="memory-hooks-bench-"))
    try:
        measured = rows(base)
        small = warm(measured)
        interleave(measured, rounds)
        return 0 if report(measured) and small else 1
    finally:
        shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
