"""What `memory.py team` tells: with whom, how it went last, what waits, what stays away and why. Req: H1."""

from __future__ import annotations

import time
from dataclasses import dataclass

from lib.cli import screen
from lib.cli.arguments import given
from lib.cli.place import Place
from lib.host.paths import TEAM_PULL, TEAM_PUSH
from lib.model.outage import clock
from lib.team import choice, job, manifest, opening, place, schedule, sync
from lib.team.choice import Choice
from lib.team.manifest import Manifest

USAGE = "team status [--json]"


@dataclass(frozen=True)
class _Standing:
    chosen: Choice
    off: bool
    folder: str
    count: int
    report: job.Report
    due: float
    waiting: list[str]
    kept: Manifest
    held: dict[str, str]


def run(arguments: list[str], project: Place) -> int:
    """Nothing is asked of the remote: this is what is known here."""
    asked = given(USAGE, arguments)
    found = _of(project)
    if asked.json:
        screen.emit(_record(found))
        return 0
    if not found.chosen.on:
        screen.say(f"No team is set up for {project.root}: `memory.py team setup` tells how.")
        if found.count:
            screen.say(f"{found.count} memories of a team lie in {found.folder}.")
        return 0
    _show(found)
    return 0


def _of(project: Place) -> _Standing:
    folder = place.state_folder(project.state)
    chosen, kept, local = choice.load(folder), manifest.load(folder), place.read(project.memory)
    held = {**kept.unpushed, **local.held}
    waiting = [key for key in sync.changed_here(local, kept.entries) if key not in held]
    moments = [moment for mark in (TEAM_PULL, TEAM_PUSH) if (moment := schedule.moment(project.state, mark)) >= 0]
    return _Standing(
        chosen, project.settings.option("team.transport") == choice.OFF, place.folder(project.memory),
        len(local.checksums), job.report(project.state), min(moments, default=0.0), waiting, kept, held,
    )  # fmt: skip


def _show(found: _Standing) -> None:
    last = found.report
    _row("with", opening.origin(found.chosen) + (f", as {found.chosen.repo}" if found.chosen.repo else ""))
    if found.off:
        _row("off", 'switched off by "team": {"transport": "off"} in a settings file', "yellow")
    _row("folder", f"{found.count} {'memory' if found.count == 1 else 'memories'} in {found.folder}")
    if last.reason:
        tried = f"{last.failures} time{'' if last.failures == 1 else 's'}"
        _row("failed", f"{last.reason} ({tried}, last {clock(last.at)}; again from {clock(found.due)} on)", "yellow")
    well = f"{clock(last.succeeded)}, {last.pulled} taken in, {last.pushed} sent" if last.succeeded else "not yet"
    _row("last", clock(last.succeeded) if last.reason and last.succeeded else well)
    if found.due > time.time() and not last.reason:
        _row("next", f"with a session that starts after {clock(found.due)}")
    for key in found.waiting:
        _row("waiting", f"{key} is to be sent")
    for key, why in sorted(found.held.items()):
        _row("not sent", f"{key}: {why}", "yellow")
    for key, why in sorted(found.kept.unpulled.items()):
        _row("not taken", f"{key}: {why}", "yellow")
    for key, at in found.kept.yielded.items():
        gone = f"{key}, {clock(at)}: the team's text stands; what stood here is in `memory.py history`"
        _row("gave way", gone, "yellow")


def _record(found: _Standing) -> dict[str, object]:
    last = found.report
    return {
        "transport": found.chosen.transport if not found.off else choice.OFF, "place": opening.origin(found.chosen),
        "folder": found.folder, "count": found.count, "at": last.at, "succeeded": last.succeeded,
        "reason": last.reason, "failures": last.failures, "next": found.due, "waiting": found.waiting,
        "held": found.held, "untaken": dict(found.kept.unpulled), "yielded": dict(found.kept.yielded),
    }  # fmt: skip


def _row(label: str, text: str, style: str = "bold") -> None:
    screen.say(f"{'':{11 - len(label)}}{text}", label, style)
