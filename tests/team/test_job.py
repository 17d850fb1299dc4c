"""When a round is due, how failures put it off, what the journal and the report say; one stat without a team."""
from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from lib import detach
from lib.host import paths, settings
from lib.host.paths import TEAM_PULL, TEAM_PUSH
from lib.journal import Journal
from lib.team import choice, job, opening, place, schedule
from lib.team.choice import GIT, Choice
from lib.team.problems import StoreProblem
from lib.team.store import Snapshot
from tests.team.members import Shelf, bare, git, text_of

NOW = 1_790_000_000.0
SESSION = "3f0c4b1e-9d43-4c57-9e3f-0d7f0b9c2a11"


class Project:
    """A clone with a team set up, and a journal of one session."""

    def __init__(self, folder: Path) -> None:
        self.hub = bare(folder / "hub.git")
        git("clone", "-q", str(self.hub), "clone", cwd=folder)
        self.root = str(folder / "clone")
        self.state = paths.state_dir(os.environ["CLAUDE_CONFIG_DIR"], self.root)
        self.memory = paths.memory_path(self.root, os.environ, {})
        Journal(self.state, SESSION).append("session", launch=self.root)

    def set_up(self) -> None:
        chosen = Choice(GIT, remote="origin", place=opening.fingerprint(str(self.hub)))
        choice.save(place.state_folder(self.state), chosen)
        schedule.put_off(self.state, TEAM_PULL, NOW)

    def events(self) -> list[dict[str, object]]:
        return [event for event in Journal(self.state, SESSION).events() if event["e"] == "team"]


@pytest.fixture
def project(tmp_path: Path, own_home: Path) -> Project:
    return Project(tmp_path)


def use(monkeypatch: pytest.MonkeyPatch, store: object) -> None:
    def opened(chosen: Choice, root: str, folder: str, env: Mapping[str, str]) -> object:
        if isinstance(store, Exception):
            raise store
        return store

    monkeypatch.setattr(opening, "opened", opened)


def test_without_a_team_nothing_is_due_and_nothing_is_made(project: Project) -> None:
    assert job.due(project.state, os.environ, NOW) is None
    assert not detach.waits(project.state, TEAM_PULL, NOW) and not detach.waits(project.state, TEAM_PUSH, NOW)
    schedule.note_write(project.state, "team/a.md", NOW)
    assert not os.path.exists(os.path.join(project.state, "team"))


def test_a_round_is_due_when_its_time_has_come(project: Project) -> None:
    project.set_up()
    assert detach.waits(project.state, TEAM_PULL, NOW) and not detach.waits(project.state, TEAM_PULL, NOW - 1)
    found = job.due(project.state, os.environ, NOW)
    assert found and (found.launch, found.memory, found.session) == (project.root, project.memory, SESSION)
    assert job.due(project.state, os.environ, NOW - 1) is None


def test_a_teams_memory_that_the_agent_wrote_is_due_at_once_and_another_is_not(project: Project) -> None:
    project.set_up()
    schedule.put_off(project.state, TEAM_PULL, NOW + 99)
    schedule.note_write(project.state, "mine.md", NOW)
    assert job.due(project.state, os.environ, NOW) is None
    schedule.note_write(project.state, "team/a.md", NOW)
    assert detach.waits(project.state, TEAM_PUSH, NOW) and job.due(project.state, os.environ, NOW)


def test_a_write_does_not_shorten_what_a_store_asked_for(project: Project) -> None:
    project.set_up()
    schedule.put_off(project.state, TEAM_PUSH, NOW + 600)
    schedule.note_write(project.state, "team/a.md", NOW)
    assert schedule.moment(project.state, TEAM_PUSH) == NOW + 600


def test_a_round_sends_and_takes_and_is_noted(project: Project) -> None:
    project.set_up()
    schedule.put_off(project.state, TEAM_PUSH, NOW)
    os.makedirs(os.path.join(project.memory, "team"))
    Path(project.memory, "team", "otter.md").write_text(text_of("otter", "The staging server is called otter"))
    found = job.due(project.state, os.environ, NOW)
    assert found
    report = job.attempt(found, os.environ, NOW)
    assert (report.reason, report.pushed, report.pulled, report.failures) == ("", 1, 0, 0)
    assert git("ls-tree", "--name-only", "refs/memory/team", cwd=project.hub) == "otter.md"
    assert schedule.moment(project.state, TEAM_PUSH) == -1 and job.report(project.state) == report
    assert schedule.moment(project.state, TEAM_PULL) == NOW + schedule.EVERY
    assert project.events()[0]["pushed"] == ["otter.md"]


