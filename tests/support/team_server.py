"""The team's server in a test: as an application that is called, and as the real processes on loopback."""
from __future__ import annotations

import asyncio
import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from lib.team.wire import ADDRESS

ROOT = Path(__file__).resolve().parent.parent.parent
READY_SECONDS = 30


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def address(repo: str, view: str = "") -> str:
    return f"{ADDRESS}?repo={repo}" + (f"&view={view}" if view else "")


def bearer(token: str, **more: str) -> dict[str, str]:
    """Headers; `if_match="…"` becomes If-Match."""
    named = {name.replace("_", "-"): value for name, value in more.items()}
    return {"authorization": f"Bearer {token}", "content-type": "application/json", **named}


def call(
    app: Any, method: str, target: str, headers: Mapping[str, str], chunks: Iterable[bytes | None] = (b"",)
) -> Answer:
    """One request to an ASGI application without a network; a chunk of None is a body that never goes on."""
    path, _, query = target.partition("?")
    waiting = list(chunks)
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        chunk = waiting.pop(0) if waiting else None
        if chunk is None:
            await asyncio.sleep(60)
        return {"type": "http.request", "body": chunk, "more_body": bool(waiting)}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": query.encode(),
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()], "http_version": "1.1",
        "scheme": "http", "root_path": "", "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "asgi": {},
    }  # fmt: skip
    asyncio.run(app(scope, receive, send))
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], found, b"".join(message.get("body", b"") for message in sent[1:]))


class Server:
    """`python -m lib.team.server` with its worker processes, on a port of its own; told to end when closed."""

    def __init__(self, database: str, log: Path, *arguments: str, workers: int = 2) -> None:
        self.database, self.log = database, log
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        command = [sys.executable, "-m", "lib.team.server", "--port", str(self.port), "--workers", str(workers)]
        with open(log, "ab") as stderr:
            self.process = subprocess.Popen(
                [*command, *arguments], cwd=ROOT, env=self._environment(), stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=stderr,
            )  # fmt: skip
        self._wait()

    def token(self, repo: str, name: str) -> str:
        """A new token, made as a person does."""
        command = [sys.executable, "-m", "lib.team.server", "token", "create", repo, "--name", name]
        done = subprocess.run(command, cwd=ROOT, env=self._environment(), capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def ask(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes | None = None,
        over: http.client.HTTPConnection | None = None,
    ) -> Answer:  # fmt: skip
        connection = over or self.connection()
        connection.request(method, target, body, dict(headers))
        answer = connection.getresponse()
        found = Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        if over is None:
            connection.close()
        return found

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def close(self) -> int:
        """End it by SIGTERM and tell its exit status."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise

    def __enter__(self) -> Server:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _environment(self) -> dict[str, str]:
        return {**os.environ, "MEMORY_TEAM_DATABASE": self.database}

    def _wait(self) -> None:
        until = time.monotonic() + READY_SECONDS
        while True:
            try:
                if self.ask("GET", "/healthz", {}).status == 200:
                    return
            except OSError:
                pass
            if self.process.poll() is not None or time.monotonic() > until:
                self.close()
                raise RuntimeError(self.log.read_text(errors="replace")[-2000:])
            time.sleep(0.05)
