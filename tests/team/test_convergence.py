"""Members that edit at once end alike and lose nothing; without the state it was made for, a write loses others'."""
from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from lib.team import sync
from lib.team.manifest import Manifest
from tests.team.members import Naive, Shelf, local_of

ROOT = Path(__file__).resolve().parents[2]
BOARD = "board.md"


@dataclass
class Desk:
    """A member without a disk."""

    number: int
    texts: dict[str, str] = field(default_factory=dict)
    base: Manifest = field(default_factory=Manifest)

    def exchange(self, store: Shelf | Naive) -> sync.Pushed:
        done = sync.push(store, lambda: local_of(self.texts), self.base)
        self.base = done.manifest
        if pulled := sync.pull(store, local_of(self.texts), self.base, keep_pending=True):
            self.texts.update(pulled.write)
            self.base = replace(self.base, entries=dict(pulled.entries), checksum=pulled.snapshot.checksum)
        return done

    def add(self, store: Shelf | Naive, line: str) -> str:
        """Write a line on the board that all share, until the store has confirmed it."""
        for _ in range(20):
            board = self.texts.get(BOARD, "")
            self.texts[BOARD] = board if line in board.split("\n") else f"{board}{line}\n"
            if BOARD in self.exchange(store).sent:
                return line
        raise AssertionError("the board was never free")


def lost(*, naive: bool, members: int = 10, rounds: int = 6) -> list[str]:
    """The confirmed lines that are not there in the end; each write is met by another member's."""
    shelf, team = Shelf(), [Desk(number) for number in range(members)]
    store = Naive(shelf) if naive else shelf
    stood: list[str] = []
    for turn in range(rounds):
        for desk in team:
            other, line = team[(desk.number + 1 + turn) % members], f"met-{turn}-{desk.number}"

            def interrupt(other: Desk = other, line: str = line) -> None:
                shelf.before_put = lambda: None
                stood.append(other.add(shelf, line))

            shelf.before_put = interrupt
            desk.texts[f"own/{desk.number}.md"] = f"round {turn}"
            stood.append(desk.add(store, f"{desk.number}-{turn}"))
    for desk in team * 2:
        desk.exchange(store)
    assert all(desk.texts == shelf.entries for desk in team)
    own = {key: text for key, text in shelf.entries.items() if key != BOARD}
    assert own == {f"own/{number}.md": f"round {rounds - 1}" for number in range(members)}
    assert len(stood) == 2 * members * rounds
    return [line for line in stood if line not in shelf.entries[BOARD].split("\n")]


def test_ten_members_that_write_at_once_lose_no_line_and_end_alike() -> None:
    assert lost(naive=False) == []


def test_a_member_that_names_no_state_makes_others_lose() -> None:
    assert lost(naive=True) != []


@pytest.mark.parametrize("store", ["git", "http"])
def test_processes_that_write_at_once_lose_nothing_on_a_real_store(store: str) -> None:
    command = [sys.executable, str(ROOT / "tests" / "team" / "hammer.py"), "--clients", "3", "--rounds", "2"]
    if store == "http":
        pytest.importorskip("uvicorn", reason="the team's server has requirements of its own")
    done = subprocess.run(
        [*command, "--store", store], cwd=ROOT, env=dict(os.environ), capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing is lost" in done.stdout
