"""A server that answers wrongly, slowly, too much or for somebody else: one clear problem each, and the token stays."""
from __future__ import annotations

import gzip
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from lib.team import exchange, sync, wire
from lib.team.exchange import Server
from lib.team.http_store import HttpStore
from lib.team.manifest import Manifest
from lib.team.problems import Moved, StoreProblem, TooLarge
from lib.team.store import Hashes
from tests.team.members import Member, local_of

TOKEN = "made-up-token-that-may-appear-nowhere"
REPO = "acme/app"
Answer = Callable[[BaseHTTPRequestHandler], None]


def whole(entries: dict[str, str], **changes: Any) -> bytes:
    sums = {key: wire.checksum(text) for key, text in entries.items()}
    value = {"organizationId": "o", "repo": REPO, "version": 3, "lastModified": "2026-11-30T00:00:00Z",
             "checksum": wire.overall(sums), "content": {"entries": entries, "entryChecksums": sums}}  # fmt: skip
    return json.dumps({**value, **changes}).encode()


def says(status: int, body: bytes = b"", kind: str = "application/json", **headers: str) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        told = {"Content-Type": kind, "Content-Length": str(len(body))}
        for name, value in {**told, **{name.replace("_", "-"): value for name, value in headers.items()}}.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(body)

    return answer


def raw(data: bytes) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.wfile.write(data)

    return answer


@dataclass
class Script:
    """A server on loopback that gives the next answer, the last one again and again; `seen` is what it was sent."""

    answers: list[Answer] = field(default_factory=list)
    seen: list[tuple[str, str, dict[str, str], bytes]] = field(default_factory=list)
    port: int = 0

    def store(self, seconds: float = 10.0) -> HttpStore:
        return HttpStore(Server(f"http://127.0.0.1:{self.port}", TOKEN, seconds), REPO)


@pytest.fixture
def script() -> Iterator[Script]:
    made = Script()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            made.seen.append((self.command, self.path, dict(self.headers), body))
            try:
                (made.answers.pop(0) if len(made.answers) > 1 else made.answers[0])(self)
            except OSError:
                return  # the client hung up

        do_PUT = do_GET

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.block_on_close = False
    made.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield made
    server.shutdown()
    server.server_close()
    thread.join()


def test_the_requests_are_what_the_contract_says(script: Script) -> None:
    body = whole({"a.md": "1"})
    state = json.loads(body)["checksum"]
    script.answers = [says(200, body), says(304), says(200, body), says(200, json.dumps({"checksum": state}).encode())]
    store = script.store()
    found = store.fetch_all()
    assert found and dict(found.entries) == {"a.md": "1"} and found.checksum == state
    assert store.fetch_all(state) is None
    assert store.fetch_hashes().entries == {"a.md": wire.checksum("1")}
    assert store.put({"b.md": "é"}, state) == state
    address = "/api/claude_code/team_memory?repo=acme%2Fapp"
    assert [(method, path) for method, path, _, _ in script.seen] == [
        ("GET", address), ("GET", address), ("GET", address + "&view=hashes"), ("PUT", address)
    ]  # fmt: skip
    assert all(headers["Authorization"] == f"Bearer {TOKEN}" for _, _, headers, _ in script.seen)
    assert all(headers["Accept-Encoding"] == "identity" for _, _, headers, _ in script.seen)
    assert script.seen[1][2]["If-None-Match"] == script.seen[3][2]["If-Match"] == f'"{state}"'
    assert json.loads(script.seen[3][3]) == {"entries": {"b.md": "é"}}


def test_nothing_stored_yet_is_empty_and_is_written_as_such(script: Script) -> None:
    script.answers = [says(404, b'{"error": "nothing"}'), says(404, b"{}"), says(200, whole({"a.md": "1"}))]
    store = script.store()
    assert store.fetch_hashes() == Hashes(wire.EMPTY, {})
    found = store.fetch_all()
    assert found and found.checksum == wire.EMPTY
    store.put({"a.md": "1"}, wire.EMPTY)
    assert script.seen[-1][2]["If-Match"] == '"empty"'


