"""How well the offline extractor tells a lasting statement from all else.

Run: `python tests/bench/extraction.py [--misses]`.

It measures; exit 0 always. Public sets are read from MEMORY_HOOKS_BENCH_DATA (or ../shared/bench) when they are
there, and skipped with a line when not.
"""

from __future__ import annotations

import datetime
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lib.extract.rules import Candidate, candidates
from tests.bench import extraction_sets as sets
from tests.bench.extraction_sets import Talk

TODAY = datetime.date(2026, 11, 30)


def row(what: str, ours: str, goal: str) -> None:
    print(f"{what:<72}{ours:>18}{goal:>14}")


def percent(part: int, whole: int) -> str:
    return f"{part}/{whole} {100 * part / whole:.1f} %" if whole else "-"


def found(texts: Sequence[str]) -> list[Candidate]:
    return candidates(texts, today=TODAY)


def own(misses: bool) -> None:
    """Our own prompts: what is caught, with the right type and words, and what is written where nothing was said."""
    caught = typed = 0
    stated = sets.lasting()
    for case in stated:
        got = found([case.text])
        right = [c for c in got if c.type == case.type]
        text = " ".join(c.description for c in right).lower()
        caught += bool(got)
        typed += bool(right) and all(word.lower() in text for word in case.words)
        if misses and not right:
            print(f"    missed: {case.text!r}")
    quiet = sets.nothing()
    false = 0
    for kind, prompt in quiet:
        got = found([prompt])
        false += bool(got)
        if misses and got:
            print(f"    false ({kind}): {got[0].quote!r}")
    row("own prompts that state something: a memory is written", percent(caught, len(stated)), "")
    row("... with the right type and words", percent(typed, len(stated)), "")
    row("own prompts that state nothing lasting: a memory is written", percent(false, len(quiet)), "0")


def talk(name: str, cases: Sequence[Talk], view: Callable[[str], list[str]], misses: bool) -> None:
    """Dialogues: sessions with a taught convention that were caught, and the others with a write."""
    hits = [(case, found(view(case.text))) for case in cases]
    taught = [(case, got) for case, got in hits if case.taught]
    plain = [got for case, got in hits if not case.taught and not case.office]
    office = [got for case, got in hits if not case.taught and case.office]
    whole = [(case, got) for case, got in taught if all(any(m in c.quote + c.body for c in got) for m in case.marks)]
    row(f"{name}: instruction sessions with a write", percent(sum(bool(g) for _, g in taught), len(taught)), ">= 85 %")
    row("... with every string that was taught in it", percent(sum(bool(g) for _, g in whole), len(taught)), "")
    row("... filler sessions with a write", percent(sum(map(bool, plain)), len(plain)), "<= 5 %")
    if office:
        row("... filler sessions about office life with a write", percent(sum(map(bool, office)), len(office)), "")
        both = plain + office
        row("... both kinds of filler sessions", percent(sum(map(bool, both)), len(both)), "<= 5 %")
    for case, got in taught if misses else ():
        if not got:
            print(f"    missed: {case.marks} {case.text[:100]!r}")


def speed() -> None:
    """Milliseconds for one prompt, and for the largest text."""
    prompts = [prompt for _, prompt in sets.nothing()]
    times: list[float] = []
    for prompt in prompts:
        start = time.perf_counter()
        found([prompt])
        times.append((time.perf_counter() - start) * 1000)
    large = "please look at this and remember that we always use it here, " * 16_000
    start = time.perf_counter()
    found([large])
    row("milliseconds a prompt, median / worst", f"{statistics.median(times):.2f} / {max(times):.1f}", "")
    row("milliseconds for 1 MB", f"{(time.perf_counter() - start) * 1000:.0f}", "")


def main(argv: Sequence[str]) -> int:
    misses = "--misses" in argv
    row("extraction without a model", "measured", "goal")
    own(misses)
    talk("own dialogues, whole text", sets.own_talk(), lambda text: [text], misses)
    public = sets.public_talk()
    if public:
        talk("MemoryCode, whole session as one text", public, lambda text: [text], misses)
        talk("MemoryCode, the mentor's turns", public, sets.teacher, misses)
    else:
        print(f"MemoryCode: skipped, no {sets.PUBLIC / 'memorycode'} (set MEMORY_HOOKS_BENCH_DATA)")
    speed()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
