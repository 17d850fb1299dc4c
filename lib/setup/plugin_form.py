"""The checkout as the client's plugin: the files it reads, given by our tables, and what is said of it. Req: I3."""

from __future__ import annotations

import json
import os
import re
import time
from dataclasses import dataclass
from pathlib import Path

from lib.host import paths, plugin, registration
from lib.setup import slash_commands, venv

MANIFEST = ".claude-plugin/plugin.json"
COMMANDS = ".claude-plugin/commands"
HOOKS = "hooks/hooks.json"
REMEMBERED = 14 * 86_400.0  # seconds: a plugin that no session loaded for so long is gone
_DESCRIPTION = "A memory across sessions: what you tell the agent once is there when a later prompt needs it"


@dataclass(frozen=True)
class Loaded:
    """What the plugin's copy left behind at the start of a session: see lib/host/plugin.py."""

    root: str
    python: str
    version: tuple[int, ...]
    quiet_for: str


def files(root: str) -> dict[str, str]:
    """Place in the checkout -> text of each file of the plugin form; tests compare, `lib.setup.generated` writes."""
    found = {HOOKS: registration.plugin_hooks(), MANIFEST: _manifest(root)}
    for name in slash_commands.NAMES:
        template = Path(root, slash_commands.FOLDER, name).read_text(encoding="utf-8")
        found[f"{COMMANDS}/{name}"] = _command(template, name)
    return found


def _manifest(root: str) -> str:
    version = re.search(r'^version = "([^"]+)"', Path(root, "pyproject.toml").read_text(encoding="utf-8"), re.M)
    told = {
        "name": "memory-hooks", "version": version[1] if version else "", "description": _DESCRIPTION, "license": "MIT",
        # In place of the folder `commands`, which holds the templates of install.py.
        "commands": [f"./{COMMANDS}/{name}" for name in slash_commands.NAMES],
    }  # fmt: skip
    return json.dumps(told, indent=2) + "\n"


def _command(template: str, name: str) -> str:
    """A template of install.py for a plugin: the client fills in the folder, and no mark tells whose file it is."""
    lines = [line for line in template.split("\n") if line != "# {mark}"]
    face = f'{registration.PLUGIN_PYTHON} "{registration.PLUGIN_ROOT}/memory.py"'
    return "\n".join(lines).replace("{command}", f"{face} {name.removesuffix('.md')}")


def loaded(config: str, now: float) -> Loaded | None:
    """The plugin's note when a session loaded it lately, else None."""
    path = os.path.join(paths.own_dir(config), plugin.NOTE)
    try:
        age = now - os.stat(path).st_mtime
        told = json.loads(Path(path).read_bytes())
        version = tuple(map(int, str(told["version"]).split(".")))
        found = Loaded(str(told["root"]), str(told["python"]), version, str(told["quiet_for"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return found if age < REMEMBERED else None


def judged(found: Loaded) -> tuple[str, str, str]:
    """(problem, fix, note) of a loaded plugin; the problem is "" when it works as it should."""
    where = f"{found.root}, under {found.python}"
    if found.version < venv.FLOOR:
        version = ".".join(map(str, found.version))
        fix = f"put a python3 of {'.'.join(map(str, venv.FLOOR))} or newer first on PATH"
        return f"Python {version} is too old for the plugin in {where}: it does nothing", fix, ""
    if found.quiet_for and plugin.registered_in("Stop", "stop.py", [found.quiet_for]):
        fix = "disable it under /plugin in the client, or run: python install.py --uninstall"
        return f"{found.quiet_for} registers the hooks as well: those act, the plugin in {where} stays quiet", fix, ""
    if not plugin.worker_python(found.root):
        make = f"python3 {os.path.join(found.root, 'install.py')} --packages"
        return "", "", f"loaded from {where}, without packages: the rules think ({make} adds them)"
    return "", "", f"loaded from {where}"


def row(config: str) -> tuple[str, str, str] | None:
    """`judged` for the configuration, None when no plugin of ours was seen."""
    found = loaded(config, time.time())
    return judged(found) if found else None
