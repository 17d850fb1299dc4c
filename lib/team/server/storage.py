"""What is stored, and the compare-and-swap in the database that makes any number of worker processes safe. Req: H1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from sqlalchemy import Connection, Engine, bindparam, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql

from lib.team.server.answers import Refusal, dumps
from lib.team.server.body import same_file
from lib.team.server.limits import Limits
from lib.team.server.tables import entries, is_sqlite, repos, tokens
from lib.team.wire import EMPTY, checksum, overall


@dataclass(frozen=True)
class Look:
    """A token's row and the state of its repository, in one read. `version` is 0 when nothing is stored yet."""

    digest: str
    repo: str
    name: str
    version: int
    checksum: str
    hashes: str


@dataclass(frozen=True)
class Stored:
    """The state of a repository after a write."""

    version: int
    checksum: str
    modified: str


_HASHES = (func.coalesce(repos.c.version, 0), func.coalesce(repos.c.checksum, EMPTY), func.coalesce(repos.c.hashes, ""))
_LOOK = (
    select(tokens.c.digest, tokens.c.repo, tokens.c.name, *_HASHES)
    .select_from(tokens.outerjoin(repos, repos.c.name == tokens.c.repo))
    .where(tokens.c.id == bindparam("id"))
)
# One statement sees one state, so the entries are those that the checksum beside them is over.
_FULL = (
    select(repos.c.version, repos.c.checksum, repos.c.modified)
    .add_columns(entries.c.key, entries.c.text, entries.c.checksum, entries.c.author)
    .join(entries, entries.c.repo == repos.c.name)
    .where(repos.c.name == bindparam("repo"))
    .order_by(entries.c.key)
)
_KNOWN = select(entries.c.key, entries.c.checksum, entries.c.author, entries.c.bytes).where(
    entries.c.repo == bindparam("repo")
)
_ROW = select(repos.c.version, repos.c.checksum, repos.c.modified).where(repos.c.name == bindparam("repo"))


class Storage:
    """Reads and writes of one database. Methods block; they raise SQLAlchemyError when the database does not answer."""

    def __init__(self, engine: Engine, limits: Limits, now: Callable[[], datetime] | None = None) -> None:
        self._engine = engine
        self._reads = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._writes = engine.execution_options(writes=True)
        self._limits = limits
        self._now = now or (lambda: datetime.now(timezone.utc))

    def answers(self) -> None:
        """Return when the database answers and has the tables."""
        with self._reads.connect() as connection:
            connection.execute(select(repos.c.version).limit(1)).first()

    def close(self) -> None:
        """Give the connections back; the storage is not used after that."""
        self._engine.dispose()

    def look(self, token: str) -> Look | None:
        """The row of a token id with what it gives access to; None for an unknown id."""
        with self._reads.connect() as connection:
            row = connection.execute(_LOOK, {"id": token}).first()
        return Look(*row) if row else None

    def full(self, repo: str) -> tuple[str, str]:
        """(checksum, answer) with every text; (EMPTY, "") when nothing is stored yet."""
        with self._reads.connect() as connection:
            rows = connection.execute(_FULL, {"repo": repo}).all()
        if not rows:
            return EMPTY, ""
        state = Stored(*rows[0][:3])
        known = {key: (value, author) for _, _, _, key, _, value, author in rows}
        return state.checksum, answer(repo, state, known, {row.key: row.text for row in rows})

    def put(self, repo: str, author: str, texts: Mapping[str, str], expected: str) -> Stored:
        """Store these texts if the state is still the expected one; nothing is deleted by leaving it out.

        All or nothing. Raises Refusal: 412 with the checksum that holds, 413 and 422 with the entries' names.
        """
        with self._writes.begin() as connection:
            row = self._locked(connection, repo)
            if row.checksum != expected:
                raise Refusal(412, "Somebody else stored something meanwhile.", checksum=row.checksum)
            return self._apply(connection, repo, author, texts, row)

    def _locked(self, connection: Connection, repo: str) -> Stored:
        """The repository's row, which nobody else changes before this transaction ends.

        SQLite's lock is taken with BEGIN IMMEDIATE; PostgreSQL's is the row's, so there has to be a row.
        """
        locked = _ROW.with_for_update()
        row = connection.execute(locked, {"repo": repo}).first()
        if row is None:
            fresh = {"name": repo, "version": 0, "checksum": EMPTY, "modified": "", "hashes": ""}
            if is_sqlite(connection):
                connection.execute(insert(repos), fresh)
            else:
                connection.execute(postgresql.insert(repos).on_conflict_do_nothing(), fresh)
            row = connection.execute(locked, {"repo": repo}).one()
        return Stored(*row)

    def _apply(
        self, connection: Connection, repo: str, author: str, texts: Mapping[str, str], before: Stored
    ) -> Stored:
        known: dict[str, tuple[str, str]] = {}
        sizes: dict[str, int] = {}
        for key, value, by, size in connection.execute(_KNOWN, {"repo": repo}):
            known[key], sizes[key] = (value, by), size
        # Who wrote a text stays its author when somebody sends the same text again.
        changed = {key: value for key, value in texts.items() if known.get(key, ("",))[0] != checksum(value)}
        if not changed:
            return before
        self._check(changed, known, sizes)
        rows = [
            {"repo": repo, "key": key, "text": value, "bytes": len(value.encode()), "checksum": checksum(value),
             "author": author}
            for key, value in changed.items()
        ]  # fmt: skip
        connection.execute(delete(entries).where(entries.c.repo == repo, entries.c.key.in_(list(changed))))
        connection.execute(insert(entries), rows)
        known.update({key: (checksum(value), author) for key, value in changed.items()})
        modified = self._now().isoformat(timespec="milliseconds")
        after = Stored(before.version + 1, overall({key: value for key, (value, _) in known.items()}), modified)
        state = {"version": after.version, "checksum": after.checksum, "modified": modified}
        connection.execute(update(repos).where(repos.c.name == repo), {**state, "hashes": answer(repo, after, known)})
        return after

    def _check(self, changed: Mapping[str, str], known: Mapping[str, Any], sizes: Mapping[str, int]) -> None:
        if twins := same_file(list(changed), list(known)):
            why = {key: f"it is the same file as {other!r} on some systems" for key, other in twins.items()}
            raise Refusal(422, "A key differs from a stored one only in case or composition.", entries=why)
        if len({*known, *changed}) > self._limits.entries:
            raise Refusal(413, f"A repository has at most {self._limits.entries} entries.")
        total = sum({**sizes, **{key: len(value.encode()) for key, value in changed.items()}}.values())
        if total > self._limits.total_bytes:
            raise Refusal(413, f"A repository has at most {self._limits.total_bytes} bytes; this would make {total}.")


def answer(
    repo: str, state: Stored, known: Mapping[str, tuple[str, str]], texts: Mapping[str, str] | None = None
) -> str:
    """What a GET sends: every key's checksum and author, and the texts when they are given."""
    content: dict[str, object] = {} if texts is None else {"entries": dict(texts)}
    content["entryChecksums"] = {key: value for key, (value, _) in sorted(known.items())}
    content["entryAuthors"] = {key: author for key, (_, author) in sorted(known.items())}
    told = {"organizationId": repo.partition("/")[0], "repo": repo, "version": state.version}
    return dumps({**told, "lastModified": state.modified, "checksum": state.checksum, "content": content})