def test_a_round_without_news_is_no_line_in_the_journal(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.set_up()
    use(monkeypatch, Shelf(begun=True))
    found = job.due(project.state, os.environ, NOW)
    assert found
    job.attempt(found, os.environ, NOW)
    assert project.events() == []


@pytest.mark.parametrize(
    "problem", [StoreProblem("no network"), OSError(28, "No space left"), TimeoutError("the directory stays locked")]
)
def test_failures_put_it_off_longer_and_longer_and_are_told_once(
    problem: Exception, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.set_up()
    schedule.put_off(project.state, TEAM_PUSH, NOW)
    use(monkeypatch, problem)
    now, pauses = NOW, []
    for _ in range(4):
        found = job.due(project.state, os.environ, now)
        assert found
        report = job.attempt(found, os.environ, now)
        later = min(schedule.moment(project.state, mark) for mark in (TEAM_PULL, TEAM_PUSH))
        pauses.append(later - now)
        assert job.due(project.state, os.environ, later - 1) is None
        now = later
    assert pauses == [60, 120, 240, 480]
    assert (report.failures, report.reason) == (4, str(problem))
    assert len(project.events()) == 1
    use(monkeypatch, Shelf())
    found = job.due(project.state, os.environ, now)
    assert found and job.attempt(found, os.environ, now).failures == 0


def test_a_store_that_asks_for_patience_gets_it(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.set_up()
    use(monkeypatch, StoreProblem("wait", 5_000))
    found = job.due(project.state, os.environ, NOW)
    assert found
    job.attempt(found, os.environ, NOW)
    assert schedule.moment(project.state, TEAM_PULL) == NOW + 5_000
    assert [schedule.pause(failures, 0) for failures in (0, 1, 30)] == [60, 120, schedule.LONGEST]


def test_a_round_that_is_killed_counts_as_a_failure(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(Shelf):
        def fetch_all(self, known: str = "") -> Snapshot | None:
            raise KeyboardInterrupt

    project.set_up()
    use(monkeypatch, Killed())
    found = job.due(project.state, os.environ, NOW)
    assert found
    with pytest.raises(KeyboardInterrupt):
        job.attempt(found, os.environ, NOW)
    assert job.report(project.state).failures == 1
    assert job.due(project.state, os.environ, NOW + 1) is None


@pytest.mark.parametrize("where", ["user", "project", "environment", "not set up"])
def test_what_is_switched_off_is_not_exchanged(where: str, project: Project) -> None:
    project.set_up()
    off = json.dumps({"memoryHooks": {"team": {"transport": "off"}}})
    if where == "user":
        Path(os.environ["CLAUDE_CONFIG_DIR"], "settings.json").write_text(off)
    if where == "project":
        Path(project.root, ".claude").mkdir()
        Path(project.root, ".claude", "settings.json").write_text(off)
    if where == "not set up":
        choice.save(place.state_folder(project.state), Choice())
    env = {**os.environ, **({"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"} if where == "environment" else {})}
    assert job.due(project.state, env, NOW) is None
    assert schedule.moment(project.state, TEAM_PULL) == NOW + schedule.IDLE, "the hooks start no worker for it"


@pytest.mark.parametrize("value", ["git", "http", "project", True, {"git": 1}])
def test_a_cloned_repository_cannot_switch_it_on(value: object, project: Project) -> None:
    Path(project.root, ".claude").mkdir()
    for name in ("settings.json", "settings.local.json"):
        Path(project.root, ".claude", name).write_text(
            json.dumps({"memoryHooks": {"team": {"transport": value, "url": "https://evil.example", "remote": "evil"}}})
        )
    schedule.put_off(project.state, TEAM_PULL, NOW)
    assert job.due(project.state, os.environ, NOW) is None
    Path(os.environ["CLAUDE_CONFIG_DIR"], "settings.json").write_text('{"memoryHooks": {"team": {"transport": "off"}}}')
    assert settings.load(os.environ, project.root).option("team.transport") == "off"


@pytest.mark.parametrize("torn", [b"", b"{", b"[]", b'{"transport": 5}', b"\xff", b"[" * 50_000])
def test_a_torn_file_of_ours_is_off_and_no_report(torn: bytes, project: Project) -> None:
    folder = Path(place.state_folder(project.state))
    (folder / choice.FILE).write_bytes(torn)
    (folder / job.REPORT).write_bytes(torn)
    assert not choice.load(str(folder)).on and job.report(project.state) == job.Report()
