"""`memory.py team setup --git [--remote NAME]` or `--http URL [--repo OWNER/NAME]`: tells what is shared, switches on.

For the project of the current folder alone, kept in our state: no file of a cloned repository can do it. Req: H1.
"""

from __future__ import annotations

import os
import time
from dataclasses import replace

from lib.cli import screen
from lib.cli.arguments import given
from lib.cli.place import Place, Trouble, Usage
from lib.host.paths import TEAM_PULL
from lib.team import choice, exchange, job, opening, place, reconciliation, schedule
from lib.team.choice import GIT, HTTP, Choice
from lib.team.git_program import TOKEN
from lib.team.git_store import REF
from lib.team.problems import StoreProblem

USAGE = "team setup [--git] [--remote REMOTE] [--http URL] [--repo REPO]"
_WAYS = """A team shares the files in {folder} and nothing else.

  memory.py team setup --git                  over this project's git remote origin (another one: --remote NAME), in a
                                              ref of its own; needs nothing but that you can push there
  memory.py team setup --http URL             over your team's own server (docs/team.md), with a token from
                                              {token} or git's credential helper

Nothing is shared before you run one of them, and nothing private after: `memory.py team share NAME` moves a memory
there."""


def run(arguments: list[str], project: Place) -> int:
    """Says what will be shared, with whom and when; tries it; switches on when that worked."""
    asked = given(USAGE, arguments)
    folder = place.folder(project.memory)
    if "--git" not in asked and "--http" not in asked:
        if asked.options:
            raise Usage(f"setup needs --git or --http URL; usage: memory.py {USAGE}")
        screen.say(_WAYS.format(folder=folder, token=TOKEN))
        return 0
    if "--git" in asked and "--http" in asked:
        raise Usage("setup takes one of --git and --http URL: a project has one team")
    try:
        chosen, whom = _git(asked.options, project) if "--git" in asked else _http(asked.options, project)
    except (StoreProblem, ValueError) as problem:
        raise Trouble(str(problem)) from problem
    count = len(place.read(project.memory).checksums)
    for label, text in (
        ("project", project.root),
        ("shared", f"the .md files in {folder}, {count} now. What lies in {project.memory} itself stays private."),
        ("with", whom),
        ("secrets", "a file with what looks like one is not sent and not taken in, and is named"),
        ("when", "taken in as a session starts; sent after `memory.py team share NAME` or when the agent writes there"),
        ("off", "memory.py team off"),
    ):
        screen.say(f"{'':{10 - len(label)}}{text}", label, "bold")
    return _switch_on(chosen, project)


def _switch_on(chosen: Choice, project: Place) -> int:
    state, now = place.state_folder(project.state), time.time()
    try:
        store = opening.opened(chosen, project.root, state, os.environ)
        if replace(choice.load(state), transport=chosen.transport) != chosen:
            # What another store agreed on says nothing about this one.
            _forget(state)
        done = reconciliation.run(store, project.memory, project.state, opening.origin(chosen), now, patience=20.0)
    except (StoreProblem, OSError) as problem:
        raise Trouble(f"not switched on: {problem}") from problem
    choice.save(state, chosen)
    schedule.put_off(project.state, TEAM_PULL, now)
    job.settled(project.state, done, now)
    screen.say(f"On. {done.pulled} taken in, {len(done.pushed)} sent; `memory.py team` tells how it stands.")
    for key, why in sorted(done.held.items()):
        screen.say(f" {key}: {why}", "left out", "yellow")
    if project.settings.option("team.transport") == choice.OFF:
        screen.say('But a settings file holds "team": {"transport": "off"}: until that is gone nothing is exchanged.')
    return 0


def _forget(state: str) -> None:
    from lib.team.manifest import FILE

    try:
        os.unlink(os.path.join(state, FILE))
    except FileNotFoundError:
        return


def _git(options: dict[str, str], project: Place) -> tuple[Choice, str]:
    remote = options.get("--remote", "origin")
    url = opening.remote_url(project.root, remote)
    whom = (
        f"everybody who can read {opening.shown_url(url)} (the git remote {remote}), changed by whoever can push "
        f"there. It lies in {REF}: no branch, nothing in a working tree, under your name as in your commits."
    )
    return Choice(GIT, remote=remote, place=opening.fingerprint(url)), whom


def _http(options: dict[str, str], project: Place) -> tuple[Choice, str]:
    url = exchange.checked_url(options["--http"])
    repo = options.get("--repo", "")
    if not repo:
        try:
            repo = opening.repository(opening.remote_url(project.root, "origin"))
        except StoreProblem:
            repo = ""
    if not opening.valid_repository(repo):
        raise StoreProblem(f"{repo!r} is no name of a repository: give it with --repo OWNER/NAME")
    return Choice(HTTP, url=url, repo=repo), f"everybody who has a token for {repo} on {url}"
