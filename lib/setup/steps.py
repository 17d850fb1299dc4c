"""What install.py does, in the order in which a person sees it. Req: I2."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lib.host import paths, registration, settings
from lib.model import choice
from lib.setup import check, client, demo, plan, slash_commands, venv


@dataclass(frozen=True)
class Scene:
    """The checkout, the client's configuration, whether an environment of our own is wanted, how to tell the person."""

    root: str
    config: str
    own_python: bool
    env: Mapping[str, str]
    say: Callable[[str], None]
    backend: str = ""  # asked for on the command line


def install(scene: Scene) -> int:
    """Interpreter, byte code, registration, client, demonstration; raises SetupProblem at the first that fails."""
    # A file that we cannot edit is said before anything is made.
    plan.install(scene.config, sys.executable, scene.root, scene.backend)
    python = venv.prepare(scene.root, scene.own_python, scene.say)
    scene.say(f"interpreter: {python}")
    if trouble := venv.compile_sources(scene.root, python):
        scene.say(f"byte code not written, each hook starts slower: {trouble}")
    wanted = plan.install(scene.config, python, scene.root, scene.backend)
    plan.apply(wanted)
    where = plan.settings_path(scene.config)
    scene.say(f"{len(registration.HOOKS)} hooks {'registered' if wanted.changes else 'already installed'} in {where}")
    for told in slash_commands.install(scene.config, python, scene.root):
        scene.say(told)
    found = client.find(scene.env)
    client.note(scene.config, found)
    scene.say(f"client: {found.path} {found.version}" if found else "client: none found (not needed to go on)")
    scene.say("\nOne statement, on a throw-away project:")
    demo.show({hook.event: registration.command(hook, python, scene.root) for hook in registration.HOOKS}, scene.say)
    scene.say("\n" + closing_words(scene))
    return 0


def packages(scene: Scene) -> int:
    """Interpreter and byte code alone, for the checkout loaded as a plugin; raises SetupProblem."""
    python = venv.prepare(scene.root, scene.own_python, scene.say)
    if trouble := venv.compile_sources(scene.root, python):
        scene.say(f"byte code not written, each hook starts slower: {trouble}")
    scene.say(f"interpreter: {python}; nothing was registered")
    return 0


def closing_words(scene: Scene) -> str:
    """Which backend thinks, what leaves the machine, how to switch off."""
    env = {**scene.env, "CLAUDE_CONFIG_DIR": scene.config}
    options = settings.load(env, "")
    # Asked for the interpreter that will think: ours has every package, the one that runs install.py may have none.
    chosen = choice.choose(options, env, equipped=scene.own_python)
    cost = (
        f"It may cost up to ${options.option('budget.dailyUsd'):.2f} a day (memoryHooks.budget.dailyUsd), then the "
        "rules go on.\nStay offline: python install.py --backend rules"
    )
    sent = {
        "rules": "It works offline: nothing that you write is sent anywhere by it.",
        "anthropic": "What you write in a turn is sent to the Anthropic API when the turn ends, on your key.\n" + cost,
        "claude": "What you write in a turn is read once more by your own client when the turn ends, on your login: no "
        "new account.\n" + cost,
    }
    here = elsewhere(scene)
    return "\n".join((
        f"Backend: {chosen.backend} ({chosen.reason}).",
        sent[chosen.backend],
        f"Check:      python install.py --check{here}",
        'Switch off: "autoMemoryEnabled": false in settings.json, or CLAUDE_CODE_DISABLE_AUTO_MEMORY=1',
        f"Uninstall:  python install.py --uninstall{here}",
    ))  # fmt: skip


def elsewhere(scene: Scene) -> str:
    """The option that leads back to a configuration folder other than the client's own."""
    return "" if scene.config == paths.config_dir(scene.env) else f" --config-dir {shlex.quote(scene.config)}"


def uninstall(scene: Scene) -> int:
    """Give the settings file back; memories, journals and backups stay where they are."""
    wanted = plan.uninstall(scene.config)
    plan.apply(wanted)
    slash_commands.uninstall(scene.config)
    client.forget(scene.config)
    told = f"{wanted.was.path} is as it was without the hooks" if wanted.changes else "nothing of ours is registered"
    scene.say(told)
    own = paths.own_dir(scene.config)
    if os.path.isdir(own):
        scene.say(f"your memories are untouched; notes of the hooks and copies of the settings stay in {own}")
    return 0


def show_diff(scene: Scene, out: bool) -> int:
    """What installing (`out`: uninstalling) would change, as a unified diff."""
    python = venv.environment_python(scene.root) if scene.own_python else sys.executable
    wanted = plan.uninstall(scene.config) if out else plan.install(scene.config, python, scene.root, scene.backend)
    scene.say(wanted.diff.rstrip("\n") or f"{wanted.was.path} would not change")
    return 0


def check_all(scene: Scene) -> int:
    """A row for each registered command and finding; 1 when any is wrong."""
    rows = check.rows(scene.config, scene.root, scene.env, os.getcwd())
    return told(scene, rows + check.commands(scene.config, scene.root))


def told(scene: Scene, rows: list[check.Row]) -> int:
    """Say the rows and how many are wrong; 1 when any is."""
    scene.say(check.table(rows))
    wrong = sum(bool(row.problem) for row in rows)
    scene.say(f"{wrong} of {len(rows)} need attention" if wrong else f"all {len(rows)} ok")
    return 1 if wrong else 0
