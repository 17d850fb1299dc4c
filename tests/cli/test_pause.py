"""pause, recall-only and resume: here or everywhere, said by every verb that tells how it stands, undone exactly."""
from __future__ import annotations

import threading

import pytest

from lib.cli import resting
from lib.host.call import PAUSED, RECALL_ONLY
from lib.host.call import resting as seen
from tests.cli.conftest import Desk


@pytest.mark.parametrize(
    ("verb", "mode", "words"),
    [("pause", PAUSED, "paused: nothing is learned or recalled"),
     ("recall-only", RECALL_ONLY, "recall only: nothing is learned")],
)  # fmt: skip
def test_switched_here_it_is_said_and_resumed(desk: Desk, verb: str, mode: str, words: str) -> None:
    shown = desk.run(verb)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout == f"{desk.project}: {words} (back: memory.py resume)\n"
    assert seen(str(desk.config), desk.state.name) == mode and seen(str(desk.config), "-elsewhere") == ""
    for looking in ("status", "why", "doctor"):
        assert words.partition(":")[0] in desk.run(looking).stdout, looking
    assert desk.run("resume").stdout == f"{desk.project}: on\n"
    assert seen(str(desk.config), desk.state.name) == ""
    assert not (desk.config / "memory-hooks" / "resting.txt").exists()


def test_everywhere_and_here_are_two_switches_and_the_stricter_holds(desk: Desk) -> None:
    desk.run("recall-only")
    shown = desk.run("pause", "--all")
    assert shown.stdout.startswith("everywhere: paused") and f"{desk.project}: recall only" in shown.stdout
    assert seen(str(desk.config), desk.state.name) == PAUSED and seen(str(desk.config), "-elsewhere") == PAUSED
    assert "everywhere: paused" in desk.run("resume").stdout
    assert seen(str(desk.config), desk.state.name) == PAUSED
    desk.run("recall-only")
    desk.run("resume", "--all")
    assert seen(str(desk.config), desk.state.name) == RECALL_ONLY and seen(str(desk.config), "-elsewhere") == ""


def test_many_switches_at_once_lose_none(desk: Desk) -> None:
    threads = [
        threading.Thread(target=resting.put, args=(str(desk.config), f"-p-{number}", PAUSED)) for number in range(12)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert resting.read(str(desk.config)) == {f"-p-{number}": PAUSED for number in range(12)}


def test_what_the_person_asks_for_outright_is_done_all_the_same(desk: Desk) -> None:
    desk.run("pause", "--all")
    assert desk.run("remember", "the staging server is called otter").returncode == 0
    assert desk.run("dream", "--dry-run").returncode == 0 and len(desk.names()) == 1
