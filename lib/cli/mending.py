"""Changes of the person's side to memories: checked, one entry of the history, the index with them. Req: J1."""

from __future__ import annotations

from lib.cli.place import Place, Trouble
from lib.memory import history, store, transaction
from lib.memory.archive import ArchiveProblem
from lib.memory.transaction import Change

WHO = "person"


def apply(place: Place, changes: list[Change], why: str, *, who: str = WHO, session: str = "") -> dict[str, str]:
    """file -> why it was left out, of those that were. Raises Trouble when nothing could be written at all."""
    author = history.author(place.memory, place.state, who, session, why)
    try:
        outcome = transaction.apply(place.memory, changes, author)
    except ArchiveProblem as problem:
        raise Trouble(f"the history cannot be kept, so nothing was changed: {problem}") from problem
    except TimeoutError as problem:
        raise Trouble(f"{problem}; try again") from problem
    return {file: problem for file, problem in outcome.items() if problem}


def index(place: Place) -> str:
    """Bring the index in line with the files; why that was not done, or ""."""
    return apply(place, [], "index mended").get(store.INDEX, "")
