"""Changes to memories as one step: compared with what was read, written whole, the index mended with them."""

from __future__ import annotations

import contextlib
import hashlib
import os

from lib.memory import files, index, lock, store, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lib.memory.history import Author

_FOLLOWS = os.supports_follow_symlinks
CHANGED, REMOVED, TAKEN = "changed meanwhile", "removed meanwhile", "another memory has this name"
CROSSED = (CHANGED, REMOVED, TAKEN)  # refusals of a change that somebody's other change came before
WHOLE = 1 << 20  # bytes; half a file must never stand for the whole one


class Change:
    """One file's new text (None removes it); `before` is the text the change was made from, None for a new file.

    `needs` names files of the same transaction that must have been written before this one is: what was merged into
    another file is removed only when it stands there. `mtime_ns` keeps a file's age over a change of mere wording.
    """

    __slots__ = ("before", "file", "mtime_ns", "needs", "text")

    def __init__(
        self, file: str, text: str | None, before: str | None, *, needs: Iterable[str] = (), mtime_ns: int = 0
    ) -> None:
        self.file = file
        self.text = text
        self.before = before
        self.needs = tuple(needs)
        self.mtime_ns = mtime_ns


def apply(directory: str, changes: list[Change], author: Author | None = None) -> dict[str, str]:
    """Write the changes under the directory's lock; file -> why it was left out ("" when it was written).

    A file that is no longer what the change was made from keeps its present text: whoever wrote meanwhile wins.
    An index that could not be mended is one more row, "MEMORY.md". With an author the step is one entry of the history.
    Raises TimeoutError when the directory stays locked, and ArchiveProblem, before anything is written, when the
    history cannot be kept.
    """
    outcome: dict[str, str] = {}
    with lock.held(directory), author.step(c.file for c in changes) if author else contextlib.nullcontext():
        for change in sorted(changes, key=lambda change: bool(change.needs)):
            missed = [file for file in change.needs if outcome.get(file)]
            outcome[change.file] = f"{missed[0]} was not written" if missed else _one(directory, change, author)
        lines = {change.file: _lines(change) for change in changes if not outcome[change.file]}
        try:
            index.mend_locked(directory, lines)
        except OSError as error:
            # The memories are written all the same, and the next change mends the index.
            outcome[store.INDEX] = f"{type(error).__name__}: {error}"
    return outcome


def disk_fault(outcome: Mapping[str, str]) -> str:
    """The first refusal that came from the system and may pass (a full disk, no free descriptor); "" for none."""
    return next((f"{file}: {why}" for file, why in outcome.items() if "Error: [Errno" in why), "")


def _lines(change: Change) -> tuple[str, str]:
    """The index line as we would have written it for the former text and for the new one; empty without both."""
    if change.before is None or change.text is None:
        return "", ""
    texts = (store.Memory(change.file, text, 0.0) for text in (change.before, change.text))
    before, now = (index.line_for(memory) for memory in texts)
    return before, now


def current(directory: str, file: str) -> str | None:
    """A memory's whole text, None when there is none or it is too long; undecodable bytes survive a rewrite."""
    try:
        raw = files.read(directory, file, WHOLE + 1)
    except OSError:
        return None
    return raw.decode("utf-8", "surrogateescape") if len(raw) <= WHOLE else None


def digest(text: str) -> str:
    """What tells one version of a memory from another."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _one(directory: str, change: Change, author: Author | None) -> str:
    now = current(directory, change.file)
    if now != change.before:
        return CHANGED if now is not None else REMOVED
    if change.before is None and "/" not in change.file and store.fold(change.file) in {
        store.fold(entry.file) for entry in store.entries(directory)
    }:
        return TAKEN
    try:
        if change.text is None:
            files.delete(directory, change.file)
        else:
            data = change.text.encode("utf-8", "surrogateescape")
            if author:
                _note(author.history.place, change, data)
            files.write(directory, change.file, data)
            if change.mtime_ns:
                path = os.path.join(directory, change.file)
                os.utime(path, ns=(change.mtime_ns, change.mtime_ns), follow_symlinks=os.utime not in _FOLLOWS)
    except (OSError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _note(place: str, change: Change, data: bytes) -> None:
    """Note the version as ours, before it is written: a killed writer leaves none that looks like somebody else's.

    What rests on a text that was changed past us goes on to be shown as such.
    """
    before = change.before
    if before is None or not written.is_foreign(place, change.file, before.encode("utf-8", "surrogateescape")):
        written.note(place, change.file, data)
