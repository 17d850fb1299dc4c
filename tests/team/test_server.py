"""The wire contract of the team's server, on both databases, without a network."""
from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

import pytest
from sqlalchemy import Engine

from lib.team.server import tokens
from lib.team.server.app import application
from lib.team.server.limits import Limits
from lib.team.server.storage import Storage
from lib.team.server.tables import connect, make_tables
from tests.support.team_server import Answer, address, bearer, call

REPO = "acme/app"
NOON = datetime(2026, 11, 30, 12, 0, tzinfo=timezone.utc)


def sha(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def over(**texts: str) -> str:
    """The overall checksum by the contract's own words, for keys without a folder."""
    lines = [f"{key}.md\0{sha(text)[7:]}\n" for key, text in sorted(texts.items())]
    return sha("".join(lines))


@dataclass
class Team:
    """A server over one database with a token of alice and one of bob."""

    engine: Engine
    app: Any
    alice: str
    bob: str

    def get(self, view: str = "", token: str = "", **headers: str) -> Answer:
        return call(self.app, "GET", address(REPO, view), bearer(token or self.alice, **headers))

    def put(self, expected: str, entries: object, token: str = "", **headers: str) -> Answer:
        return self.send(json.dumps({"entries": entries}).encode(), expected, token, **headers)

    def send(self, raw: bytes, expected: str = "empty", token: str = "", **headers: str) -> Answer:
        wanted = bearer(token or self.alice, if_match=f'"{expected}"', **headers)
        return call(self.app, "PUT", address(REPO), wanted, [raw])


def team(database: str, limits: Limits | None = None) -> Team:
    engine = connect(database)
    make_tables(engine)
    limits = limits or Limits(rate=0)
    app = application(Storage(engine, limits, lambda: NOON), limits)
    return Team(engine, app, tokens.create(engine, REPO, "alice"), tokens.create(engine, REPO, "bob"))


@pytest.fixture
def there(database: str) -> Iterator[Team]:
    made = team(database)
    yield made
    made.engine.dispose()


@pytest.fixture
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    """A server for what no database has a say in."""
    made = team(str(tmp_path_factory.mktemp("plain") / "team.sqlite"))
    yield made
    made.engine.dispose()


@pytest.fixture
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    """A server with small limits, on SQLite."""
    limits = Limits(entry_bytes=50, body_bytes=400, entries=3, total_bytes=120, body_seconds=0.05, rate=0.001, burst=9)
    made = team(str(tmp_path_factory.mktemp("small") / "team.sqlite"), limits)
    yield made
    made.engine.dispose()


def test_nothing_stored_is_404_in_both_views(there: Team) -> None:
    assert [there.get(view).status for view in ("", "hashes")] == [404, 404]
    assert there.get().json["checksum"] == "empty"


def test_what_was_put_is_what_is_got(there: Team) -> None:
    put = there.put("empty", {"b.md": "wörld 🧠\n", "a.md": ""})
    checksum = over(a="", b="wörld 🧠\n")
    assert (put.status, put.json) == (
        200, {"version": 1, "checksum": checksum, "lastModified": "2026-11-30T12:00:00.000+00:00"}
    )  # fmt: skip
    full = there.get()
    assert full.headers["etag"] == f'"{checksum}"' and full.headers["content-type"] == "application/json"
    assert full.json == {
        "organizationId": "acme", "repo": REPO, "version": 1, "lastModified": "2026-11-30T12:00:00.000+00:00",
        "checksum": checksum, "content": {
            "entries": {"a.md": "", "b.md": "wörld 🧠\n"},
            "entryChecksums": {"a.md": sha(""), "b.md": sha("wörld 🧠\n")},
            "entryAuthors": {"a.md": "alice", "b.md": "alice"},
        },
    }  # fmt: skip


def test_the_hashes_are_the_same_answer_without_the_texts(there: Team) -> None:
    there.put("empty", {"a.md": "one", "api/b.md": "two"})
    full = there.get().json
    del full["content"]["entries"]
    hashes = there.get("hashes")
    assert hashes.json == full
    assert hashes.headers["etag"] == there.get().headers["etag"]
    assert b"one" not in hashes.body


def test_a_put_names_what_changes_and_deletes_nothing(there: Team) -> None:
    first = there.put("empty", {"a.md": "one", "b.md": "two"}).json
    second = there.put(first["checksum"], {"b.md": "three", "c.md": "four"}, there.bob).json
    assert second["version"] == 2 and second["checksum"] == over(a="one", b="three", c="four")
    content = there.get().json["content"]
    assert content["entries"] == {"a.md": "one", "b.md": "three", "c.md": "four"}
    assert content["entryAuthors"] == {"a.md": "alice", "b.md": "bob", "c.md": "bob"}


def test_the_same_text_again_changes_nothing_not_even_the_author(there: Team) -> None:
    first = there.put("empty", {"a.md": "one"})
    again = there.put(first.json["checksum"], {"a.md": "one"}, there.bob)
    assert again.json == first.json
    assert there.get().json["content"]["entryAuthors"] == {"a.md": "alice"}


@pytest.mark.parametrize("wrong", ["empty", "sha256:" + "0" * 64, "x"])
def test_another_state_than_expected_is_412_with_the_one_that_holds(there: Team, wrong: str) -> None:
    checksum = there.put("empty", {"a.md": "one"}).json["checksum"]
    refused = there.put(wrong, {"a.md": "two"})
    assert (refused.status, refused.json["checksum"]) == (412, checksum)
    assert there.get().json["content"]["entries"] == {"a.md": "one"}


def test_a_state_is_expected_where_nothing_is_stored(there: Team) -> None:
    refused = there.put("sha256:" + "0" * 64, {"a.md": "two"})
    assert (refused.status, refused.json["checksum"]) == (412, "empty")
    assert there.get().status == 404


def test_an_unchanged_state_is_304_and_moves_little(there: Team) -> None:
    checksum = there.put("empty", {f"{n}.md": "x" * 900 for n in range(50)}).json["checksum"]
    for view in ("", "hashes"):
        for known in (f'"{checksum}"', f'W/"{checksum}"', f'"old", "{checksum}"'):
            found = there.get(view, if_none_match=known)
            assert (found.status, found.body, found.headers["etag"]) == (304, b"", f'"{checksum}"')
        assert there.get(view, if_none_match='"old"').status == 200


def test_the_name_of_a_repository_is_the_same_in_any_case(there: Team) -> None:
    there.put("empty", {"a.md": "one"})
    assert call(there.app, "GET", address("ACME/App"), bearer(there.alice)).status == 200


def test_a_token_is_for_its_own_repository_only(there: Team) -> None:
    other = tokens.create(there.engine, "acme/other", "carol")
    there.put("empty", {"a.md": "one"})
    for view in ("", "hashes"):
        assert there.get(view, other).status == 403
    assert there.put(over(a="one"), {"a.md": "two"}, other).status == 403
    assert there.get().json["content"]["entries"] == {"a.md": "one"}


@pytest.mark.parametrize("change", [
    lambda good: "x", lambda good: good[:-1], lambda good: good + "x", lambda good: good.upper(),
    lambda good: good[:-4] + ("AAAA" if not good.endswith("AAAA") else "BBBB"),
    lambda good: good.replace(good[4:20], "0" * 16), lambda good: good + "\0", lambda good: "' OR 1=1 --",
])  # fmt: skip
def test_anything_but_a_token_is_401(plain: Team, change: Any) -> None:
    plain.put("empty", {"a.md": "one"})
    found = plain.get(token=change(plain.alice))
    assert found.status == 401 and found.headers["www-authenticate"] == "Bearer"
    assert b"acme" not in found.body and plain.alice.encode() not in found.body
    assert plain.put("empty", {"b.md": "x"}, change(plain.alice)).status == 401


def test_another_scheme_or_none_is_401(plain: Team) -> None:
    for headers in ({}, {"authorization": f"Basic {plain.alice}"}, {"authorization": plain.alice}):
        assert call(plain.app, "GET", address(REPO), headers).status == 401


def test_a_revoked_token_is_refused_at_once(there: Team) -> None:
    assert there.get().status == 404
    assert tokens.revoke(there.engine, there.alice.split("_")[1]) is True
    assert there.get().status == 401
    assert there.get(token=there.bob).status == 404


@pytest.mark.parametrize("repo", ["", "acme", "acme/", "/app", "a/../b", "acme/app%00", "acme/a%0ab", "a/b/c/d/e/f"])
def test_what_names_no_repository_is_400(plain: Team, repo: str) -> None:
    assert call(plain.app, "GET", address(repo), bearer(plain.alice)).status == 400


@pytest.mark.parametrize(("raw", "status"), [
    (b"", 400), (b"{", 400), (b"\xff", 400), (b'{"entries": {"a.md": "x"}} x', 400),
    (b'{"entries": {"a.md": NaN}}', 400), (b'{"entries": {"a.md": "x"}, "n": -Infinity}', 400),
    (b'{"entries": {"a.md": "1", "a.md": "2"}}', 400), (b'{"entries": {"a.md": "1"}, "entries": {}}', 400),
    (b"[" * 100_000, 400), (b'{"entries":' * 10_000, 400),
    (b"[]", 422), (b"null", 422), (b"{}", 422), (b'{"entries": []}', 422), (b'{"entries": {}}', 422),
    (b'{"entries": {"a.md": 5}}', 422), (b'{"entries": {"a.md": {"b.md": "x"}}}', 422),
    (b'{"entries": {"a.md": "\\ud800"}}', 422), (b'{"entries": {"a.md": "x\\u0000"}}', 422),
    (b'{"entries": {"\\ud800.md": "x"}}', 422),
], ids=range(20))  # fmt: skip
def test_a_body_that_is_not_the_contracts_is_refused_and_stores_nothing(plain: Team, raw: bytes, status: int) -> None:
    refused = plain.send(raw)
    assert refused.status == status and refused.json["error"]
    assert plain.get().status == 404


@pytest.mark.parametrize("key", [
    "../a.md", "/a.md", "a/../b.md", "./a.md", "a.txt", "a.md/b.md", "con.md", "a\u202e.md", "a\u200b.md", "..%2fx.md",
    ".git/x.md", "C:x.md", "a\\b.md", "a\nb.md", "x" * 200 + ".md", "a/b/c/d.md", "", "a.md ", "\uff0e\uff0e/x.md",
])  # fmt: skip
def test_a_bad_key_refuses_the_request_and_is_named(plain: Team, key: str) -> None:
    refused = plain.put("empty", {key: "x", "good.md": "y"})
    assert refused.status == 422 and list(refused.json["entries"]) == [key]
    assert plain.get().status == 404


@pytest.mark.parametrize(("one", "two"), [("a.md", "A.md"), ("é.md", "e\u0301.md"), ("straße.md", "STRASSE.md")])
def test_two_keys_of_one_file_are_never_both_stored(there: Team, one: str, two: str) -> None:
    assert there.put("empty", {one: "x", two: "y"}).status == 422
    checksum = there.put("empty", {one: "x"}).json["checksum"]
    refused = there.put(checksum, {two: "y", "b.md": "z"})
    assert refused.status == 422 and list(refused.json["entries"]) == [two]
    assert list(there.get().json["content"]["entries"]) == [one]


def test_a_text_is_data_whatever_it_says(there: Team) -> None:
    texts = {"a.md": "'); DROP TABLE entries; --", "b.md": "%s %(x)s :x ?", "c.md": '\\ " \u2028 \r\n', "d.md": "\x01"}
    there.put("empty", texts)
    assert there.get().json["content"]["entries"] == texts


def test_a_condition_is_required(plain: Team) -> None:
    for expected in ("", "*"):
        headers = {**bearer(plain.alice), **({"if-match": expected} if expected else {})}
        assert call(plain.app, "PUT", address(REPO), headers, [b'{"entries": {"a.md": "x"}}']).status == 428


def test_only_plain_json_is_taken(plain: Team) -> None:
    assert plain.put("empty", {"a.md": "x"}, content_type="text/plain").status == 415
    assert plain.put("empty", {"a.md": "x"}, content_encoding="gzip").status == 415
    assert plain.put("empty", {"a.md": "x"}, content_type="Application/JSON; charset=utf-8").status == 200


def test_other_methods_views_and_places_are_refused_in_json(plain: Team) -> None:
    assert call(plain.app, "DELETE", address(REPO), bearer(plain.alice)).json == {"error": "Method Not Allowed"}
    assert call(plain.app, "GET", "/", {}).json == {"error": "Not Found"}
    assert plain.get("all").status == 400


def test_health_asks_the_database(there: Team) -> None:
    assert (call(there.app, "GET", "/healthz", {}).status, call(there.app, "GET", "/healthz", {}).body) == (
        200, b'{"status":"ok"}'
    )  # fmt: skip


def test_without_its_database_it_says_503_and_no_address(tmp_path: Any, capfd: pytest.CaptureFixture[str]) -> None:
    engine = connect(str(tmp_path / "missing" / "secretname.sqlite"))
    app = application(Storage(engine, Limits()), Limits())
    token = "mht_" + "0" * 16 + "_" + "a" * 43
    for found in (call(app, "GET", "/healthz", {}), call(app, "GET", address(REPO), bearer(token))):
        assert found.status == 503 and found.headers["retry-after"] == "5"
        assert b"secretname" not in found.body
    assert "secretname" not in capfd.readouterr().err


def test_an_entry_over_the_limit_is_413_and_named(small: Team) -> None:
    assert small.put("empty", {"a.md": "x" * 50}).status == 200
    refused = small.put(over(a="x" * 50), {"b.md": "y", "c.md": "é" * 26})
    assert (refused.status, refused.json["entries"]) == (413, {"c.md": "52 bytes"})


def test_more_entries_or_bytes_than_a_repository_has_are_413(small: Team) -> None:
    assert small.put("empty", {f"{n}.md": "x" for n in range(4)}).status == 413
    checksum = small.put("empty", {"a.md": "x" * 40, "b.md": "y" * 40}).json["checksum"]
    assert small.put(checksum, {"c.md": "", "d.md": ""}).status == 413
    assert small.put(checksum, {"c.md": "z" * 41}).status == 413
    assert small.put(checksum, {"a.md": "x" * 50, "b.md": "y" * 20, "c.md": "z" * 50}).status == 200


@pytest.mark.parametrize("told", [True, False], ids=["told", "chunked"])
def test_a_body_over_the_limit_is_413_before_it_is_read(small: Team, told: bool) -> None:
    headers = bearer(small.alice, if_match='"empty"', **({"content_length": "401"} if told else {}))
    chunks: list[bytes | None] = [None] if told else [b" " * 400, b" ", None]  # waits for ever when read further
    assert call(small.app, "PUT", address(REPO), headers, chunks).status == 413


@pytest.mark.parametrize("length", ["9" * 400, "-1", "x", "²"])
def test_a_strange_length_is_not_believed(small: Team, length: str) -> None:
    headers = bearer(small.alice, if_match='"empty"', content_length=length.encode().decode("latin-1"))
    assert call(small.app, "PUT", address(REPO), headers, [b" " * 401]).status == 413


def test_a_body_that_does_not_come_is_408_and_ends_the_connection(small: Team) -> None:
    headers = bearer(small.alice, if_match='"empty"')
    late = call(small.app, "PUT", address(REPO), headers, [b'{"entries"', None])
    assert (late.status, late.headers["connection"]) == (408, "close")
    assert small.get().status == 404


def test_too_many_requests_of_one_token_are_429_and_only_that_ones(small: Team) -> None:
    assert [small.get().status for _ in range(10)] == [404] * 9 + [429]
    assert int(small.get().headers["retry-after"]) > 60
    assert small.put("empty", {"a.md": "x"}).status == 429
    assert small.get(token=small.bob).status == 404


def test_the_log_has_a_line_a_request_without_bodies_tokens_or_what_strangers_sent(
    plain: Team, capfd: pytest.CaptureFixture[str]
) -> None:
    plain.put("empty", {"a.md": "private words"})
    call(plain.app, "GET", address("evil%0aline"), bearer("mht_stolen"))
    call(plain.app, "GET", address("guessed/name"), bearer("mht_stolen"))
    log = capfd.readouterr().err
    lines = [line.split(" ", 1)[1] for line in log.splitlines()]
    assert [" ".join(line.split(" ")[:3]) for line in lines] == [f"PUT {REPO} 200", "GET - 400", "GET - 401"]
    assert lines[0].endswith("ms alice") and lines[1].endswith("ms -")
    assert all(word not in log for word in ("private", "a.md", plain.alice[4:], "stolen", "evil", "guessed"))
