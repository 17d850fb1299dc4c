"""Taking an entry of the history back, file by file: what was changed later stays, and is named. Req: J1."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field

from lib.memory import archive, files, index, lock, store, written
from lib.memory.archive import OUTSIDE, ArchiveProblem, Entry, Note
from lib.memory.history import UNDO, History


@dataclass
class Undone:
    """`restored` files have their former content again; `kept` says for each other file why it was left."""

    restored: list[str] = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=dict)


def undo(history: History, entry: Entry, session: str = "") -> Undone:
    """Give each file of the entry back the content it had before, unless it was changed since. One new entry.

    Raises TimeoutError (the directory stays locked) and ArchiveProblem (a version is not to be had).
    """
    done = Undone()
    note = Note(UNDO, session, f"undo of {entry.id} ({entry.note.who}: {entry.note.why})"[:200])
    with lock.held(history.memory):
        history.catch_up()
        now, times = archive.look(history.memory).versions(), history.times()
        with history.step(note, entry.files):
            for file, (before, after) in sorted(entry.files.items()):
                if file == store.INDEX:
                    continue
                why = _restore(history, file, before, after, now)
                if why:
                    done.kept[file] = why
                    continue
                done.restored.append(file)
                if before and (then := times.get((file, before))):
                    with contextlib.suppress(OSError):  # the content is back; its age is a courtesy
                        os.utime(os.path.join(history.memory, file), ns=(then, then))
            if not _restore_index(history, entry, now) or done.kept:
                index.mend_locked(history.memory)
            if any(file.startswith(f"{store.TEAM}/") for file in done.restored):
                index.mend_locked(os.path.join(history.memory, store.TEAM))
    _name_later(history, entry, done)
    return done


def _restore(history: History, file: str, before: str | None, after: str | None, now: dict[str, str]) -> str:
    """Why a file was left as it is, or ""."""
    present = now.get(file)
    if present == before:
        return "is so already"
    if present != after:
        return "changed later"
    try:
        if before is None:
            files.delete(history.memory, file)
            return ""
        folded = {store.fold(name) for name in now}
        if present is None and store.fold(file) in folded:
            return "another memory has this name by now"
        data = history.content(before)
        written.note(history.place, file, data or b"")
        files.write(history.memory, file, data or b"")
    except ArchiveProblem:
        return "the former version is not kept"
    except (OSError, ValueError) as error:
        return f"could not be written ({error})"
    return ""


def _restore_index(history: History, entry: Entry, now: dict[str, str]) -> bool:
    """Bring the former index back when nobody touched it since; otherwise mending gives the files their lines."""
    before, after = entry.files.get(store.INDEX, (None, None))
    if after is None or before is None or now.get(store.INDEX) != after:
        return False
    with contextlib.suppress(OSError, ValueError):
        if data := history.content(before):
            files.write(history.memory, store.INDEX, data)
            return True
    return False


def _name_later(history: History, entry: Entry, done: Undone) -> None:
    """Say who changed a file after the entry."""
    wanted = {file for file, why in done.kept.items() if why == "changed later"}
    newer = []
    for other in history.entries():
        if other.id == entry.id:
            break
        newer.append(other)
    for file in wanted:
        later = next((other for other in reversed(newer) if file in other.files), None)
        if later:
            who = "outside: you, an editor or the agent" if later.note.who == OUTSIDE else later.note.who
            done.kept[file] = f"changed later ({who}, entry {later.id})"
