"""What the team shares, recalled after the person's own memories and told apart from them. Req: H1, C3.

A library of its own: nothing in it changes how private memories are ranked, and it only fills places they leave.
"""

from __future__ import annotations

import os

from lib.host import jsontext
from lib.memory.store import TEAM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from lib.memory.store import Memory
    from lib.recall.lexical import Hit

INDEX_FILE = os.path.join(TEAM, "recall.sqlite")  # in the project's state
_MANIFEST = os.path.join(TEAM, "manifest.json")  # in it, who wrote what, as the store tells
_READ = 16_000_000  # bytes
_PREFIX = TEAM + "/"


def is_shared(file: str) -> bool:
    return file.startswith(_PREFIX)


def hits(
    memory: str, prompt: str, state: str, *, room: int, tools: Sequence[str] = (), files: Sequence[str] = (),
    project: str = "",
) -> list[Hit]:  # fmt: skip
    """The team's memories that this prompt surely needs, at most `room`; each `path` ends in team/KEY."""
    folder = os.path.join(memory, TEAM)
    if room <= 0 or os.path.islink(folder) or not os.path.isdir(folder):
        return []
    from lib.recall import lexical

    found = lexical.consider(
        folder, prompt, limit=room, index=os.path.join(state, INDEX_FILE), recent_tools=tools, recent_files=files,
        project=project,
    )  # fmt: skip
    return found.hits


def name(memory: str, path: str) -> str:
    """A hit's path as a name below the memory directory."""
    return _PREFIX + os.path.relpath(path, os.path.join(os.path.abspath(memory), TEAM)).replace(os.sep, "/")


def sign(memories: Sequence[Memory], state: str) -> None:
    """Put the author that the store tells in the place of what a shared file says of itself; "" where nobody does."""
    shared = [memory for memory in memories if is_shared(memory.file)]
    authors = _authors(state) if shared else {}
    for memory in shared:
        told = authors.get(memory.file[len(_PREFIX) :])
        memory.fields["team.author"] = told if isinstance(told, str) else memory.fields.get("metadata.author", "")


def _authors(state: str) -> dict[str, object]:
    try:
        with open(os.path.join(state, _MANIFEST), "rb") as file:
            found = jsontext.loads(file.read(_READ))
        authors = found["authors"]
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return {}
    return authors if isinstance(authors, dict) else {}
