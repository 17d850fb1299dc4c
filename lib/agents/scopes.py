"""Where a sub-agent's memories lie: one directory for each of three scopes, or nowhere. Req: F1.

The client takes the folder a session was launched in for the project and the local scope; here it is the repository's
root, so that what was learned in a subfolder is known in all of it. Where the two differ, `beside` is the client's.
"""

from __future__ import annotations

import os

from lib.agents import definitions
from lib.host import paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FOLDERS = {"user": "agent-memory", "project": "agent-memory", "local": "agent-memory-local"}
SNAPSHOTS = "agent-memory-snapshot"
LONGEST = 64  # characters of an agent's type
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
_SPLIT = frozenset(":. ")  # become hyphens, as in the client


class Scope:
    """One agent's memory: `memory` and `snapshot` are its directories, `state` is where ours about it lies.

    `beside` is the directory that the client itself gives the agent when it is another one, else "". `shared` means
    that others may have written it: it is part of the repository.
    """

    __slots__ = ("agent", "beside", "kind", "memory", "name", "root", "snapshot", "state")

    def __init__(self, agent: str, kind: str, root: str, launch: str, config: str, project_state: str) -> None:
        self.agent = agent
        self.kind = kind
        self.root = root
        self.name = folder_name(agent)
        base = config if kind == "user" else os.path.join(root, ".claude")
        self.memory = os.path.join(base, FOLDERS[kind], self.name)
        native = os.path.join(launch, ".claude", FOLDERS[kind], self.name)
        same = kind == "user" or os.path.realpath(native) == os.path.realpath(self.memory)
        self.beside = "" if same else native
        self.snapshot = os.path.join(root, ".claude", SNAPSHOTS, self.name)
        self.state = paths.directory_state(self.memory, project_state)

    @property
    def shared(self) -> bool:
        return self.kind == "project"

    def astray(self) -> str:
        """Why this directory may not be used, or "": one that a repository made a link leads to somebody else's."""
        if self.kind == "user":
            return ""
        plain = os.path.join(os.path.realpath(self.root), ".claude", FOLDERS[self.kind], self.name)
        return "" if os.path.realpath(self.memory) == plain else "its directory is a link that leads elsewhere"


def unsafe(agent: str) -> str:
    """Why this type can name no directory, or "". Pure."""
    if not agent:
        return "an agent without a type"
    if len(agent) > LONGEST:
        return f"an agent's type of {len(agent)} characters; at most {LONGEST} are used"
    if not (_PLAIN | _SPLIT).issuperset(agent) or not agent[0].isalnum() or ".." in agent:
        return f"the agent's type {agent!r} is no plain name"
    return ""


def folder_name(agent: str) -> str:
    """The directory's name, as the client makes it: `plugin:reviewer` is kept in `plugin-reviewer`."""
    return "".join(c if c in _PLAIN else "-" for c in agent)


def of(agent: str, launch: str, env: Mapping[str, str], project_state: str) -> Scope | None:
    """The scope that the agent's definition asks for; None when it asks for none. `agent` must be a safe name."""
    config = paths.config_dir(env)
    found = definitions.find(agent, launch, config)
    if found is None or found.memory not in FOLDERS:
        return None
    return Scope(agent, found.memory, paths.checkout(launch), launch, config, project_state)


def known(launch: str, env: Mapping[str, str], project_state: str) -> list[Scope]:
    """Every scope that a definition asks for, and every one that has a directory here, by agent and kind."""
    config, root = paths.config_dir(env), paths.checkout(launch)
    found: dict[tuple[str, str], Scope] = {}
    for one in definitions.listed(launch, config):
        if one.memory in FOLDERS and not unsafe(one.agent):
            scope = Scope(one.agent, one.memory, root, launch, config, project_state)
            found[scope.kind, scope.name] = scope
    for kind, name in _directories(root, config):
        if (kind, name) not in found and not unsafe(name):
            found[kind, name] = Scope(name, kind, root, launch, config, project_state)
    return sorted(found.values(), key=lambda scope: (scope.agent, scope.kind))


def _directories(root: str, config: str) -> Iterator[tuple[str, str]]:
    for kind, folder in FOLDERS.items():
        try:
            with os.scandir(os.path.join(config if kind == "user" else os.path.join(root, ".claude"), folder)) as items:
                yield from ((kind, item.name) for item in items if item.is_dir(follow_symlinks=False))
        except OSError:
            continue
