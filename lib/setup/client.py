"""The agent client on this machine: found where people have it, asked for its version; never required. Req: I2."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass

from lib.host import paths, program
from lib.setup import process, user_file

SECONDS = 15  # for `claude --version`, which takes a tenth of a second when all is well


@dataclass(frozen=True)
class Client:
    path: str
    version: str


def find(env: Mapping[str, str], shared: tuple[str, ...] = program.SHARED) -> Client | None:
    """The first client on PATH or in the usual places that tells its version."""
    for path in program.candidates(env, shared):
        if version := _version(path, env):
            return Client(path, version)
    return None


def _version(path: str, env: Mapping[str, str]) -> str:
    # Under a home of its own: asking for the version must not touch the person's configuration.
    with tempfile.TemporaryDirectory(prefix="memory-hooks-", ignore_cleanup_errors=True) as home:
        quiet = {name: env[name] for name in ("PATH", "LANG", "SYSTEMROOT", "PATHEXT", "COMSPEC") if name in env}
        quiet |= {"HOME": home, "USERPROFILE": home, "CLAUDE_CONFIG_DIR": os.path.join(home, ".claude")}
        quiet |= {"DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
        ended = process.run([path, "--version"], SECONDS, env=quiet, cwd=home)
    match = re.search(rb"\b\d+\.\d+\.\d+\b", ended.out)
    return match[0].decode() if ended.status == 0 and match else ""


def note(config: str, found: Client | None) -> bool:
    """Keep `host.json` true: `{"claude": {"path", "version"}}`, other keys left alone; True when it changed.

    A client that is gone is taken out: what SessionStart delivers depends on the version that stands there.
    """
    was = user_file.read(os.path.join(paths.own_dir(config), program.NOTE))
    try:
        known = json.loads(was.text) if was.data else {}
    except (ValueError, RecursionError):
        known = {}
    known = known if isinstance(known, dict) else {}
    told = {key: value for key, value in known.items() if key != "claude"}
    if found:
        told["claude"] = {"path": found.path, "version": found.version}
    if told == known:
        return False
    user_file.write(was, (json.dumps(told, indent=1) + "\n").encode() if told else None)
    return True


def forget(config: str) -> None:
    """Take the note away."""
    was = user_file.read(os.path.join(paths.own_dir(config), program.NOTE))
    if was.data is not None:
        user_file.write(was, None)
