"""What the consolidation costs: the gates with 5,000 transcripts, and an offline run over 1,000 memories.

usage: python tests/bench/dream.py        exit status 0 = every number held, 1 = not
"""
from __future__ import annotations

import datetime
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from lib.dream import schedule, sessions, stamp
from lib.host import paths, settings
from lib.host.call import Call
from lib.host.payload import Payload
from lib.journal import Journal
from tests.support import messy

TRANSCRIPTS, MEMORIES, ROUNDS = 5_000, 1_000, 15
GATES_MS, RUN_SECONDS, RUN_MB = 30.0, 10.0, 200.0


def gates(base: Path) -> list[tuple[str, float, float, str]]:
    """Median milliseconds of a hook's part when its gates pass, of one that the last time stops, and of counting."""
    config, project = base / "config", base / "project"
    folder = config / "projects" / paths.slug(str(project))
    (folder / "memory").mkdir(parents=True)
    project.mkdir()
    for n in range(TRANSCRIPTS):
        (folder / f"s{n}.jsonl").write_bytes(b"{}\n")
    env = {"CLAUDE_CONFIG_DIR": str(config), "HOME": str(base)}
    fields = {"session_id": "s0", "cwd": str(project), "transcript_path": str(folder / "s0.jsonl")}
    state = paths.state_dir(str(config), str(project))
    Journal(state, "s0").append("stop", transcript=fields["transcript_path"], launch=str(project))

    def hook() -> bool:
        return schedule.due(Call("Stop", Payload(fields), env, time.time()))

    def count() -> list[str]:
        return sessions.since(sessions.folders(str(config), state, str(project)), 1.0, "s0")

    assert hook() and len(count()) == TRANSCRIPTS - 1
    found = [(f"hook's part, {TRANSCRIPTS:,} transcripts", _median(hook), GATES_MS, "ms")]
    found.append((f"worker's count, {TRANSCRIPTS:,} transcripts", _median(count), 0.0, "ms"))
    (folder / "memory" / stamp.NAME).write_text("1")
    assert not hook()
    found.append(("hook's part, consolidated just now", _median(hook), GATES_MS, "ms"))
    return found


def _median(call: object) -> float:
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        call()  # type: ignore[operator]
        times.append((time.perf_counter() - started) * 1000)
    return statistics.median(times)


def whole_run(base: Path) -> list[tuple[str, float, float, str]]:
    """Seconds and peak memory of one offline run in a process of its own."""
    memory, state = base / "-m" / "memory", base / "state" / "-m"
    messy.fill(memory, MEMORIES)
    state.mkdir(parents=True)
    given = [str(memory), str(state)]
    done = subprocess.run([sys.executable, __file__, "--one", *given], capture_output=True, text=True, check=True)
    seconds, megabytes, files = json.loads(done.stdout)
    name = f"offline run, {MEMORIES:,} memories ({files} left)"
    return [(name, seconds, RUN_SECONDS, "s"), (f"{name}, peak", megabytes, RUN_MB, "MB")]


def one(memory: str, state: str) -> None:
    from lib.dream import run
    from lib.dream.scene import Scene

    chosen = settings.Settings({}, {"backend": "rules"}, [])
    started = time.perf_counter()
    report = run.consolidate(Scene(memory, state, "", chosen, {}, datetime.date(2026, 11, 30)))
    seconds = time.perf_counter() - started
    assert report.ok and report.rows, report
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1 << 20)
    print(json.dumps([round(seconds, 2), round(peak, 1), len(os.listdir(memory)) - 5]))


def main() -> int:
    base = Path(tempfile.mkdtemp(prefix="memory-hooks-bench-"))
    try:
        rows = [*gates(base / "gates"), *whole_run(base / "run")]
    finally:
        shutil.rmtree(base, ignore_errors=True)
    for title, value, limit, unit in rows:
        verdict = f"(limit {limit:g})  {'ok' if value <= limit else 'OVER'}" if limit else "(not in a hook)"
        print(f"{title:<62} {value:8.2f} {unit:<2}  {verdict}")
    return int(any(value > limit > 0 for _, value, limit, _ in rows))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one(*sys.argv[2:4])
        sys.exit(0)
    sys.exit(main())
