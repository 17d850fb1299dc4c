"""Where a command of the person's stands: the project of the working directory and its memories."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from lib.host import paths, settings


class Trouble(Exception):
    """One sentence for the person: what is wrong, with which value, what to do."""


class Usage(Trouble):
    """The same for a wrong argument: exit status 2."""


@dataclass(frozen=True)
class Place:
    """The project's root, its memory directory and our state for it; all absolute paths."""

    config: str
    root: str
    memory: str
    state: str
    settings: settings.Settings


def sentence(error: BaseException) -> str:
    """What an error says, harmless to a terminal: it may name a memory."""
    from lib.recall.escaping import visible

    return visible(str(error))


def here(cwd: str, env: Mapping[str, str]) -> Place:
    """The place for a working directory. Raises Trouble when there is no configuration folder."""
    config = paths.config_dir(env)
    if not config:
        raise Trouble("there is no home folder: set HOME or CLAUDE_CONFIG_DIR to an absolute path and run this again")
    chosen = settings.load(env, cwd)
    root = paths.project_root(cwd)
    return Place(config, root, paths.memory_path(cwd, env, chosen), paths.state_dir(config, root), chosen)


def inside(directory: str, name: str) -> str:
    """The memory file that a name given by the person means. Raises Trouble."""
    from lib.memory import store

    wanted = store.fold(name if name.endswith(".md") else f"{name}.md")
    files = [entry.file for entry in store.entries(directory)]
    for file in files:
        if store.fold(file) == wanted:
            return file
    near = [file for file in sorted(files) if store.fold(name) in store.fold(file)][:5]
    hint = f"; did you mean {', '.join(near)}?" if near else "; `memory.py list` shows what there is"
    raise Trouble(f"there is no memory {name!r} in {directory}{hint}")


def file_of(directory: str, file: str) -> str:
    return os.path.join(directory, file)
