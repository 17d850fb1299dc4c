"""`memory.py team [status|setup|share NAME|pull|push|off] [--json]`: what a team shares about this repository.

JSON: transport, place, folder, count, at, succeeded, reason, failures, next, waiting, held, untaken, yielded. Times are
seconds since the epoch. Req: H1.
"""

from __future__ import annotations

import datetime
import os
import time
from dataclasses import replace

from lib.cli import screen, team_setup, team_status
from lib.cli.arguments import given
from lib.cli.place import Place, Trouble, Usage, inside
from lib.host.paths import TEAM_PULL, TEAM_PUSH
from lib.team import choice, job, opening, place, reconciliation, schedule, sharing
from lib.team.problems import StoreProblem

USAGE = "team status|setup|share|pull|push|off [NAME] [--json] [--git] [--remote REMOTE] [--http URL] [--repo REPO]"
PATIENCE = 20.0  # seconds that a person waits for the worker's own round


def run(arguments: list[str], project: Place) -> int:
    """The state of the exchange without a verb; each verb says what it did and what comes next."""
    verb, rest = (arguments[0], arguments[1:]) if arguments[:1] and arguments[0][:1] != "-" else ("status", arguments)
    if verb == "share":
        return _share(given("team share NAME", rest, least=1, most=1).names[0], project)
    if verb in ("pull", "push"):
        given(f"team {verb}", rest)
        return _exchange(project, push=verb == "push", pull=verb == "pull")
    if verb == "off":
        given("team off", rest)
        return _off(project)
    if verb == "setup":
        return team_setup.run(rest, project)
    if verb != "status":
        raise Usage(f"{verb!r} is nothing a team does; usage: memory.py {USAGE}")
    return team_status.run(rest, project)


def _share(name: str, project: Place) -> int:
    chosen = _in_force(project)
    file = inside(project.memory, name)
    session = os.environ.get("CLAUDE_CODE_SESSION_ID", "")[:100]
    author = opening.author(project.root, os.environ)
    try:
        key = sharing.share(project.memory, project.state, file, author, datetime.date.today(), session)
    except StoreProblem as problem:
        raise Trouble(str(problem)) from problem
    schedule.put_off(project.state, TEAM_PUSH, time.time())
    screen.say(f"{file} is now team/{key}, signed {author}.")
    try:
        _exchange(project, push=True, pull=True)
    except Trouble as problem:
        screen.say(f"Not sent yet, it goes with a later turn: {problem}")
        return 0
    screen.say(
        f"Everybody with {opening.origin(chosen)} gets it. `memory.py undo` makes it private again here, but what was "
        "sent stays with the team and comes back."
    )
    return 0


def _exchange(project: Place, *, push: bool, pull: bool) -> int:
    chosen = _in_force(project)
    now = time.time()
    try:
        store = opening.opened(chosen, project.root, place.state_folder(project.state), os.environ)
        done = reconciliation.run(
            store, project.memory, project.state, opening.origin(chosen), now, push=push, pull=pull, patience=PATIENCE
        )
    except (StoreProblem, OSError) as problem:
        raise Trouble(f"nothing was exchanged: {problem}") from problem
    job.settled(project.state, done, now)
    said = [f"sent {', '.join(done.pushed) or 'nothing'}"] if push else []
    said += [f"took in {done.pulled} of the team's"] if pull else []
    text = " and ".join(said)
    screen.say(f"{text[:1].upper()}{text[1:]} ({opening.origin(chosen)}).")
    for key in done.yielded:
        screen.say(f" {key}: the team's text stands; what stood here is in `memory.py history`", "gave way", "yellow")
    for key, why in sorted(done.held.items()):
        screen.say(f" {key}: {why}", "left out", "yellow")
    if done.again:
        raise Trouble("others were writing all the while, so not everything was sent: it goes with a later turn")
    return 0


def _off(project: Place) -> int:
    folder = place.state_folder(project.state)
    before = choice.load(folder)
    choice.save(folder, replace(before, transport=choice.OFF))
    for mark in (TEAM_PULL, TEAM_PUSH):
        schedule.drop(project.state, mark)
    if not before.on:
        screen.say(f"Nothing is shared in {project.root}.")
        return 0
    screen.say(f"Off: nothing is exchanged with {opening.origin(before)} any more.")
    screen.say(f"What the team shared so far stays in {place.folder(project.memory)}: remove the folder to forget it.")
    return 0


def _in_force(project: Place) -> choice.Choice:
    chosen = choice.in_force(place.state_folder(project.state), project.settings)
    if chosen.on:
        return chosen
    if choice.load(place.state_folder(project.state)).on:
        raise Trouble('sharing is switched off by "team": {"transport": "off"} in a settings file')
    raise Trouble(f"no team is set up for {project.root}: `memory.py team setup` tells how")
