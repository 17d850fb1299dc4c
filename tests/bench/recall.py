"""How well and how fast recall works: `python tests/bench/recall.py [--misses]`. It measures; exit 0 always.

Public sets are read from MEMORY_HOOKS_BENCH_DATA (or ../shared/bench) when they are there, and skipped with a line
when not.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lib.recall.lexical import select
from lib.recall.postings import refresh
from tests.bench import recall_sets as sets
from tests.bench.plain import Plain
from tests.bench.recall_sets import Case

Chooser = Callable[[Path, str], list[str]]
SIZES = (200, 1_000, 10_000)
ROUNDS = 15


def recalled(folder: Path, prompt: str) -> list[str]:
    return [Path(hit.path).stem for hit in select(folder, prompt)]


def ranked(folder: Path, prompt: str) -> list[str]:
    return [Path(hit.path).stem for hit in select(folder, prompt, abstain=False)]


def plain(folder: Path, prompt: str) -> list[str]:
    return Plain(folder).top(prompt)


def row(what: str, ours: str, baseline: str, goal: str) -> None:
    print(f"{what:<58}{ours:>16}{baseline:>16}{goal:>14}")


def precision_recall(cases: Iterable[Case], choose: Chooser, misses: bool = False) -> tuple[float, float, int, int]:
    """(precision, recall, prompts that need none and got some, such prompts), over all picks."""
    right = wrong = missed = false = none = 0
    for case in cases:
        picks = choose(case.folder, case.prompt)
        astray = [pick for pick in picks if pick not in case.expect | case.also]
        right += len(case.expect.intersection(picks))
        missed += len(case.expect.difference(picks))
        wrong += len(astray)
        none += not case.expect
        false += not case.expect and bool(astray)
        if misses and (astray or case.expect.difference(picks)):
            print(f"    {case.prompt[:80]!r}: wrong {astray}, missed {sorted(case.expect.difference(picks))}")
    return right / max(1, right + wrong), right / max(1, right + missed), false, none


def mean_by_case(cases: Iterable[Case], choose: Chooser) -> str:
    """Precision / recall averaged over cases, as the set's authors do; none where none is due counts 1 and 1."""
    precisions, recalls = [], []
    for case in cases:
        picks = set(choose(case.folder, case.prompt))
        right = len(picks & case.expect)
        precisions.append(right / len(picks) if picks else float(not case.expect))
        recalls.append(right / len(case.expect) if case.expect else 1.0)
    return f"{statistics.mean(precisions):.3f} / {statistics.mean(recalls):.3f}"


def own_set(misses: bool) -> None:
    cases = sets.ours()
    row(f"our set: {len(cases)} prompts, 60 memories; precision / recall", "", "", "")
    groups = ["paraphrase", "preference", "language", "paste", "command"]
    for name in [*groups, "all"]:
        group = [case for case in cases if name in (case.kind, "all")]
        mine = precision_recall(group, recalled, misses and name != "all")
        theirs = precision_recall(group, plain)
        goal = "0.90 / 0.85" if name == "all" else ""
        row(f"  {name} ({len(group)})", f"{mine[0]:.3f} / {mine[1]:.3f}", f"{theirs[0]:.3f} / {theirs[1]:.3f}", goal)
    due_none = [case for case in cases if not case.expect]
    mine, theirs = precision_recall(due_none, recalled, misses), precision_recall(due_none, plain)
    row("  near misses, small talk, orders that need none", f"{mine[2]}/{mine[3]}", f"{theirs[2]}/{theirs[3]}", "")
    for unseen in (False, True):
        false_alarms(sets.elsewhere(unseen), "  of two more projects" if unseen else "prompts of another project")


def false_alarms(prompts: list[str], whose: str) -> None:
    """How many prompts of another project get anything; a preference for that kind of work is told apart."""
    standing = sets.standing()
    picks = [set(recalled(sets.OURS / "memories", prompt)) for prompt in prompts]
    base = sum(bool(plain(sets.OURS / "memories", prompt)) for prompt in prompts)
    facts, anything = sum(bool(found - standing) for found in picks), sum(map(bool, picks))
    row(f"{whose} that get facts", f"{facts}/{len(prompts)}", f"{base}/{len(prompts)}", "≤ 2 %")
    goal = "≤ 2 %" if not whose.startswith(" ") else ""
    row("  or a standing preference for that kind of work", f"{anything}/{len(prompts)}", "", goal)


