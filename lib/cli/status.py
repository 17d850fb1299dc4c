"""`memory.py status [--json]`: is it on, who thinks and why, what it did last, what is next, what is wrong. Req: J3.

JSON: project, memory, count, types, switch, resting, native, backend, reason, faults, spent, limit, last_extraction,
captured, last_dream, next, review, problems. Times are seconds since the epoch, null for never.
"""

from __future__ import annotations

from lib.cli import screen, standing
from lib.cli.arguments import given
from lib.cli.place import Place
from lib.cli.resting import WORDS
from lib.cli.standing import Standing
from lib.model import outage

USAGE = "status [--json]"


def run(arguments: list[str], place: Place) -> int:
    """One line a fact, for the project of the current folder."""
    asked = given(USAGE, arguments)
    found = standing.of(place)
    if asked.json:
        screen.emit(standing.record(found))
    else:
        show(found)
    return 0


def show(found: Standing) -> None:
    switch = f"off ({found.switch})" if found.switch else WORDS[found.resting].partition(":")[0]
    kinds = ", ".join(f"{count} {kind}" for kind, count in found.types.items())
    _row("project", found.project)
    _row("memory", f"{found.count}{f' ({kinds})' if kinds else ''} in {found.memory}, {switch}")
    if found.resting:
        _row("resting", f"{WORDS[found.resting]}; memory.py resume (--all when it holds everywhere)", "yellow")
    _row("native", found.native)
    _row("backend", f"{found.backend}: {found.reason}")
    for backend, reason, since in found.faults:
        _row("fault", f"{backend}: {reason} ({outage.clock(since)})", "yellow")
    used_up = "" if found.spent < found.limit else ": the rules think"
    _row("budget", f"${found.spent:.4f} of ${found.limit:.2f} spent today{used_up}")
    _row("last run", found.last_run)
    _row("captured", found.captured_words)
    _row("dream", found.dream_words)
    if found.review:
        _row("review", f"{found.review} held back for you: memory.py review", "yellow")
    for problem in found.problems:
        _row("problem", problem, "red")
    if not found.problems:
        _row("problems", "none known; memory.py doctor looks closer")


def _row(label: str, text: str, style: str = "bold") -> None:
    screen.say(f"{'':{10 - len(label)}}{text}", label, style)
