"""Where a host looks for hooks, which rows are ours there, and what our record about it is called. Req: I2."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from lib.host import hosts, registration
from lib.host.registration import Hook
from lib.setup import record
from lib.setup.problems import SetupProblem


@dataclass(frozen=True)
class Place:
    """`config` is Claude Code's folder, where memories, state and records lie whatever the host."""

    config: str
    path: str
    hooks: tuple[Hook, ...]
    record: str
    host: str = ""  # "" is Claude Code

    @property
    def option(self) -> str:
        """What install.py is told to come back here."""
        return f" {hosts.OPTION} {self.host}" if self.host else ""


def claude(config: str) -> Place:
    return Place(config, os.path.join(config, "settings.json"), registration.HOOKS, record.NAME)


def other(config: str, name: str, env: Mapping[str, str]) -> Place:
    """The place of another host; raises SetupProblem when its folder cannot be told."""
    host = hosts.adapter(name)
    folder = host.folder(env)
    if not folder:
        raise SetupProblem(f"there is no folder for the settings of {host.TITLE}; set HOME to an absolute path")
    return Place(config, os.path.join(folder, host.FILE), hosts.hooks(host), f"install-{name}.json", name)