def public_sets(scratch: Path) -> None:
    if not (sets.PUBLIC / "precisionmembench").is_dir() or not (sets.PUBLIC / "devmembench").is_dir():
        print(f"public sets skipped: {sets.PUBLIC} has no precisionmembench and devmembench (MEMORY_HOOKS_BENCH_DATA)")
        return
    for pinned in (False, True):
        cases = sets.precision(scratch, pinned)
        what = f"PrecisionMemBench {'with' if pinned else 'without'} pinned facts; precision / recall"
        row(what, mean_by_case(cases, recalled), mean_by_case(cases, plain), "0.88 / 0.88")
    folder, questions = sets.developer(scratch)
    answerable = [(question, stems) for question, stems in questions if stems]
    hits = sum(bool(stems.intersection(ranked(folder, question))) for question, stems in answerable)
    base = sum(bool(stems.intersection(plain(folder, question))) for question, stems in answerable)
    share = len(answerable) / 100
    row("DevMemBench, hit@5 in percent", f"{hits / share:.1f}", f"{base / share:.1f}", "98.5")
    none = [question for question, stems in questions if not stems]
    row(
        "  questions without an answer that get some",
        f"{sum(bool(recalled(folder, q)) for q in none)}/{len(none)}",
        "",
        "",
    )
    ours = [case.prompt for case in sets.ours()] + sets.elsewhere()
    false = sum(bool(recalled(folder, prompt)) for prompt in ours)
    row("  prompts of our set against these memories", f"{100 * false / len(ours):.1f} %", "", "≤ 2 %")


def made(scratch: Path, count: int, draw: random.Random) -> tuple[Path, str]:
    """A folder of `count` invented memories with word frequencies as in prose, and a prompt of their words."""
    letters = [a + b for a in "bcdfglmnprst" for b in "aeiou"]
    words = ["".join(draw.choices(letters, k=draw.randint(2, 4))) for _ in range(12_000)]
    weights = [1 / (place + 5) for place in range(len(words))]
    folder = scratch / f"made-{count}"
    folder.mkdir()
    for number in range(count):
        name = "-".join(draw.choices(words, weights, k=3)) + f"-{number}"
        said, body = (" ".join(draw.choices(words, weights, k=size)) for size in (14, 60))
        text = f"---\nname: {name}\ndescription: {said}\nmetadata:\n  type: project\n---\n{body}\n"
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    then = time.time() - 100
    os.utime(folder, (then, then))
    return folder, "how do we " + " ".join(draw.choices(words, weights, k=14))


def wall(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True)
    return time.perf_counter() - start


def latency(scratch: Path) -> None:
    draw = random.Random(4)
    root = str(sets.ROOT)
    code = ""
    row("one cold `select` as a multiple of bare start-up", "", "", "hook:")
    for count in SIZES:
        folder, prompt = made(scratch, count, draw)
        index = scratch / f"{count}.sqlite"
        start = time.perf_counter()
        refresh(str(folder), str(index))
        built = time.perf_counter() - start
        next(folder.glob("*.md")).write_text("# Changed\n", encoding="utf-8")
        start = time.perf_counter()
        refresh(str(folder), str(index))
        updated = time.perf_counter() - start
        code = (
            f"import sys; sys.path.insert(0, {root!r})\nfrom lib.recall.lexical import select\n"
            f"select({str(folder)!r}, {prompt!r}, index={str(index)!r})"
        )
        pairs = [(wall("pass"), wall(code)) for _ in range(ROUNDS)]
        bare, ours = (statistics.median(times) for times in zip(*pairs, strict=True))
        goal = "≤ 4.5" if count > 1_000 else "≤ 3.5"
        row(f"  {count} memories ({1000 * ours:.0f} ms)", f"{ours / bare:.2f}", "", goal)
        size = index.stat().st_size / 1e6
        print(f"    index built in {built:.2f} s, one change in {1000 * updated:.0f} ms, {size:.1f} MB")
    status = "/proc/self/status"
    if os.path.exists(status):
        peak = subprocess.check_output([sys.executable, "-I", "-S", "-c", f"{code}\nprint(open({status!r}).read())"])
        kilobytes = next(line.split()[1] for line in peak.decode().splitlines() if line.startswith("VmHWM"))
        row("  peak memory of the last, MB", f"{int(kilobytes) / 1024:.0f}", "", "≤ 30")


def main(arguments: list[str]) -> int:
    row("", "ours", "plain BM25", "goal")
    with tempfile.TemporaryDirectory() as name:
        own_set("--misses" in arguments)
        public_sets(Path(name))
        latency(Path(name))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
