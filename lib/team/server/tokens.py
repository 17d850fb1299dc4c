"""Tokens: who may read and write the memories of one repository. At rest there is only a hash. Req: H1."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone

from sqlalchemy import Engine, delete, insert, select

from lib.team.server.tables import tokens

PREFIX = "mht"
FORM = re.compile(r"mht_([0-9a-f]{16})_([A-Za-z0-9_-]{43})")
# Hosts of repositories take owner and name in any case for the same; some have groups between the two.
REPO = re.compile(r"[a-z0-9_.-]{1,100}(?:/[a-z0-9_.-]{1,100}){1,4}")
NAME_LENGTH = 64
REPO_LENGTH = 255


@dataclass(frozen=True)
class Token:
    """What may be told of a token: its `id` is no secret."""

    id: str
    repo: str
    name: str
    made: str


def repo_name(given: str) -> str:
    """A repository's name as it is stored, or "" when it is none."""
    name = given.lower() if given.isascii() else ""
    wrong = len(name) > REPO_LENGTH or not REPO.fullmatch(name) or any(not part.strip(".") for part in name.split("/"))
    return "" if wrong else name


def wrong_person(name: str) -> str:
    """Why a token's name may not be that, in one sentence, or "": it is shown to people and models as the author."""
    if not 1 <= len(name) <= NAME_LENGTH or name != name.strip():
        return f"a name has 1 to {NAME_LENGTH} characters and no space at its ends"
    if not all(letter.isalnum() or letter in " ._@+'-" for letter in name):
        return "a name has letters, digits, spaces and . _ @ + ' - only"
    return ""


def create(engine: Engine, repo: str, name: str, now: Callable[[], datetime] | None = None) -> str:
    """Store a new token of 256 random bits and return it, the only time that anybody sees it. Raises ValueError."""
    known = repo_name(repo)
    if not known:
        raise ValueError(f"{repo!r} is no repository's name; write owner/name.")
    if wrong := wrong_person(name):
        raise ValueError(f"{name!r} cannot be a token's name: {wrong}.")
    id, secret = secrets.token_hex(8), secrets.token_urlsafe(32)
    made = (now or (lambda: datetime.now(timezone.utc)))().isoformat(timespec="seconds")
    with engine.execution_options(writes=True).begin() as connection:
        row = {"id": id, "digest": digest(secret), "repo": known, "name": name, "made": made}
        connection.execute(insert(tokens).values(row))
    return f"{PREFIX}_{id}_{secret}"


def listed(engine: Engine, repo: str = "") -> list[Token]:
    """Every token, or those of one repository, oldest first."""
    wanted = select(tokens.c.id, tokens.c.repo, tokens.c.name, tokens.c.made).order_by(tokens.c.made, tokens.c.id)
    if repo:
        wanted = wanted.where(tokens.c.repo == repo_name(repo))
    with engine.connect() as connection:
        return [Token(*row) for row in connection.execute(wanted)]


def revoke(engine: Engine, id: str) -> bool:
    """Take a token back, at once and for all workers; False when there is none of that id."""
    with engine.execution_options(writes=True).begin() as connection:
        return connection.execute(delete(tokens).where(tokens.c.id == id)).rowcount > 0


def taken_apart(authorization: str) -> tuple[str, str]:
    """(id, secret) of an Authorization header, or two empty texts. No other form is ever looked up."""
    scheme, _, value = authorization.partition(" ")
    found = FORM.fullmatch(value.strip()) if scheme.lower() == "bearer" else None
    return (found[1], found[2]) if found else ("", "")


def digest(secret: str) -> str:
    """SHA-256: nobody guesses 256 random bits, so a slow hash would only slow down each request."""
    return hashlib.sha256(secret.encode()).hexdigest()


def matches(secret: str, stored: str) -> bool:
    """Whether a secret is the one that was stored, in a time that does not depend on how much of it is right."""
    return hmac.compare_digest(digest(secret), stored)
