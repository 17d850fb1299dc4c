"""The real server: it keeps the contract, it tells who wrote what, and a pull without news moves next to nothing."""
from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lib.team import wire
from lib.team.exchange import Server as Address
from lib.team.http_store import HttpStore
from lib.team.problems import Moved, StoreProblem
from tests.team.members import Member, text_of

REPO = "acme/app"
LITTLE = 2_000  # bytes of a pull without news


class Relay:
    """Passes connections on to a port of this machine and counts the bytes of both directions."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.count = 0
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def _accept(self) -> None:
        while True:
            near, _ = self._listener.accept()
            if not self.port:
                near.close()
                return
            self._threads.append(threading.Thread(target=self._serve, args=(near,)))
            self._threads[-1].start()

    def _serve(self, near: socket.socket) -> None:
        with near, socket.create_connection(("127.0.0.1", self._to)) as far:
            back = threading.Thread(target=self._pass, args=(far, near))
            back.start()
            self._pass(near, far)
            back.join()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while data := one.recv(65_536):
                self.count += len(data)
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            return

    def close(self) -> None:
        port, self.port = self.port, 0
        socket.create_connection(("127.0.0.1", port)).close()
        for thread in self._threads:
            thread.join(10)
        self._listener.close()


@pytest.fixture
def relay(tmp_path: Path) -> Iterator[tuple[Relay, str, str]]:
    pytest.importorskip("uvicorn", reason="the team's server has requirements of its own")
    from tests.support.team_server import Server

    with Server(str(tmp_path / "team.sqlite"), tmp_path / "log", "--rate", "0", workers=1) as server:
        made = Relay(server.port)
        yield made, server.token(REPO, "Ann Lee"), server.token(REPO, "Bob Ray")
        made.close()


def test_the_real_server_keeps_the_contract(relay: tuple[Relay, str, str], tmp_path: Path) -> None:
    through, *tokens = relay
    address = f"http://127.0.0.1:{through.port}"
    ann, bob = (HttpStore(Address(address, token), REPO) for token in tokens)
    first, second = Member(tmp_path / "ann"), Member(tmp_path / "bob")
    for number in range(50):
        first.write(f"api/m{number}.md", text_of(f"m{number}", f"Fact number {number} " * 20))
    assert len(first.exchange(ann).pushed) == 50
    assert second.exchange(bob).pulled == 50 and second.texts() == first.texts()
    assert second.known().authors["api/m7.md"] == "Ann Lee"
    through.count = 0
    assert second.exchange(bob).pulled == 0
    assert 0 < through.count < LITTLE, "a pull without news"
    with pytest.raises(Moved):
        bob.put({"x.md": "1"}, wire.EMPTY)
    with pytest.raises(StoreProblem, match="does not accept the token"):
        HttpStore(Address(address, "mht_wrong"), REPO).fetch_all()
    with pytest.raises(StoreProblem, match="403"):
        HttpStore(Address(address, tokens[0]), "acme/other").fetch_all()