REFUSED: list[tuple[int, dict[str, str], type[StoreProblem], str]] = [
    (401, {}, StoreProblem, "does not accept the token"),
    (403, {}, StoreProblem, "does not accept the token"),
    (412, {}, Moved, "changed meanwhile"),
    (413, {}, TooLarge, "413"),
    (429, {"Retry_After": "77"}, StoreProblem, "wait 77 s"),
    (429, {"Retry_After": "Mon, 30 Nov 2026 00:00:00 GMT"}, StoreProblem, "wait 60 s"),
    (429, {"Retry_After": "9" * 400}, StoreProblem, "wait 21600 s"),
    (500, {}, StoreProblem, "answered 500"),
    (302, {"Location": "http://127.0.0.1:1/steal"}, StoreProblem, "another address"),
    (307, {"Location": "https://elsewhere.example/"}, StoreProblem, "another address"),
    (204, {}, StoreProblem, "answered 204"),
]


@pytest.mark.parametrize(("status", "headers", "kind", "said"), REFUSED)
def test_a_refusal_is_one_sentence(
    status: int, headers: dict[str, str], kind: type[StoreProblem], said: str, script: Script
) -> None:
    script.answers = [says(status, b"" if status == 204 else b"<html>no</html>", "text/html", **headers)]
    for ask in (script.store().fetch_hashes, lambda: script.store().put({"a.md": "1"}, wire.EMPTY)):
        with pytest.raises(kind, match=said) as caught:
            ask()
        assert TOKEN not in str(caught.value)
    assert len(script.seen) == 2, "nothing is asked twice, and nobody else at all"


def test_how_long_to_wait_is_what_the_server_asked(script: Script) -> None:
    script.answers = [says(429, Retry_After="77")]
    with pytest.raises(StoreProblem) as caught:
        script.store().fetch_hashes()
    assert caught.value.wait == 77


def test_a_page_that_is_no_servers_is_no_empty_store(script: Script) -> None:
    script.answers = [says(404, b"<html>not found</html>", "text/html")]
    with pytest.raises(StoreProblem, match="no team's server"):
        script.store().fetch_all()


def test_what_the_server_says_is_wrong_is_told_without_its_tricks(script: Script) -> None:
    script.answers = [says(422, json.dumps({"error": "key\x1b[2J is bad " + "x" * 500}).encode())]
    with pytest.raises(StoreProblem) as caught:
        script.store().put({"a.md": "1"}, wire.EMPTY)
    assert "answered 422: key[2J is bad" in str(caught.value) and len(str(caught.value)) < 260


