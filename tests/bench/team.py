"""How fast the team's server answers: 1,000 repositories of 50 memories, two worker processes, SQLite and PostgreSQL.

usage: python tests/bench/team.py [REPOSITORIES]        default 1000; exit status 0 = every number held, 1 = not

Its own client (plain sockets, connections kept) runs on the same machine, so client and server share its processors.
Server and client need requirements-dev.txt; PostgreSQL is measured where it is installed, with its defaults.
"""
from __future__ import annotations

import asyncio
import os
import platform
import random
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from lib.team.server import tokens
from lib.team.server.limits import Limits
from lib.team.server.storage import Storage
from lib.team.server.tables import connect, make_tables
from lib.team.wire import EMPTY
from tests.support import postgres
from tests.support.team_server import Server, address

MEMORIES = 50
P50 = 5.0  # ms
RATE = 500.0  # requests a second
UNCHANGED = 2_000  # bytes, both ways, of a pull that finds nothing new
CONNECTIONS = 4  # at once; more only wait in line on two processors
SECONDS = 5.0
TEXT = "Deploys go through the staging branch.\n\n**Why:** the last two went wrong.\n" * 8


@dataclass(frozen=True)
class Place:
    """One repository as a client knows it."""

    repo: str
    token: str
    checksum: str

    def request(self, view: str = "", known: str = "") -> bytes:
        lines = [f"GET {address(self.repo, view)} HTTP/1.1", "Host: x", f"Authorization: Bearer {self.token}"]
        return "\r\n".join([*lines, *([f'If-None-Match: "{known}"'] if known else []), "", ""]).encode()


def filled(database: str, repositories: int) -> list[Place]:
    engine = connect(database)
    make_tables(engine)
    storage = Storage(engine, Limits())
    found = []
    for number in range(repositories):
        repo = f"owner{number % 50}/project{number}"
        texts = {f"memory-{index}.md": f"{repo} {index}\n{TEXT}" for index in range(MEMORIES)}
        token = tokens.create(engine, repo, "bench")
        found.append(Place(repo, token, storage.put(repo, "bench", texts, EMPTY).checksum))
    storage.close()
    return found


async def asked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> tuple[int, int]:
    """(status, bytes of the whole answer)."""
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    at = head.find(b"content-length: ")
    length = int(head[at + 16 : head.index(b"\r", at)]) if at >= 0 else 0
    if length:
        await reader.readexactly(length)
    return int(head[9:12]), len(head) + length


async def load(port: int, places: list[Place], connections: int, seconds: float) -> list[float]:
    """Milliseconds of each request for hashes of random repositories, on so many connections for so long."""
    took: list[float] = []
    until = time.perf_counter() + seconds

    async def one(seed: int) -> None:
        choice = random.Random(seed).choice
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while time.perf_counter() < until:
            request = choice(places).request("hashes")
            started = time.perf_counter()
            status, size = await asked(reader, writer, request)
            took.append((time.perf_counter() - started) * 1000)
            if status != 200 or size < MEMORIES * 70:
                raise RuntimeError(f"status {status}, {size} bytes: the measurement is void")
        writer.close()
        await writer.wait_closed()

    await asyncio.gather(*(one(seed) for seed in range(connections)))
    return took


async def unchanged(port: int, place: Place) -> tuple[int, int]:
    """(status, bytes sent and received) of a pull that finds nothing new."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    request = place.request(known=place.checksum)
    status, size = await asked(reader, writer, request)
    writer.close()
    await writer.wait_closed()
    return status, len(request) + size


def held(told: str, value: float, limit: float, *, least: bool = False, unit: str = "") -> bool:
    good = value >= limit if least else value <= limit
    word = "at least" if least else "at most"
    print(f"  {told:<58} {value:8.1f} {unit:<6} {word} {limit:g}  {'HELD' if good else 'NOT HELD'}")
    return good


def measure(name: str, database: str, repositories: int, log: Path) -> bool:
    started = time.perf_counter()
    places = filled(database, repositories)
    print(f"{name}: {repositories} repositories x {MEMORIES} memories, stored in {time.perf_counter() - started:.0f} s")
    with Server(database, log, "--rate", "0") as server:
        asyncio.run(load(server.port, places, CONNECTIONS, 1.0))
        alone = asyncio.run(load(server.port, places, 1, SECONDS))
        started = time.perf_counter()
        many = asyncio.run(load(server.port, places, CONNECTIONS, SECONDS))
        rate = len(many) / (time.perf_counter() - started)
        status, moved = asyncio.run(unchanged(server.port, places[0]))
    tail = quantiles(many, n=100)[98]
    found = [
        held("GET hashes, one after the other: p50", median(alone), P50, unit="ms"),
        held(f"GET hashes, {CONNECTIONS} connections: requests a second", rate, RATE, least=True),
        held(f"GET hashes, {CONNECTIONS} connections: p50", median(many), P50, unit="ms"),
        held("a pull that finds nothing new, both ways", moved, UNCHANGED, unit="bytes") and status == 304,
    ]
    print(f"  {f'GET hashes, {CONNECTIONS} connections: p99':<58} {tail:8.1f} ms")
    return all(found)


def main(arguments: list[str]) -> int:
    repositories = int(arguments[0]) if arguments else 1000
    load_now = os.getloadavg()[0]
    print(f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}, load {load_now:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        good = measure("SQLite", str(Path(folder) / "team.sqlite"), repositories, Path(folder) / "log")
        if postgres.programs() is None:
            print(f"PostgreSQL: not measured. {postgres.MISSING}")
        else:
            with postgres.Cluster(options=()) as cluster:
                good &= measure("PostgreSQL", cluster.database(), repositories, Path(folder) / "log")
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
