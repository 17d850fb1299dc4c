"""Many writers at once: each success builds on the state it named. By connections of their own, then by processes."""
from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from lib.team.server.answers import Refusal
from lib.team.server.limits import Limits
from lib.team.server.storage import Storage, Stored
from lib.team.server.tables import connect, make_tables
from tests.support.team_server import Answer, Server, address, bearer

pytestmark = pytest.mark.heavy

REPO = "acme/app"
WRITERS, LINES = 8, 3
Write = Callable[[str, str], str]  # (text, expected state) -> the state that was in the way, or ""


class Naive(Storage):
    """Compares first and writes afterwards, as it is right only where nobody else writes."""

    def put(self, repo: str, author: str, texts: Mapping[str, str], expected: str) -> Stored:
        with self._writes.begin() as connection:
            row = self._locked(connection, repo)
        if row.checksum != expected:
            raise Refusal(412, "", checksum=row.checksum)
        time.sleep(0.002)  # where another process has its turn
        with self._writes.begin() as connection:
            return self._apply(connection, repo, author, texts, self._locked(connection, repo))


def together(work: Callable[[int], None]) -> None:
    """Run `work` in every writer at once; the first error is raised."""
    errors: list[BaseException] = []
    start = threading.Barrier(WRITERS)

    def run(number: int) -> None:
        start.wait()
        try:
            work(number)
        except BaseException as error:  # noqa: BLE001 - raised below
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def append(read: Callable[[], tuple[str, str]], write: Callable[[str, str], bool], writer: int) -> None:
    """Add LINES lines to the one text that all writers share: read, add, write, again when the state was another."""
    for number in range(LINES):
        for _ in range(2_000):
            state, text = read()
            if write(f"{text}{writer}.{number}\n", state):
                break
        else:
            raise AssertionError("never had a turn")


def race(database: str, kind: type[Storage]) -> tuple[list[str], int]:
    """(the lines at the end, the version) after all writers are through; two engines are two processes' connections."""
    engines = [connect(database), connect(database)]
    make_tables(engines[0])
    storages = [kind(engine, Limits()) for engine in engines]

    def work(writer: int) -> None:
        storage = storages[writer % 2]

        def read() -> tuple[str, str]:
            state, answer = storage.full(REPO)
            return state, json.loads(answer)["content"]["entries"]["log.md"] if answer else ""

        def write(text: str, state: str) -> bool:
            try:
                storage.put(REPO, f"w{writer}", {"log.md": text}, state)
            except Refusal as refusal:
                assert refusal.status == 412
                return False
            return True

        append(read, write, writer)

    together(work)
    told = json.loads(storages[0].full(REPO)[1])
    for engine in engines:
        engine.dispose()
    return told["content"]["entries"]["log.md"].splitlines(), told["version"]


ALL = sorted(f"{writer}.{number}" for writer in range(WRITERS) for number in range(LINES))


def test_no_write_is_lost(database: str) -> None:
    lines, version = race(database, Storage)
    assert sorted(lines) == ALL
    assert version == len(ALL)


def test_comparing_before_writing_loses_some(database: str) -> None:
    lines, _ = race(database, Naive)
    assert len(lines) < len(ALL)


def test_tables_may_be_made_by_all_at_once(database: str) -> None:
    def work(_: int) -> None:
        engine = connect(database)
        make_tables(engine)
        Storage(engine, Limits()).answers()
        engine.dispose()

    together(work)


def changed(server: Server, token: str, writer: int) -> None:
    """As `append`, over HTTP, with an entry of each writer's own beside the shared one."""
    connection = server.connection()

    def ask(method: str, body: Any = None, **headers: str) -> Answer:
        raw = None if body is None else json.dumps(body).encode()
        return server.ask(method, address(REPO), bearer(token, **headers), raw, connection)

    def read() -> tuple[str, str]:
        answer = ask("GET")
        if answer.status == 404:
            return "empty", ""
        return answer.json["checksum"], answer.json["content"]["entries"]["log.md"]

    def write(text: str, state: str) -> bool:
        answer = ask("PUT", {"entries": {"log.md": text, f"w{writer}/{len(text)}.md": text}}, if_match=f'"{state}"')
        assert answer.status in (200, 412), answer
        return answer.status == 200

    append(read, write, writer)
    connection.close()


def test_worker_processes_lose_nothing_and_end_only_after_what_they_began(database: str, tmp_path: Path) -> None:
    log = tmp_path.parent / f"{tmp_path.name}-server.log"
    with Server(database, log, "--rate", "0") as server:
        token = server.token(REPO, "alice")
        together(lambda writer: changed(server, token, writer))
        before = server.ask("GET", address(REPO), bearer(token)).json
        assert ended_in_the_midst(server, token, before["checksum"]) == (200, 0)
    entries = before["content"]["entries"]
    assert sorted(entries["log.md"].splitlines()) == ALL
    assert before["version"] == len(ALL) == len(entries) - 1
    storage = Storage(connect(database), Limits())
    after = json.loads(storage.full(REPO)[1])
    storage.close()
    assert after["version"] == before["version"] + 1
    assert after["content"]["entries"] == {**entries, "last.md": "said while it ended"}
    told = log.read_text()
    assert "Traceback" not in told and token.split("_", 2)[2] not in told
    assert told.count(" PUT acme/app 200 ") == len(ALL) + 1


def ended_in_the_midst(server: Server, token: str, state: str) -> tuple[int, int]:
    """(status of a request that was under way, exit status of the server) when it is told to end meanwhile."""
    raw = json.dumps({"entries": {"last.md": "said while it ended"}}).encode()
    head = bearer(token, if_match=f'"{state}"', content_length=str(len(raw)), host="x")
    lines = [f"PUT {address(REPO)} HTTP/1.1", *(f"{name}: {value}" for name, value in head.items()), "", ""]
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        connection.sendall("\r\n".join(lines).encode() + raw[:5])
        time.sleep(0.2)
        server.process.terminate()
        time.sleep(0.5)
        connection.sendall(raw[5:])
        status = int(connection.makefile("rb").readline().split()[1])
    return status, server.close()