GOOD = whole({"a.md": "1"})
WRONG: dict[str, tuple[Answer, str]] = {
    "truncated": (says(200, GOOD[:-9]), "no usable JSON"),
    "broken off": (says(200, GOOD[:-9], Content_Length=str(len(GOOD))), "broke off"),
    "no json": (says(200, b"hello"), "no usable JSON"),
    "duplicate keys": (says(200, GOOD.replace(b'"a.md": "1"', b'"a.md": "1", "a.md": "2"')), "one key twice"),
    "NaN": (says(200, GOOD.replace(b'"version": 3', b'"version": NaN')), "NaN"),
    "Infinity": (says(200, GOOD.replace(b'"version": 3', b'"version": -Infinity')), "Infinity"),
    "deep": (says(200, b"[" * 200_000), "no usable JSON"),
    "deep object": (says(200, b'{"content":' * 100_000), "no usable JSON"),
    "not UTF-8": (says(200, GOOD.replace(b"acme", b"\xff\xfe")), "no usable JSON"),
    "wrong type": (says(200, GOOD, "text/html; charset=utf-8"), "'text/html' instead"),
    "no type": (says(200, GOOD, ""), "no content type"),
    "a list": (says(200, b"[]"), "`content`"),
    "no content": (says(200, json.dumps({"checksum": "sha256:" + "0" * 64}).encode()), "`content`"),
    "no checksum": (says(200, whole({}, checksum=None)), "`checksum`"),
    "header in checksum": (says(200, whole({}, checksum='x"\r\nX-Evil: 1')), "`checksum`"),
    "entries a list": (says(200, whole({}, content={"entries": [], "entryChecksums": []})), "Checksums`"),
    "no text": (says(200, whole({}, content={"entries": {"a.md": 5}, "entryChecksums": {"a.md": "x"}})), "of texts"),
    "gzip bomb": (says(200, gzip.compress(b" " * 20_000_000), Content_Encoding="gzip"), "'gzip', which was not"),
    "too large": (says(200, b"x", Content_Length=str(exchange.ANSWER + 1)), "bytes, over"),
    "not asked": (says(304), "not told since when"),
    "no HTTP": (raw(b"SSH-2.0-OpenSSH_9\r\n"), "cannot be reached"),
    "endless header": (raw(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 90_000), "cannot be reached"),
    "hangs up": (raw(b""), "cannot be reached"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_answer_is_one_clear_problem(name: str, script: Script) -> None:
    answer, said = WRONG[name]
    script.answers = [answer]
    with pytest.raises(StoreProblem) as caught:
        script.store().fetch_all()
    assert said in str(caught.value) and TOKEN not in str(caught.value) and "\n" not in str(caught.value)


def _drip(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.send_header("Content-Type", "application/json")
    request.send_header("Content-Length", "1000")
    request.end_headers()
    for _ in range(200):
        request.wfile.write(b" ")
        request.wfile.flush()
        time.sleep(0.05)


def _slow_head(request: BaseHTTPRequestHandler) -> None:
    for letter in b"HTTP/1.1 200 OK\r\n" * 20:
        request.wfile.write(bytes([letter]))
        request.wfile.flush()
        time.sleep(0.05)


@pytest.mark.parametrize("answer", [_drip, _slow_head])
def test_a_server_that_drips_is_hung_up_on(answer: Answer, script: Script) -> None:
    script.answers = [answer]
    started = time.monotonic()
    with pytest.raises(StoreProblem, match="did not answer within"):
        script.store(seconds=0.5).fetch_all()
    assert time.monotonic() - started < 8


def test_more_than_may_come_is_not_read(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "ANSWER", 10_000)

    def endless(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "application/json")
        request.end_headers()
        for _ in range(100):
            request.wfile.write(b" " * 1_000)

    script.answers = [endless]
    with pytest.raises(StoreProblem, match="more than 10000 bytes"):
        script.store().fetch_all()


def test_an_entry_that_is_not_what_its_checksum_says_is_left_out(script: Script) -> None:
    body = json.loads(whole({"a.md": "1", "b.md": "2"}))
    body["content"]["entries"]["b.md"] = "changed on the way"
    body["content"]["entries"]["c.md"] = "without a checksum"
    body["content"]["entryAuthors"] = {"a.md": "Ann"}
    script.answers = [says(200, json.dumps(body).encode())]
    found = script.store().fetch_all()
    assert found and dict(found.entries) == {"a.md": "1"} and set(found.damaged) == {"b.md", "c.md"}
    assert dict(found.authors) == {"a.md": "Ann"}


def test_a_store_that_has_always_moved_is_left_after_three_attempts(script: Script) -> None:
    def answer(request: BaseHTTPRequestHandler) -> None:
        says(412, b"{}")(request) if request.command == "PUT" else says(200, GOOD)(request)

    script.answers = [answer]
    done = sync.push(script.store(), lambda: local_of({"mine.md": "1"}), Manifest())
    assert done.moved and [method for method, *_ in script.seen] == ["GET", "PUT"] * 3


def test_nobody_listens(script: Script) -> None:
    with pytest.raises(StoreProblem, match="127.0.0.1:9 cannot be reached"):
        HttpStore(Server("http://127.0.0.1:9", TOKEN, 2.0), REPO).fetch_all()


@pytest.mark.parametrize("url", ["https://memory.example.com", "https://example.com:8443/base/", "http://127.0.0.1:8",
                                 "http://localhost:80", "http://[::1]:80"])  # fmt: skip
def test_a_token_may_go_to(url: str) -> None:
    assert exchange.checked_url(url) == url.rstrip("/")


@pytest.mark.parametrize("url", ["", "memory.example.com", "http://memory.example.com", "http://127.0.0.1.example.com",
                                 "ftp://x.example", "https://ann:pw@example.com", "https://example.com/?a=b",
                                 "https://", "https://example.com/\r\nX: 1", "http://10.0.0.1", "file:///etc",
                                 "https://example.com:x", "https://example.com:0"])  # fmt: skip
def test_a_token_may_not_go_to(url: str) -> None:
    with pytest.raises(ValueError) as caught:
        exchange.checked_url(url)
    assert "pw" not in str(caught.value)


def test_the_token_is_not_shown(script: Script) -> None:
    assert TOKEN not in repr(script.store())


def test_a_hostile_server_writes_nothing_but_good_entries(script: Script, tmp_path: Path) -> None:
    script.answers = [says(200, whole({"../../x.md": "1", "a.md": "fine", "/etc/x.md": "1", "A.md": "2"}))]
    member = Member(tmp_path / "ann")
    done = member.exchange(script.store())
    assert done.pulled == 1 and set(done.held) == {"../../x.md", "/etc/x.md", "a.md"}
    assert sorted(path.name for path in tmp_path.rglob("*.md")) == ["A.md", "MEMORY.md"]
