"""What the sweep once found, each as a small test of its class."""
from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from lib import upkeep, worker
from lib.memory import files, index
from lib.team.git_store import GitStore
from tests.faults import targets, team_target
from tests.faults.targets import Machine
from tests.team.members import bare
from tests.test_worker import PNPM, Shop


@pytest.fixture
def shop(own_home: Path, tmp_path: Path) -> Shop:
    return Shop(tmp_path)


@pytest.mark.parametrize("broken", ["use-pnpm.md", "MEMORY.md"])
def test_what_a_full_disk_refused_is_due_again(shop: Shop, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    shop.ended(PNPM)
    real = files.write

    def full(directory: str, name: str, data: bytes) -> None:
        if name == broken:
            raise OSError(28, "No space left on device", name)
        real(directory, name, data)

    with monkeypatch.context() as patch:
        patch.setattr(files, "write", full)
        worker.work(shop.state)
    assert shop.book().state().pending and "No space left" in shop.events("failed")[0]["reason"]
    worker.work(shop.state)
    assert shop.files() == ["MEMORY.md", "use-pnpm.md"] and "(use-pnpm.md)" in shop.index()
    assert not shop.book().state().pending


def test_a_refusal_that_will_not_pass_is_not_tried_again(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.ended(PNPM)

    def refused(*_: Any) -> None:
        raise PermissionError("use-pnpm.md is a hard link to another file")

    monkeypatch.setattr(files, "write", refused)
    worker.work(shop.state)
    assert shop.events("failed") == [] and not shop.book().state().pending


def test_a_worker_killed_between_memory_and_index_leaves_the_line_to_the_next(shop: Shop) -> None:
    shop.ended(PNPM)
    worker.work(shop.state)
    (shop.memory / "MEMORY.md").write_text("# Memory Index\n")
    (shop.memory / ".MEMORY.md.77.0123456789ab.tmp").write_text("half")
    shop.ended(PNPM)
    shop.book().append("job")  # and never an end
    worker.work(shop.state)
    assert "(use-pnpm.md)" in shop.index() and index.hooks(shop.index()).keys() == {"use-pnpm.md"}
    assert not list(shop.memory.glob("*.tmp")) + list(shop.memory.glob(".*.tmp"))


def test_a_killed_git_stops_the_team_for_an_hour_and_not_for_good(own_home: Path, tmp_path: Path) -> None:
    stage = Machine(tmp_path / "home", tmp_path / "project")
    team_target.build(stage)
    state = targets.state(stage)
    assert team_target.follow(stage) == ""
    locks = [Path(state, "team", "team.git", "refs", "memory", f"{name}.lock") for name in ("remote", "next")]
    for path in locks:
        path.write_text("")
        os.utime(path, (time.time() - 3_600,) * 2)
    upkeep.sweep(state)
    assert not any(path.exists() for path in locks)


def test_an_interrupted_beginning_of_the_teams_repository_is_finished(tmp_path: Path) -> None:
    hub = bare(tmp_path / "hub.git")
    (tmp_path / "half.git" / "refs").mkdir(parents=True)
    (tmp_path / "half.git" / "HEAD").write_text("ref: refs/heads/main\n")
    assert GitStore(str(tmp_path / "half.git"), str(hub)).fetch_hashes().entries == {}


def test_a_summary_that_was_half_written_goes_with_the_next(own_home: Path, tmp_path: Path) -> None:
    stage = Machine(tmp_path / "home", tmp_path / "project")
    targets.with_noted_talk(stage)
    folder = stage.transcript.with_suffix("") / "session-memory"
    folder.mkdir(parents=True)
    (folder / ".summary.md.77.0123456789ab.tmp").write_text("half")
    targets.run_worker(stage)
    assert os.listdir(folder) == ["summary.md"]
