"""Which sub-agents there are and what each says of its memory: the frontmatter of agents' files. Req: F1.

The client's order holds where several files name one agent: the organisation's, the project's (the folder nearest to
where the session was launched first), the person's own. A plugin's agents are called `plugin:name`.
"""

from __future__ import annotations

import os

from lib.host import jsontext, paths, settings
from lib.memory import frontmatter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MOST = 300  # files of one folder that are read
DEPTH = 4  # folders below `agents/`
HEAD = 17_000  # bytes of a file: its frontmatter
PLUGINS = 100
_REGISTER = 2_000_000  # bytes of the client's list of plugins


class Definition:
    """One agent: its type as the client names it, its `memory` field, its file, and whose it is."""

    __slots__ = ("agent", "memory", "origin", "path")

    def __init__(self, agent: str, memory: str, path: str, origin: str) -> None:
        self.agent = agent
        self.memory = memory
        self.path = path
        self.origin = origin


def find(agent: str, launch: str, config: str) -> Definition | None:
    """The definition that the client uses for this type, None when no file names it. Never raises."""
    places = _plugins(config, agent.partition(":")[0]) if ":" in agent else _own(launch, config)
    return next((found for place in places for found in _read(*place) if found.agent == agent), None)


def listed(launch: str, config: str) -> list[Definition]:
    """Every agent that is defined here, each as the client would use it."""
    known: dict[str, Definition] = {}
    for place in (*_own(launch, config), *_plugins(config)):
        for found in _read(*place):
            known.setdefault(found.agent, found)
    return list(known.values())


def _own(launch: str, config: str) -> Iterator[tuple[str, str, str]]:
    """(folder, what stands before its agents' names, whose it is), in the client's order."""
    yield os.path.join(os.path.dirname(settings.managed_path()), ".claude", "agents"), "", "managed"
    here, root = os.path.realpath(launch), paths.checkout(launch)
    while True:
        folder = os.path.join(here, ".claude", "agents")
        if folder != os.path.join(config, "agents"):  # started in the home folder: those are the person's own
            yield folder, "", "project"
        if here == root or os.path.dirname(here) == here:
            break
        here = os.path.dirname(here)
    if config:
        yield os.path.join(config, "agents"), "", "user"


def _plugins(config: str, wanted: str = "") -> Iterator[tuple[str, str, str]]:
    """The agents' folders of the plugins that the client has installed, or of the `wanted` one alone."""
    try:
        with open(os.path.join(config, "plugins", "installed_plugins.json"), "rb") as file:
            data = jsontext.loads(file.read(_REGISTER))
    except (OSError, ValueError, RecursionError):
        return
    plugins = data.get("plugins") if isinstance(data, dict) else None
    for key, rows in list(plugins.items() if isinstance(plugins, dict) else ())[:PLUGINS]:
        name = key.partition("@")[0]
        for row in rows if isinstance(rows, list) else [rows]:
            place = row.get("installPath") if isinstance(row, dict) else None
            if isinstance(place, str) and os.path.isabs(place) and "\0" not in place and wanted in ("", name):
                yield os.path.join(place, "agents"), f"{name}:", "plugin"


def _read(folder: str, prefix: str, origin: str) -> Iterator[Definition]:
    """The agents of one folder and the folders below it; in a plugin those belong to the name."""
    count = 0
    for path, below in _files(folder, "", DEPTH):
        count += 1
        if count > MOST:
            return
        fields = _fields(path)
        if name := fields.get("name", ""):
            inner = below.replace(os.sep, ":") if prefix else ""
            yield Definition(f"{prefix}{inner}{name}", fields.get("memory", "").lower(), path, origin)


def _files(folder: str, below: str, depth: int) -> Iterator[tuple[str, str]]:
    try:
        with os.scandir(folder) as listing:
            items = sorted(listing, key=lambda item: item.name)
    except (OSError, ValueError):
        return
    for item in items:
        try:
            if item.is_dir(follow_symlinks=False):
                if depth:
                    yield from _files(item.path, f"{below}{item.name}{os.sep}", depth - 1)
            elif item.name.endswith(".md"):
                yield item.path, below
        except OSError:
            continue


def _fields(path: str) -> Mapping[str, str]:
    """The frontmatter's plain fields; a FIFO is opened without waiting and then holds nothing."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return {}
    try:
        return frontmatter.head(os.read(descriptor, HEAD).decode("utf-8", "replace"))
    except OSError:
        return {}
    finally:
        os.close(descriptor)
