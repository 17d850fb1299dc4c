"""The tables, and a connection that keeps each database's own rules. SQLite by default, PostgreSQL by URL. Req: H1."""

from __future__ import annotations

import sqlite3
import time
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
    make_url,
    text,
)
from sqlalchemy.exc import ArgumentError

BUSY_SECONDS = 5
POOL = 8  # connections a worker process keeps, and threads that use them
# Any number will do that nothing else in the database locks: processes that start together make the tables once.
MAKING = 7_083_112

metadata = MetaData()
tokens = Table(
    "tokens",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("digest", String(64), nullable=False),  # SHA-256 of the secret; the secret is nowhere
    Column("repo", String(255), nullable=False, index=True),
    Column("name", String(64), nullable=False),
    Column("made", String(32), nullable=False),
)
repos = Table(
    "repos",
    metadata,
    Column("name", String(255), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("checksum", String(80), nullable=False),
    Column("modified", String(32), nullable=False),
    # The answer to a request for hashes as it is sent, so that it costs one row whatever the number of entries.
    Column("hashes", Text, nullable=False),
)
entries = Table(
    "entries",
    metadata,
    Column("repo", String(255), ForeignKey("repos.name"), primary_key=True),
    Column("key", String(512), primary_key=True),
    Column("text", Text, nullable=False),
    Column("bytes", Integer, nullable=False),
    Column("checksum", String(80), nullable=False),
    Column("author", String(64), nullable=False),
)


class DatabaseAddressError(ValueError):
    """The database cannot be addressed like this; the message is the sentence to show, without a password."""


def connect(address: str) -> Engine:
    """An engine for a URL or the path of an SQLite file; nothing is opened before it is used.

    Raises DatabaseAddressError. Values never show in errors or logs: they are what the team wrote.
    """
    url = _url(address)
    options: dict[str, Any] = {"hide_parameters": True, "pool_size": POOL, "max_overflow": 0, "pool_timeout": 10}
    if url.get_backend_name() == "sqlite":
        if url.database in (None, "", ":memory:"):
            raise DatabaseAddressError("A database in memory is lost with its process; give the path of a file.")
        engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS}, **options)
        event.listen(engine, "connect", _sqlite_connected)
        event.listen(engine, "begin", _sqlite_begin)
        return engine
    waits = f"-c lock_timeout={BUSY_SECONDS}s -c statement_timeout=15s -c idle_in_transaction_session_timeout=15s"
    connecting = {"connect_timeout": 5, "options": waits, "application_name": "memory-team"}
    return create_engine(url, connect_args=connecting, pool_pre_ping=True, **options)


def make_tables(engine: Engine) -> None:
    """Make what is missing; any number of processes may do so at once. Raises SQLAlchemyError."""
    with engine.execution_options(writes=True).begin() as connection:
        if not is_sqlite(connection):
            connection.execute(text(f"SELECT pg_advisory_xact_lock({MAKING})"))
        metadata.create_all(connection)


def is_sqlite(connection: Connection) -> bool:
    return connection.dialect.name == "sqlite"


def _url(address: str) -> Any:
    try:
        url = make_url(address if "://" in address else f"sqlite:///{address}")
    except (ArgumentError, ValueError):
        raise DatabaseAddressError(
            "The database's URL cannot be read; it looks like postgresql://user:password@host/name."
        ) from None
    backend = url.get_backend_name()
    if backend in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise DatabaseAddressError(f"{backend!r} is no database this server knows; give postgresql:// or sqlite:///.")
    return url.set(drivername="sqlite")


def _sqlite_connected(connection: Any, _record: object) -> None:
    # The driver would begin transactions itself, and too late: after the read that a write depends on.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    _write_ahead(connection)
    for pragma in ("synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _write_ahead(connection: Any) -> None:
    """Switch to the write-ahead log; of several processes that begin at once SQLite refuses some without waiting."""
    end = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() >= end:
                raise
        time.sleep(0.01)


def _sqlite_begin(connection: Connection) -> None:
    # Two deferred transactions that read and then write would fail each other; the second waits at the start instead.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")
