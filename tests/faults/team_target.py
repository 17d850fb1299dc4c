"""The worker's exchange with a team over git: a project with a remote, one memory to be sent and one to be taken in."""
from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

from lib.host.paths import TEAM_PULL, TEAM_PUSH
from lib.journal import Journal
from lib.team import choice, opening, place, schedule
from lib.team.choice import GIT, Choice
from lib.team.git_store import GitStore
from tests.faults import targets
from tests.faults.targets import Target
from tests.support.registered import SESSION, Stage
from tests.team.members import bare, git, text_of

HERE, THERE = "badger-deploys.md", "otter-staging.md"


def hub(stage: Stage) -> Path:
    return stage.project.parent / "hub.git"


def store(stage: Stage, name: str) -> GitStore:
    """Another member's."""
    return GitStore(str(stage.project.parent / f"{name}.git"), str(hub(stage)), name)


def build(stage: Stage) -> None:
    targets.bare(stage)
    bare(hub(stage))
    git("init", "-q", ".", cwd=stage.project)
    git("remote", "add", "origin", str(hub(stage)), cwd=stage.project)
    theirs = store(stage, "ann")
    theirs.put({THERE: text_of("otter-staging", "The staging server is called otter")}, theirs.fetch_hashes().checksum)
    (stage.memory / "team").mkdir(parents=True)
    (stage.memory / "team" / HERE).write_text(text_of("badger-deploys", "The badger is deployed on Tuesdays"))
    path = targets.say(stage, 1, "hello")
    Journal(targets.state(stage), SESSION).append(
        "stop", cursor=path.stat().st_size, transcript=str(path), launch=str(stage.project), reason="run"
    )
    chosen = Choice(GIT, remote="origin", place=opening.fingerprint(str(hub(stage))))
    choice.save(place.state_folder(targets.state(stage)), chosen)
    for mark in (TEAM_PULL, TEAM_PUSH):
        schedule.put_off(targets.state(stage), mark, time.time() - 10)


def follow(stage: Stage) -> str:
    """The next round, whose time has come."""
    for mark in (TEAM_PULL, TEAM_PUSH):
        if mark == TEAM_PULL or os.path.exists(os.path.join(targets.state(stage), mark)):
            schedule.put_off(targets.state(stage), mark, time.time() - 10)
    targets.run_worker(stage)
    missing = [] if (stage.memory / "team" / THERE).is_file() else ["the team's memory"]
    if HERE not in store(stage, "bob").fetch_hashes().entries:
        missing.append("the memory that was to be sent")
    shutil.rmtree(stage.project.parent / "bob.git")
    listed = stage.memory / "team" / "MEMORY.md"
    text = listed.read_text() if listed.is_file() else ""
    missing += [f"a line for {name} in the team's index" for name in (HERE, THERE) if text.count(f"({name})") != 1]
    return " and ".join(missing)


def target() -> Target:
    return targets.worker_target("team", build, follow)
