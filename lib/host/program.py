"""Where the person's client is on this machine. Req: I2, J3."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass

from lib.host import paths

NOTE = "host.json"
SHARED = ("/usr/local/bin", "/opt/homebrew/bin", "/usr/bin")
_USUAL = (
    ".local/bin", ".claude/local", ".claude/bin", ".npm-global/bin", ".bun/bin", ".volta/bin", "bin",
    "AppData/Roaming/npm",
)  # fmt: skip
_NAMES = ("claude.exe", "claude.cmd") if os.name == "nt" else ("claude",)


@dataclass(frozen=True)
class Program:
    """An executable by its absolute path; `version` is "" when nobody has asked for it yet."""

    path: str
    version: str = ""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The version to compare with, empty when it is not known."""
        parts = self.version.split(".")
        return tuple(map(int, parts)) if all(part.isdecimal() for part in parts) else ()


def located(config: str, env: Mapping[str, str]) -> Program | None:
    """The client: where install.py saw it, else on PATH, else in the usual places (a hook's PATH may be short)."""
    noted = _noted(config)
    if noted is not None and runnable(noted.path):
        return noted
    found = candidates(env)
    return Program(found[0]) if found else None


def candidates(env: Mapping[str, str], shared: tuple[str, ...] = SHARED) -> list[str]:
    """Every place where a client may be, each once, in the order in which they are tried."""
    home = paths.home(env)
    folders = [os.path.join(home, folder) for folder in _USUAL] if home else []
    named = [shutil.which("claude", path=env.get("PATH", os.defpath))]
    named += [os.path.join(folder, name) for folder in (*folders, *shared) for name in _NAMES]
    return list(dict.fromkeys(os.path.abspath(path) for path in named if path and runnable(path)))


def runnable(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def _noted(config: str) -> Program | None:
    try:
        with open(os.path.join(paths.own_dir(config), NOTE), "rb") as file:
            noted = json.loads(file.read(100_000))
    except (OSError, ValueError, RecursionError):
        return None
    claude = noted.get("claude") if isinstance(noted, dict) else None
    path = claude.get("path") if isinstance(claude, dict) else None
    version = claude.get("version") if isinstance(claude, dict) else None
    if not isinstance(path, str) or not os.path.isabs(path) or "\0" in path:
        return None
    return Program(path, version if isinstance(version, str) else "")
