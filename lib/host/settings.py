"""The client's settings chain, merged so that a checked-out project can only switch things off. Req: I1."""

from __future__ import annotations

import os
import sys

from lib.host import jsontext
from lib.host.paths import config_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

OWN = "memoryHooks"
OFF = "CLAUDE_CODE_DISABLE_AUTO_MEMORY"
BOM = b"\xef\xbb\xbf"
FILE_LIMIT = 4_000_000  # bytes; a larger settings file is somebody's mistake

# Every option of ours: its default, and what a project's own files may do to it.
# "less"/"more": only towards the smaller/larger number; "off": only to one of the values in QUIETER.
OPTIONS: dict[str, tuple[Any, str]] = {
    "enabled": (True, "off"),
    "backend": ("auto", "off"),
    "models.extract": ("", ""),
    "models.dream": ("", ""),
    "models.summary": ("", ""),
    "models.select": ("", ""),
    "extract.enabled": (True, "off"),
    "extract.everyTurns": (1, "more"),
    "extract.maxTurns": (5, "less"),
    "extract.mode": ("auto", ""),
    "extract.minCharacters": (10, "more"),
    "recall.selector": ("auto", "off"),
    "recall.max": (5, "less"),
    "index.deliver": ("auto", "off"),
    "budget.dailyUsd": (1.0, "less"),
    "budget.runInputTokens": (600_000, "less"),
    "session.enabled": (True, "off"),
    "session.initTokens": (10_000, "more"),
    "session.updateTokens": (5_000, "more"),
    "session.updateToolCalls": (3, "more"),
    "archive.enabled": (False, "off"),
    "archive.maxMb": (200, "less"),
    "dream.minHours": (24, "more"),
    "dream.minSessions": (5, "more"),
    "dream.maxShare": (20, "less"),  # per cent of the memories that one consolidation may drop
    "team.transport": ("project", "off"),  # "project": as set up for each by `memory.py team setup`
    # Logs instead of topic files, and no consolidation by itself: neither is the narrower way, so the person decides.
    "kairos": (False, ""),
}
QUIETER: dict[str, tuple[Any, ...]] = {
    "enabled": (False,),
    "backend": ("rules",),
    "extract.enabled": (False,),
    "session.enabled": (False,),
    "archive.enabled": (False,),
    "recall.selector": ("offline", "off"),
    "index.deliver": ("never",),
    "team.transport": ("off",),
}
_SWITCHES = ("autoMemoryEnabled", "autoDreamEnabled")


class Settings:
    """What the person decided: client keys by `get`, ours by `option`; a project's files never widened either."""

    __slots__ = ("_options", "_values", "problems")

    def __init__(self, values: dict[str, object], options: dict[str, Any], problems: list[str]) -> None:
        self._values = values
        self._options = options
        self.problems = problems

    def get(self, key: str, default: object = None) -> object:
        return self._values.get(key, default)

    def option(self, name: str) -> Any:
        """The value of one row of OPTIONS; a value of the wrong type counts as not set."""
        return self._options.get(name, OPTIONS[name][0])

    def switched_off(self, env: Mapping[str, str]) -> str:
        """The name of the switch that has memory off, or "". Req: I1."""
        if env.get(OFF, "").lower() in ("1", "true", "yes", "on"):
            return OFF
        if self.get("autoMemoryEnabled") is False:
            return "autoMemoryEnabled"
        return "" if self.option("enabled") else f"{OWN}.enabled"


def managed_path() -> str:
    """Where an organisation's settings lie; a person cannot change that file."""
    if sys.platform == "darwin":
        return "/Library/Application Support/ClaudeCode/managed-settings.json"
    if sys.platform == "win32":
        return r"C:\ProgramData\ClaudeCode\managed-settings.json"
    return "/etc/claude-code/managed-settings.json"


def load(env: Mapping[str, str], project_dir: str, *, managed: str | None = None) -> Settings:
    """Read user and managed settings in full, project and local ones only for what they switch off; never raises."""
    problems: list[str] = []
    trusted: dict[str, object] = {}
    options: dict[str, Any] = {}
    config = config_dir(env)
    for path in (os.path.join(config, "settings.json") if config else "", managed or managed_path()):
        data = _read(path, problems)
        trusted.update((k, v) for k, v in data.items() if k != OWN)
        options.update(_own(data))
    if project_dir:
        folder = os.path.join(project_dir, ".claude")
        for name in ("settings.json", "settings.local.json"):
            path = os.path.join(folder, name)
            if config and os.path.join(config, name) == path:
                continue  # started in the home folder: the same file is the person's own
            data = _read(path, problems)
            trusted.update((key, False) for key in _SWITCHES if data.get(key) is False)
            _narrow(options, _own(data))
    return Settings(trusted, options, problems)


def _read(path: str, problems: list[str]) -> dict[str, object]:
    if not path:
        return {}
    try:
        with open(path, "rb") as file:
            raw = file.read(FILE_LIMIT + 1)
        data = jsontext.loads(raw.removeprefix(BOM)) if len(raw) <= FILE_LIMIT else None
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        problems.append(f"{path}: not read ({type(error).__name__})")
        return {}
    if not isinstance(data, dict):
        problems.append(f"{path}: not an object of settings")
        return {}
    return data


def _own(data: dict[str, object]) -> dict[str, Any]:
    own = data.get(OWN)
    found: dict[str, Any] = {}
    if not isinstance(own, dict):
        return found
    for name, (default, _) in OPTIONS.items():
        value: object = own
        for part in name.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if type(default) is float and type(value) is int and 0 <= value < 10**9:
            value = float(value)
        # NaN is not >= 0: it would be a limit that nothing exceeds
        if type(value) is type(default) and (not isinstance(value, (int, float)) or value >= 0):
            found[name] = value
    return found


def _narrow(options: dict[str, Any], project: dict[str, Any]) -> None:
    for name, value in project.items():
        default, rule = OPTIONS[name]
        current = options.get(name, default)
        if rule == "less":
            options[name] = min(current, value)
        elif rule == "more":
            options[name] = max(current, value)
        elif rule == "off" and value in QUIETER[name]:
            # "offline" must not switch something back on that the person has off
            order = QUIETER[name]
            if current not in order or order.index(value) > order.index(current):
                options[name] = value
