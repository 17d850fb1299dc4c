"""A server of the team's own as its store: checksums as ETags, writes by compare and swap. Req: H1."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from lib.team import exchange, sync, wire
from lib.team.exchange import Server
from lib.team.problems import StoreProblem
from lib.team.store import Hashes, Snapshot

_CHECKSUM = re.compile(r"sha256:[0-9a-f]{64}")


@dataclass(frozen=True)
class HttpStore:
    """The entries of `repo` (owner/name) on a server. What it answers is trusted for nothing but being text."""

    server: Server
    repo: str
    body_limit: int = wire.BODY_BYTES

    def fetch_all(self, known: str = "") -> Snapshot | None:
        headers = {"If-None-Match": f'"{known}"'} if _CHECKSUM.fullmatch(known) else {}
        reply = exchange.ask(self.server, "GET", {"repo": self.repo}, headers=headers)
        if reply.status == 304:
            if not headers:
                raise StoreProblem("the server says that nothing changed, but was not told since when")
            return None
        if reply.status == 404:
            return None if known == wire.EMPTY else Snapshot(wire.EMPTY, {})
        checksum, content = _parts(reply.value)
        claimed = _table(content, "entryChecksums")
        entries, damaged = {}, {}
        for key, text in _table(content, "entries").items():
            why = _damage(text, claimed.get(key))
            if why:
                damaged[key] = why
            else:
                entries[key] = text
        authors = _table(content, "entryAuthors") if "entryAuthors" in content else {}
        return Snapshot(checksum, entries, authors, damaged)

    def fetch_hashes(self) -> Hashes:
        reply = exchange.ask(self.server, "GET", {"repo": self.repo, "view": "hashes"})
        if reply.status == 404:
            return Hashes(wire.EMPTY, {})
        if reply.status == 304:
            raise StoreProblem("the server says that nothing changed, but was not told since when")
        checksum, content = _parts(reply.value)
        return Hashes(checksum, _table(content, "entryChecksums"))

    def put(self, entries: Mapping[str, str], if_match: str) -> str:
        headers = {"If-Match": f'"{if_match}"'}
        reply = exchange.ask(self.server, "PUT", {"repo": self.repo}, headers=headers, body=sync.encoded(entries))
        if reply.status != 200:
            raise StoreProblem(f"the server does not know {self.repo} ({reply.status})")
        return _checksum(reply.value)


def _parts(value: object) -> tuple[str, Mapping[str, object]]:
    content = value.get("content") if isinstance(value, dict) else None
    if not isinstance(content, dict):
        raise StoreProblem("the server's answer has no `content`")
    return _checksum(value), content


def _checksum(value: object) -> str:
    checksum = value.get("checksum") if isinstance(value, dict) else None
    if not isinstance(checksum, str) or not _CHECKSUM.fullmatch(checksum):
        raise StoreProblem("the server's answer has no `checksum` of the form sha256:…")
    return checksum


def _table(content: Mapping[str, object], name: str) -> dict[str, str]:
    table = content.get(name)
    if not isinstance(table, dict) or not all(isinstance(text, str) for text in table.values()):
        raise StoreProblem(f"the server's answer has no `{name}` of texts")
    return table


def _damage(text: str, claimed: str | None) -> str:
    try:
        return "" if wire.checksum(text) == claimed else "its text is not what its checksum says"
    except UnicodeEncodeError:
        return "its text holds half a character"
