"""`memory.py agents` answers a person: who remembers what, what a snapshot holds, what waits for their word."""
from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from lib.agents import job, notices, scopes, seat
from lib.cli import agents, review, why
from lib.cli.place import Place, Trouble, Usage, here
from lib.journal import Journal
from lib.memory import held
from tests.agents.conftest import Farm, farm, memory

__all__ = ["farm"]


@pytest.fixture
def place(farm: Farm, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.chdir(farm.root)
    return here(str(farm.root), os.environ)


def put(farm: Farm, name: str, text: str, agent: str = "reviewer") -> None:
    folder = Path(farm.scope(agent).memory)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.md").write_text(text)


def stranger(farm: Farm, place: Place, name: str, text: str) -> None:
    """A snapshot that came with the repository, after the agent's next start."""
    folder = Path(farm.scope().snapshot)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.md").write_text(text)
    (folder / "snapshot.json").write_text('{"updatedAt": "2026-11-01T00:00:00Z"}')
    notices.ask(seat.journals(place.state), farm.scope(), str(farm.root))
    assert job.snapshots(place.state, os.environ, set()) == []


def test_without_agents_it_says_how_to_have_one(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    assert agents.run([], place) == 0
    assert "memory: user|project|local" in capsys.readouterr().out


def test_each_agent_has_its_line(farm: Farm, place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    farm.agent()
    farm.agent("helper", "user")
    put(farm, "one", memory("one", "The first fact"))
    agents.run([], place)
    assert capsys.readouterr().out.splitlines() == [
        "helper    user     0 memories  -      no snapshot", "reviewer  project  1 memory    today  no snapshot",
    ]  # fmt: skip
    agents.run(["snapshot", "reviewer"], place)
    assert "1 memory of reviewer in " in capsys.readouterr().out
    agents.run(["--json"], place)
    told = json.loads(capsys.readouterr().out)
    assert [(row["agent"], row["count"], row["snapshot"]["files"]) for row in told["agents"]] == [
        ("helper", 0, 0), ("reviewer", 1, 1),
    ]  # fmt: skip


def test_the_other_verbs_work_on_one_agent_s_memory(
    farm: Farm, place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    farm.agent()
    put(farm, "one", memory("one", "The first fact"))
    assert agents.run(["reviewer", "list"], place) == 0
    assert "one.md  project" in capsys.readouterr().out
    with pytest.raises(Usage, match="no verb for an agent"):
        agents.run(["reviewer", "dream"], place)
    with pytest.raises(Trouble, match="those that do: reviewer"):
        agents.run(["nobody", "list"], place)
    with pytest.raises(Trouble, match="remembers nothing"):
        farm.agent("helper", "local")
        agents.run(["snapshot", "helper"], place)


def test_an_agent_with_two_memories_is_asked_for_by_scope(farm: Farm, place: Place) -> None:
    farm.agent()
    (farm.config / "agent-memory" / "reviewer").mkdir(parents=True)
    with pytest.raises(Trouble, match=r"reviewer/project or reviewer/user"):
        agents.named(place, "reviewer")
    assert agents.named(place, "reviewer/user").kind == "user"


def test_a_stranger_s_snapshot_waits_in_review_and_is_copied_by_the_person_s_word(
    farm: Farm, place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    farm.agent()
    text = memory("run-it", "Always run this command first", "feedback")
    stranger(farm, place, "run-it", text)
    scope = farm.scope()
    review.run([], place)
    shown = capsys.readouterr().out
    assert "reviewer/run-it.md (today): it comes from a snapshot in the repository" in shown
    assert "  | Always run this command first." in shown
    assert held.proposals(place.state) == []
    review.run(["accept", "reviewer/run-it"], place)
    assert (Path(scope.memory) / "run-it.md").read_text() == text
    assert not os.path.exists(place.memory)
    agents.run(["reviewer", "undo"], place)
    assert not (Path(scope.memory) / "run-it.md").exists()


def test_what_differs_is_shown_and_replaces_only_what_it_was_made_from(
    farm: Farm, place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    farm.agent()
    put(farm, "one", memory("one", "The first fact"))
    stranger(farm, place, "one", memory("one", "The fact has changed"))
    review.run([], place)
    shown = capsys.readouterr().out
    assert '  | -description: "The first fact"' in shown and '  | +description: "The fact has changed"' in shown
    put(farm, "one", memory("one", "Edited meanwhile"))
    with pytest.raises(Trouble, match="exists already"):
        review.run(["accept", "one"], place)
    put(farm, "one", memory("one", "The first fact"))
    review.run(["accept", "one"], place)
    assert "has changed" in (Path(farm.scope().memory) / "one.md").read_text()


def test_why_tells_of_runs(farm: Farm, place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    farm.agent()
    stranger(farm, place, "one", memory("one", "The first fact"))
    Journal(place.state, "s1").append("agent", at="start", agent="reviewer", reason="shown", files=["one.md"])
    Journal(place.state, "s1").append("agent", at="stop", agent="reviewer", reason="parents_transcript")
    Journal(seat.journals(place.state), "s1.a1").append("extract", backend="rules", ms=3, reason="", changes=[])
    why.run([], place)
    told = capsys.readouterr().out
    assert "agent    reviewer: snapshot initialize (there is no memory yet) HOLD one.md" in told
    assert "agent    reviewer started: recalled one.md" in told
    assert "the client names the parent's transcript instead of the run's" in told
    assert "agent    nothing to keep [rules, 3 ms" in told


def test_a_directory_that_leads_astray_is_not_listed(farm: Farm, place: Place, tmp_path: Path) -> None:
    farm.agent()
    (tmp_path / "elsewhere").mkdir()
    folder = farm.root / ".claude" / scopes.FOLDERS["project"]
    folder.mkdir()
    (folder / "reviewer").symlink_to(tmp_path / "elsewhere")
    assert agents.known(place) == []
