"""A private memory moved into the team's folder because the person said so: checked, signed, one entry. Req: H1, H2."""

from __future__ import annotations

import datetime
import os

from lib.memory import checks, frontmatter, history, store, transaction
from lib.memory.transaction import Change
from lib.team import application, place, sync
from lib.team.problems import StoreProblem

# What of a memory's origin is nobody else's business, or would say "the user" of somebody else.
_PRIVATE = ("originSessionId", "said_by", "quote", "noted_from", "modified", "node_type")


def share(memory: str, state: str, file: str, author: str, today: datetime.date, session: str = "") -> str:
    """Move one memory file into memory/team; its key there. Raises StoreProblem with the reason, and moves nothing.

    The file without what belongs to the person alone (which session, the words they used), with who shared it and when.
    """
    text = transaction.current(memory, file)
    if text is None:
        raise StoreProblem(f"{os.path.join(memory, file)} cannot be read")
    if why := checks.check(file, text) or _not_utf8(file, text):
        raise StoreProblem(f"not shared: {why} `memory.py edit {file[:-3]}` opens it.")
    made = signed(text, author, today)
    if why := sync.secret(file, made):
        raise StoreProblem(f"{file} is not shared: {why}; take that out first")
    name = place.memory_name(file)
    taken = {store.fold(key): key for key in place.read(memory).checksums}
    if other := taken.get(store.fold(file)):
        raise StoreProblem(f"the team has {other} already: edit that one, or give yours another name")
    changes = [Change(name, made, None), Change(file, None, text, needs=[name])]
    why = f"{file} shared with the team"
    try:
        outcome = transaction.apply(memory, changes, history.author(memory, state, application.WHO, session, why))
    except (OSError, TimeoutError) as problem:
        raise StoreProblem(f"{file} is not shared: {problem}") from problem
    if failed := outcome[name] or outcome[file]:
        raise StoreProblem(f"{file} is not shared: {failed}")
    application.mend(memory)
    return file


def signed(text: str, author: str, today: datetime.date) -> str:
    """The text with `metadata.author` and `metadata.shared`, and without the private part of its origin."""
    memory = store.Memory("", text, 0.0)
    document = frontmatter.parse(text)
    description = document.fields.get("description")
    gone = dict.fromkeys(_PRIVATE)
    return store.rewritten(
        text, description=description if isinstance(description, str) else memory.statement, body=document.body,
        metadata={**gone, "author": author, "shared": today.isoformat()},
    )  # fmt: skip


def _not_utf8(file: str, text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return f"{file} is not UTF-8 text."
    return ""
