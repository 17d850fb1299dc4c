"""Clients of one repository that edit at once: everything that the store said it has must be there in the end.

usage: python tests/team/hammer.py [--rounds N] [--clients N] [--store git|http] [--naive]
exit status 0 when all converge and nothing is lost, 1 when not (as it must be with --naive)
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from lib.team import place  # noqa: E402
from lib.team.exchange import Server as Address  # noqa: E402
from lib.team.git_store import GitStore  # noqa: E402
from lib.team.http_store import HttpStore  # noqa: E402
from lib.team.problems import StoreProblem  # noqa: E402
from lib.team.store import Store  # noqa: E402
from tests.team.members import Member, Naive, bare  # noqa: E402

REPO = "team/hammer"
BOARD = "board.md"
ATTEMPTS = 500  # exchanges until one line stands on the board


def opened(kind: str, where: str, token: str, folder: Path, naive: bool) -> Store:
    git = kind == "git"
    store: Store = GitStore(str(folder / "team.git"), where) if git else HttpStore(Address(where, token), REPO)
    return Naive(store) if naive else store


def client(number: int, rounds: int, folder: Path, store: Store) -> int:
    """Each round: a memory of one's own, and a line on the board that all write on; the lines that are confirmed."""
    member, chance = Member(folder), random.Random(number)
    refused = 0
    for turn in range(rounds):
        member.write(f"c{number}/r{turn % 20}.md", f"client {number}, round {turn}\n")
        line = f"{number}-{turn}"
        for attempt in range(ATTEMPTS):
            board = member.texts().get(BOARD, "")
            if line not in board.split("\n"):
                member.write(BOARD, board + line + "\n")
            try:
                done = member.quick_exchange(store)
            except StoreProblem as problem:
                time.sleep(problem.wait or 0.05)
                continue
            if BOARD in done.sent:
                break
            refused += 1
            time.sleep(chance.random() * min(1.0, 0.1 * (attempt + 1)))
        else:
            return -1
    print(refused, flush=True)
    return refused


def verdict(store: Store, folders: list[Path], rounds: int) -> list[str]:
    """What is lost or differs, in words."""
    found: list[str] = []
    snapshot = store.fetch_all()
    entries = dict(snapshot.entries) if snapshot else {}
    lines = entries.get(BOARD, "").split("\n")
    for number, folder in enumerate(folders):
        lost = [turn for turn in range(rounds) if f"{number}-{turn}" not in lines]
        if lost:
            found.append(f"client {number}: {len(lost)} of {rounds} confirmed lines are gone, such as {lost[0]}")
        for slot in range(min(20, rounds)):
            last = slot + (rounds - 1 - slot) // 20 * 20
            if entries.get(f"c{number}/r{slot}.md") != f"client {number}, round {last}\n":
                found.append(f"client {number}: its memory of round {last} is gone")
        member = Member(folder)
        member.quick_exchange(store)
        if dict(place.read(member.memory).texts) != entries:
            found.append(f"client {number} has not the same as the store")
    return found


def hammer(kind: str, where: str, token: str, base: Path, clients: int, rounds: int, naive: bool) -> list[str]:
    """Run the clients as processes and judge what is left."""
    folders = [base / f"client{number}" for number in range(clients)]
    running = []
    for number, folder in enumerate(folders):
        folder.mkdir(parents=True)
        command = [sys.executable, str(Path(__file__)), "--client", str(number), "--rounds", str(rounds),
                   "--store", kind, "--where", where, "--folder", str(folder),
                   *(["--naive"] if naive else [])]  # fmt: skip
        running.append(
            subprocess.Popen(command, env={**os.environ, "HAMMER_TOKEN": token}, stdout=subprocess.PIPE, text=True)
        )
    refused = 0
    for process in running:
        out, _ = process.communicate()
        if process.returncode:
            return [f"a client ended with {process.returncode}"]
        refused += int(out)
    print(f"{kind}: {refused} lines had to be written again because somebody was first")
    judge = base / "judge"
    judge.mkdir()
    return verdict(opened(kind, where, token, judge, False), folders, rounds)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--clients", type=int, default=10)
    parser.add_argument("--store", choices=["git", "http"], default="git")
    parser.add_argument("--naive", action="store_true")
    parser.add_argument("--client", type=int, default=-1)
    parser.add_argument("--where", default="")
    parser.add_argument("--folder", default="")
    given = parser.parse_args()
    if given.client >= 0:
        folder = Path(given.folder)
        store = opened(given.store, given.where, os.environ.get("HAMMER_TOKEN", ""), folder, given.naive)
        return 0 if client(given.client, given.rounds, folder, store) >= 0 else 3
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as base:
        if given.store == "git":
            where = str(bare(Path(base) / "hub.git"))
            found = hammer("git", where, "", Path(base) / "team", given.clients, given.rounds, given.naive)
        else:
            from tests.support.team_server import Server

            with Server(str(Path(base) / "team.sqlite"), Path(base) / "log", "--rate", "0") as server:
                where, token = f"http://127.0.0.1:{server.port}", server.token(REPO, "hammer")
                found = hammer("http", where, token, Path(base) / "team", given.clients, given.rounds, given.naive)
    print(f"{given.clients} clients, {given.rounds} rounds, {time.monotonic() - started:.0f} s")
    print("\n".join(found) or "all have the same, nothing is lost")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
