"""A snapshot says what it holds, what of it cannot be used and why; what becomes of it is decided purely."""
from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from lib.agents import snapshot
from lib.agents.scopes import Scope
from lib.agents.snapshot import Snapshot, Synced, decide
from tests.agents.conftest import Farm, memory

NOW = 1_796_000_000.0
ONE = memory("one", "The first fact")
TWO = memory("two", "The second fact")


def placed(scope: Scope, files: dict[str, str], about: object = None) -> Path:
    folder = Path(scope.snapshot)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    (folder / "snapshot.json").write_text(json.dumps(about or {"updatedAt": "2026-11-01T00:00:00.000Z"}))
    return folder


@pytest.fixture
def scope(farm: Farm) -> Scope:
    farm.agent(scope="local")
    return farm.scope()


@pytest.mark.parametrize(
    ("local", "found", "synced", "outcome"),
    [
        ({}, Snapshot(problem="there is no snapshot"), Synced(), "none"),
        ({}, Snapshot({}, updated=NOW), Synced(), "none"),
        ({}, Snapshot({"one.md": ONE}, updated=NOW), Synced(), "initialize"),
        ({}, Snapshot({"one.md": ONE}, updated=NOW), Synced(settled=(Snapshot({"one.md": ONE}).version,)), "none"),
        ({"one.md": ONE}, Snapshot({"one.md": ONE}, updated=NOW), Synced(), "none"),
        ({"two.md": TWO}, Snapshot({"one.md": ONE}, updated=NOW), Synced(), "prompt-update"),
        ({"one.md": TWO}, Snapshot({"one.md": ONE}, updated=NOW), Synced(updated=NOW - 1), "prompt-update"),
        ({"two.md": TWO}, Snapshot({"one.md": ONE}, updated=NOW), Synced(updated=NOW), "none"),
    ],
)
def test_the_outcome_follows_from_memory_snapshot_and_what_was_settled(
    local: dict[str, str], found: Snapshot, synced: Synced, outcome: str
) -> None:
    decision = decide(local, found, synced)
    assert decision.outcome == outcome and decision.reason


def test_what_is_written_is_read_again_as_it_was(farm: Farm, scope: Scope) -> None:
    Path(scope.memory).mkdir(parents=True)
    (Path(scope.memory) / "one.md").write_text(ONE)
    (Path(scope.memory) / "MEMORY.md").write_text("- [One](one.md) — x\n")
    made, left = snapshot.write(scope, NOW)
    assert left == {} and dict(made.files) == {"one.md": ONE}
    about = json.loads((Path(scope.snapshot) / "snapshot.json").read_text())
    assert about["updatedAt"] == "2026-11-30T00:53:20.000Z" and set(about["files"]) == {"one.md"}
    found = snapshot.read(scope, NOW)
    assert (found.problem, found.altered, found.updated, found.version) == ("", (), NOW, made.version)


def test_a_memory_that_is_gone_leaves_the_snapshot_too(scope: Scope) -> None:
    Path(scope.memory).mkdir(parents=True)
    (Path(scope.memory) / "one.md").write_text(ONE)
    (Path(scope.memory) / "two.md").write_text(TWO)
    snapshot.write(scope, NOW)
    (Path(scope.memory) / "two.md").unlink()
    snapshot.write(scope, NOW)
    assert sorted(os.listdir(scope.snapshot)) == ["one.md", "snapshot.json"]


def test_a_secret_is_never_written_for_version_control(scope: Scope) -> None:
    Path(scope.memory).mkdir(parents=True)
    key = "sk-ant-api03-" + "Ab3" * 31 + "AA"
    (Path(scope.memory) / "key.md").write_text(memory("key", f"The key is {key}"))
    made, left = snapshot.write(scope, NOW)
    assert "secret" in left["key.md"] and not made.files
    assert os.listdir(scope.snapshot) == ["snapshot.json"]


def test_what_cannot_be_used_is_named_and_left_out(scope: Scope, tmp_path: Path) -> None:
    folder = placed(scope, {
        "one.md": ONE, "torn.md": f"<<<<<<< ours\n{ONE}=======\n{TWO}>>>>>>> theirs\n", "huge.md": "x" * 50_000,
        "%2e.md": ONE, "note.txt": "no memory",
    })  # fmt: skip
    (tmp_path / "elsewhere.md").write_text(TWO)
    (folder / "link.md").symlink_to(tmp_path / "elsewhere.md")
    (folder / "below.md").mkdir()
    found = snapshot.read(scope, NOW)
    assert dict(found.files) == {"one.md": ONE}
    assert set(found.refused) == {"torn.md", "huge.md", "%2e.md", "link.md"}
    assert "conflict markers" in found.refused["torn.md"] and "link" in found.refused["link.md"]
    assert found.altered == ("one.md",)


@pytest.mark.parametrize(
    "about", [b"", b"[]", b"{}", b'{"updatedAt": 7e99}', b'{"updatedAt": "soon"}', b"\xff", b"[" * 9000]
)
def test_a_snapshot_without_a_time_is_none(scope: Scope, about: bytes) -> None:
    folder = placed(scope, {"one.md": ONE})
    (folder / "snapshot.json").write_bytes(about)
    found = snapshot.read(scope, NOW)
    assert found.problem and not found.files
    (folder / "snapshot.json").unlink()
    assert "missing" in snapshot.read(scope, NOW).problem


def test_a_date_in_the_future_does_not_make_later_snapshots_old(scope: Scope) -> None:
    now = time.time()
    placed(scope, {"one.md": ONE}, {"updatedAt": "2999-01-01T00:00:00Z"})
    found = snapshot.read(scope, now)
    assert found.updated <= now + 3600
    later = replace(found, files={"two.md": TWO}, updated=now + 7200)
    assert decide({"x.md": ONE}, later, Synced(updated=found.updated)).outcome == "prompt-update"


def test_a_folder_that_is_a_link_is_not_read(scope: Scope, tmp_path: Path) -> None:
    placed(scope, {"one.md": ONE})
    os.rename(scope.snapshot, tmp_path / "moved")
    os.symlink(tmp_path / "moved", scope.snapshot)
    assert "link" in snapshot.read(scope, NOW).problem
