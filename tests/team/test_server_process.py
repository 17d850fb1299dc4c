"""The server as a person starts it: its command line, its database's address, connections that send nothing."""
from __future__ import annotations

import asyncio
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from uvicorn.config import Config
from uvicorn.server import ServerState

from lib.team.server import __main__ as command
from lib.team.server import options, patience
from lib.team.server.tables import DatabaseAddressError, connect
from tests.support.team_server import ROOT

TOKEN = "mht_"


@pytest.fixture(autouse=True)
def _umask() -> Iterator[None]:
    """The command sets its own, for its process; here that is the tests' process."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def run(*arguments: str) -> int:
    return command.main(list(arguments))


def test_a_token_is_shown_once_listed_without_its_secret_and_revoked(
    database: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(options.DATABASE, database)
    assert run("token", "create", "Acme/App", "--name", "alice") == 0
    token = capsys.readouterr().out.strip()
    assert run("token", "create", "acme/other", "--name", "bob") == 0
    capsys.readouterr()
    assert run("token", "list", "ACME/app") == 0
    id, made, repo, name = capsys.readouterr().out.split()
    assert token.startswith(f"{TOKEN}{id}_") and (repo, name) == ("acme/app", "alice") and made.endswith("+00:00")
    assert run("token", "revoke", id) == 0
    assert run("token", "revoke", id) == 1
    assert f"There is no token '{id}'" in capsys.readouterr().err
    assert run("token", "list") == 0
    listed = capsys.readouterr().out
    assert listed.count("\n") == 1 and "bob" in listed and token.split("_", 2)[2] not in listed


def test_nothing_on_disk_holds_the_secret_and_only_its_owner_reads_the_file(
    tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path_factory.mktemp("database")
    assert run("token", "create", "acme/app", "--name", "alice", "--database", str(folder / "x.sqlite")) == 0
    secret = capsys.readouterr().out.strip().split("_", 2)[2].encode()
    kept = [path for path in folder.iterdir() if path.is_file()]
    assert kept and all(secret not in path.read_bytes() for path in kept)
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}


@pytest.mark.parametrize(("arguments", "said"), [
    (["token", "create", "acme", "--name", "alice"], "write owner/name"),
    (["token", "create", "acme/app", "--name", "<b>"], "cannot be a token's name"),
    (["token", "list", "--database", "mysql://a:hidden@b/c"], "'mysql' is no database"),
    (["token", "list", "--database", "sqlite://"], "in memory is lost"),
    (["token", "list", "--database", "/nowhere/at/all.sqlite"], "unable to open database file"),
    (["token", "list", "--database", "postgresql://u:hidden@127.0.0.1:1/x"], "cannot be used"),
    (["token", "list", "--database", "://"], "cannot be read"),
])  # fmt: skip
def test_what_cannot_be_is_said_in_one_line(
    arguments: list[str], said: str, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv(options.DATABASE, str(tmp_path_factory.mktemp("database") / "x.sqlite"))
    assert run(*arguments) == 1
    told = capsys.readouterr().err
    assert said in told and told.count("\n") == 1 and "hidden" not in told


def test_a_wrong_command_line_is_exit_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in (["token"], ["token", "create", "acme/app"], ["sell"], ["serve", "--port", "x"]):
        with pytest.raises(SystemExit) as caught:
            run(*wrong)
        assert caught.value.code == 2
    assert "usage: python -m lib.team.server" in capsys.readouterr().err


def test_serving_is_what_it_does_by_default_and_for_this_machine_only() -> None:
    asked = command.arguments([])
    assert (asked.verb, asked.host, asked.port, asked.workers) == ("serve", "127.0.0.1", 8765, 2)
    assert command.arguments(["--port", "1"]).port == 1


def test_options_reach_the_worker_processes_through_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", {})
    given = options.read({options.DATABASE: "x.sqlite", options.RATE: "2.5", options.ENTRIES: "7"})
    options.hand_on(given)
    assert options.read(os.environ) == given
    assert (given.database, given.limits.rate, given.limits.entries) == ("x.sqlite", 2.5, 7)
    assert options.read({}) == options.Options()


@pytest.mark.parametrize("value", ["x", "-1", "nan", "inf", "1e99"])
def test_a_limit_that_is_no_number_is_named(value: str) -> None:
    with pytest.raises(ValueError, match=options.RATE):
        options.read({options.RATE: value})


@pytest.mark.parametrize(("address", "driver"), [
    ("/x/team.sqlite", "sqlite"), ("team.sqlite", "sqlite"), ("sqlite:////x/team.sqlite", "sqlite"),
    ("postgresql://u:p@h/d", "postgresql+psycopg"), ("postgresql+psycopg2://h/d", "postgresql+psycopg"),
])  # fmt: skip
def test_an_address_is_a_file_or_a_url(address: str, driver: str) -> None:
    assert connect(address).url.drivername == driver


def test_an_address_that_cannot_be_read_is_not_repeated() -> None:
    with pytest.raises(DatabaseAddressError) as caught:
        connect("postgresql://u:hidden@h:notaport/d")
    assert "hidden" not in str(caught.value)


def test_without_its_requirements_it_says_what_to_install() -> None:
    bare = [sys.executable, "-I", "-S", "-c", "import sys, runpy; sys.path.insert(0, sys.argv.pop(1)); "
            "sys.argv = ['x', 'token', 'list']; runpy.run_module('lib.team.server', run_name='__main__')"]  # fmt: skip
    done = subprocess.run([*bare, str(ROOT)], capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout == ""
    assert "python -m pip install -r requirements-server.txt" in done.stderr and done.stderr.count("\n") == 1


class Line(asyncio.Transport):
    """A connection that remembers only whether it was closed."""

    closed = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True


async def _nobody(scope: Any, receive: Any, send: Any) -> None:
    await asyncio.sleep(60)


@pytest.mark.parametrize(("sent", "closed"), [
    (b"", True), (b"GET / HT", True), (b"GET / HTTP/1.1\r\nhost: x\r\nx-slow: ", True),
    (b"GET / HTTP/1.1\r\nhost: x\r\n\r\n", False),
], ids=["nothing", "a word", "a header", "a whole head"])  # fmt: skip
def test_a_head_that_does_not_come_ends_the_connection(
    sent: bytes, closed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "HEAD_SECONDS", 0.01)

    async def connected() -> bool:
        config = Config(_nobody, log_level="critical", ws="none")
        config.load()
        state = ServerState()
        protocol = patience.Patience(config=config, server_state=state, app_state={})
        transport = Line()
        protocol.connection_made(transport)
        if sent:
            protocol.data_received(sent)
        await asyncio.sleep(0.1)
        for task in state.tasks:
            task.cancel()
        return transport.closed

    assert asyncio.run(connected()) is closed


def test_the_package_is_loaded_by_nothing_else() -> None:
    code = "import lib.worker, memory, sys; print([m for m in sys.modules if 'sqlalchemy' in m or 'starlette' in m])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
