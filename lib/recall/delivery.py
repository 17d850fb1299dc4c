"""What a session or a prompt is given: pure decisions about the index and about repeats. Req: C1, C4."""

from __future__ import annotations

from lib.journal import Run, Skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

INDEX_FILE = "recall.sqlite"  # in the project's state
PAGES = 3  # SessionStart commands that are registered, one a page
NATIVE_SINCE = (
    2,
    1,
    59,
)  # the client loads MEMORY.md itself from here on (public documentation; seen on 2.1.197, 2.1.332)


def native(env: Mapping[str, str], version: str) -> bool:
    """Whether the client that runs us loads MEMORY.md itself. `version` is the installed client's, "" when unknown."""
    if env.get("CLAUDECODE") != "1":
        return False
    numbers = tuple(int(part) for part in version.split(".")[:3] if part.isdigit())
    return len(numbers) != 3 or numbers >= NATIVE_SINCE


def index(*, source: str, mode: str, off: str, loaded_by_host: bool) -> Run | Skip:
    """Whether SessionStart delivers the index; an unknown `source` counts as a new session."""
    if off:
        return Skip(off)
    if mode == "never":
        return Skip("switched_off")
    if source in ("resume", "fork"):
        return Skip("in_context")
    if mode != "always" and loaded_by_host:
        return Skip("native_memory")
    return Run()


def news(found: Sequence[tuple[str, str, str]], shown: Mapping[str, str], session: str) -> list[str]:
    """Of (file, version, session it was noted in), newest choice first: the files the model does not have already."""
    return [file for file, version, origin in found if shown.get(file) != version and origin != session]
