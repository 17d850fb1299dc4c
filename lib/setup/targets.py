"""Which hosts install.py acts on: Claude Code, or another one by name; one that is only found is named. Req: I2."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from lib.host import hosts, paths
from lib.setup import check, plan, steps, venv
from lib.setup import place as places
from lib.setup.place import Place
from lib.setup.steps import Scene

CLAUDE, ALL = "claude", "all"
CHOICES = (CLAUDE, *hosts.NAMES, ALL)


def run(scene: Scene, act: str, host: str) -> int:
    """Carry `act` (install, uninstall, check, print, print-uninstall) out for the chosen host; the worst status.

    Without a host it is Claude Code's turn. Other hosts that are here are named with the exact command; a check,
    which changes nothing, takes those in where our hooks are registered.
    """
    names = _meant(scene, act, host)
    status = 0
    for name in names:
        if len(names) > 1:
            scene.say(f"== {title(name)}")
        status = max(status, _claude(scene, act) if name == CLAUDE else _other(scene, act, name))
    if not host and act in ("install", "uninstall"):
        for line in hints(scene, act):
            scene.say(line)
    return status


def title(name: str) -> str:
    return "Claude Code" if name == CLAUDE else hosts.adapter(name).TITLE


def found(env: Mapping[str, str]) -> list[str]:
    """The other hosts that this person has: a configuration folder, or a program on PATH."""
    there = []
    for name in hosts.NAMES:
        host = hosts.adapter(name)
        folder = host.folder(env)
        if (folder and os.path.isdir(folder)) or shutil.which(host.PROGRAM, path=env.get("PATH", "")):
            there.append(name)
    return there


def registered(config: str, env: Mapping[str, str]) -> list[str]:
    """The other hosts with which an install of this configuration registered hooks."""
    return [name for name in hosts.NAMES if hosts.adapter(name).folder(env) and _noted(places.other(config, name, env))]


def hints(scene: Scene, act: str) -> list[str]:
    """One line for each other host that this run left alone although it could be meant."""
    known = registered(scene.config, scene.env)
    if act == "uninstall":
        return [f"{title(name)} still has the hooks: python install.py --uninstall --host {name}" for name in known]
    return [f"{title(name)} is here too and was left alone; to give it the same memory: python install.py --host {name}"
            for name in found(scene.env) if name not in known]  # fmt: skip


def _meant(scene: Scene, act: str, host: str) -> list[str]:
    if host == ALL:
        here = found(scene.env) if act in ("install", "print") else registered(scene.config, scene.env)
        return [CLAUDE, *here]
    if not host and act == "check":
        return [CLAUDE, *registered(scene.config, scene.env)]
    return [host or CLAUDE]


def _noted(place: Place) -> bool:
    return Path(paths.own_dir(place.config), place.record).is_file()


def _claude(scene: Scene, act: str) -> int:
    if act.startswith("print"):
        return steps.show_diff(scene, act != "print")
    return {"install": steps.install, "uninstall": steps.uninstall, "check": steps.check_all}[act](scene)


def _other(scene: Scene, act: str, name: str) -> int:
    place = places.other(scene.config, name, scene.env)
    if act == "install":
        return _install(scene, place)
    if act == "check":
        return steps.told(scene, check.rows(scene.config, scene.root, scene.env, os.getcwd(), place))
    if act == "uninstall":
        wanted = plan.uninstall(scene.config, place)
        plan.apply(wanted)
        done = f"{place.path} is as it was without the hooks; memories are untouched"
        scene.say(done if wanted.changes else f"nothing of ours is registered in {place.path}")
        return 0
    python = venv.environment_python(scene.root) if scene.own_python else sys.executable
    out = act != "print"
    wanted = plan.uninstall(scene.config, place) if out else plan.install(scene.config, python, scene.root, place=place)
    scene.say(wanted.diff.rstrip("\n") or f"{place.path} would not change")
    return 0


def _install(scene: Scene, place: Place) -> int:
    plan.install(scene.config, sys.executable, scene.root, place=place)  # said before anything is made
    python = venv.prepare(scene.root, scene.own_python, scene.say)
    scene.say(f"interpreter: {python}")
    if trouble := venv.compile_sources(scene.root, python):
        scene.say(f"byte code not written, each hook starts slower: {trouble}")
    wanted = plan.install(scene.config, python, scene.root, place=place)
    plan.apply(wanted)
    how = "registered" if wanted.changes else "already installed"
    scene.say(f"{len(place.hooks)} hooks {how} in {place.path}")
    scene.say(hosts.adapter(place.host).NOTE)
    scene.say(f"Memories are shared with Claude Code, in {os.path.join(scene.config, 'projects')}.")
    here = place.option + steps.elsewhere(scene)
    scene.say(f"Check:      python install.py --check{here}")
    scene.say(f"Uninstall:  python install.py --uninstall{here}")
    return 0
