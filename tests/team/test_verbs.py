"""`memory.py team` as a person runs it, and the whole way: shared in one clone, recalled in the other's session."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from lib.cli import search, show, team
from lib.cli.place import Place, Trouble, Usage, here
from lib.host import paths, registration
from lib.host.paths import TEAM_PULL
from lib.memory import files, index, store
from lib.team import schedule
from tests.support.registered import Stage
from tests.team.members import bare, git, text_of

KEY = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"


@dataclass
class Clone:
    """A person at a clone, with a configuration of their own."""

    name: str
    root: Path
    home: Path
    monkeypatch: pytest.MonkeyPatch

    def place(self) -> Place:
        self.monkeypatch.setenv("HOME", str(self.home))
        self.monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(self.home / ".claude"))
        self.monkeypatch.chdir(self.root)
        return here(str(self.root), os.environ)

    def run(self, *arguments: str) -> int:
        return team.run(list(arguments), self.place())

    def keep(self, name: str, said: str, body: str = "") -> None:
        memory = self.place().memory
        files.write(memory, f"{name}.md", store.text_of(name, "reference", said, body or f"{said}.", {}).encode())
        index.mend(memory)

    @property
    def team(self) -> Path:
        return Path(self.place().memory, "team")


@pytest.fixture
def hub(tmp_path: Path) -> Path:
    return bare(tmp_path / "hub.git")


@pytest.fixture
def clones(tmp_path: Path, hub: Path, monkeypatch: pytest.MonkeyPatch) -> list[Clone]:
    made = []
    for name in ("ann", "bob"):
        git("clone", "-q", str(hub), name, cwd=tmp_path)
        git("config", "user.name", name.title(), cwd=tmp_path / name)
        (tmp_path / f"{name}-home" / ".claude").mkdir(parents=True)
        made.append(Clone(name, tmp_path / name, tmp_path / f"{name}-home", monkeypatch))
    return made


def test_setup_tells_what_is_shared_with_whom_and_how_to_stop(
    clones: list[Clone], hub: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ann = clones[0]
    assert ann.run("setup") == 0
    assert "--git" in (said := capsys.readouterr().out) and "Nothing is shared before" in said
    assert ann.run("setup", "--git") == 0
    said = capsys.readouterr().out
    for part in (str(ann.team), str(hub), "refs/memory/team", "stays private", "memory.py team off", "On. 0 taken in"):
        assert part in said
    assert ann.run() == 0
    assert "the git remote origin" in capsys.readouterr().out


def test_what_one_shares_the_other_gets(clones: list[Clone], capsys: pytest.CaptureFixture[str]) -> None:
    ann, bob = clones
    ann.run("setup", "--git")
    ann.keep("otter", "The staging server is called otter")
    ann.keep("mine", "This stays with me")
    assert ann.run("share", "otter") == 0
    assert "signed Ann" in (said := capsys.readouterr().out) and "Sent otter.md" in said
    bob.run("setup", "--git")
    assert "1 taken in" in capsys.readouterr().out
    assert (bob.team / "otter.md").is_file() and not (bob.team / "mine.md").exists()
    (bob.team / "otter.md").write_text(text_of("otter", "It is called badger"))
    assert bob.run("pull") == 0
    assert "gave way" in capsys.readouterr().out and "badger" not in (bob.team / "otter.md").read_text()
    (bob.team / "otter.md").write_text(text_of("otter", "It is called badger"))
    bob.run("push")
    ann.run("pull")
    assert "badger" in (ann.team / "otter.md").read_text()


def test_status_names_what_waits_and_what_stays(clones: list[Clone], capsys: pytest.CaptureFixture[str]) -> None:
    ann = clones[0]
    ann.run("setup", "--git")
    ann.team.mkdir(parents=True, exist_ok=True)
    (ann.team / "key.md").write_text(text_of("key", f"the token is {KEY}"))
    (ann.team / "NUL.md").write_text("x")
    ann.run("push")
    (ann.team / "new.md").write_text(text_of("new", "fresh"))
    capsys.readouterr()
    ann.run("status")
    said = capsys.readouterr().out
    assert "new.md is to be sent" in said and "key.md: it holds what looks like a secret" in said and KEY not in said
    ann.run("status", "--json")
    told = json.loads(capsys.readouterr().out)
    assert told["waiting"] == ["new.md"] and set(told["held"]) == {"NUL.md", "key.md"} and told["transport"] == "git"


def test_off_ends_it_and_keeps_the_files(clones: list[Clone], capsys: pytest.CaptureFixture[str]) -> None:
    ann = clones[0]
    ann.run("setup", "--git")
    ann.keep("otter", "The staging server is called otter")
    ann.run("share", "otter")
    assert ann.run("off") == 0 and (ann.team / "otter.md").is_file()
    assert schedule.moment(ann.place().state, TEAM_PULL) == -1
    with pytest.raises(Trouble, match="no team is set up"):
        ann.run("pull")
    capsys.readouterr()
    ann.run()
    assert "No team is set up" in capsys.readouterr().out
    ann.run("setup", "--git")
    assert "0 taken in, 0 sent" in capsys.readouterr().out, "what was agreed on still holds"


def test_a_share_without_a_network_goes_later(
    clones: list[Clone], hub: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ann = clones[0]
    ann.run("setup", "--git")
    ann.keep("otter", "The staging server is called otter")
    hub.rename(hub.with_name("away.git"))
    assert ann.run("share", "otter") == 0
    assert "Not sent yet" in capsys.readouterr().out and (ann.team / "otter.md").is_file()
    hub.with_name("away.git").rename(hub)
    assert ann.run("push") == 0 and "Sent otter.md" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "kind", "said"),
    [
        (["share"], Usage, "something is missing"), (["nonsense"], Usage, "nothing a team does"),
        (["setup", "--git", "--http", "https://x.example"], Usage, "one team"),
        (["setup", "--remote", "x"], Usage, "needs --git"), (["pull", "x"], Usage, "one too many"),
        (["setup", "--git", "--remote", "upstream"], Trouble, "no git remote 'upstream'"),
        (["setup", "--http", "http://x.example", "--repo", "a/b"], Trouble, "must begin with https"),
        (["setup", "--http", "https://x.example", "--repo", "a"], Trouble, "--repo OWNER/NAME"),
        (["setup", "--http", "https://x.example", "--repo", "a/b"], Trouble, "not switched on: there is no token"),
        (["share", "nothing"], Trouble, "no team is set up"), (["push"], Trouble, "no team is set up"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_one_sentence(
    arguments: list[str], kind: type[Trouble], said: str, clones: list[Clone]
) -> None:
    with pytest.raises(kind, match=said):
        clones[0].run(*arguments)


def test_a_settings_file_that_switches_it_off_is_named(clones: list[Clone], capsys: pytest.CaptureFixture[str]) -> None:
    ann = clones[0]
    ann.run("setup", "--git")
    (ann.root / ".claude").mkdir()
    (ann.root / ".claude" / "settings.json").write_text('{"memoryHooks": {"team": {"transport": "off"}}}')
    with pytest.raises(Trouble, match="switched off by"):
        ann.run("pull")
    capsys.readouterr()
    ann.run()
    assert "switched off by" in capsys.readouterr().out


def test_the_command_itself(clones: list[Clone]) -> None:
    clones[0].place()
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, str(root / "memory.py"), "team", "push"], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.startswith("memory.py: no team is set up for")


def test_shared_in_one_clone_and_recalled_in_the_others_next_session(
    clones: list[Clone], capsys: pytest.CaptureFixture[str]
) -> None:
    """Through the hooks as registered: the agent writes, the turn ends, the other's session begins and asks."""
    ann, bob = clones
    ann.run("setup", "--git")
    bob.run("setup", "--git")
    stages = {clone.name: Stage(clone.home, clone.root) for clone in clones}
    path = ann.team / "deploy-host.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text_of("deploy-host", "Deployments of the billing worker go through the host otter"))
    play(stages["ann"], "PostToolUse", tool_input={"file_path": str(path), "content": "x"})
    play(stages["ann"], "Stop")
    stages["ann"].settle()
    state = bob.place().state
    schedule.put_off(state, TEAM_PULL, time.time() - 1)
    play(stages["bob"], "SessionStart")
    stages["bob"].settle()
    told = play(stages["bob"], "UserPromptSubmit", prompt="deployments of the billing worker: which host?")
    assert "team/deploy-host.md (shared in the team by Ann, reference" in told
    assert "| Deployments of the billing worker go through the host otter" in told
    assert paths.slug(str(bob.root)) in state and stages["bob"].log() == []
    capsys.readouterr()


def play(stage: Stage, event: str, **changes: object) -> str:
    hook = next(hook for hook in registration.HOOKS if hook.event == event)
    ran = stage.run(hook, json.dumps(stage.payload(event, **changes)).encode())
    assert ran.harm() == ""
    return ran.context


def test_search_and_show_know_what_the_team_shares(clones: list[Clone], capsys: pytest.CaptureFixture[str]) -> None:
    ann = clones[0]
    ann.run("setup", "--git")
    ann.keep("billing-host", "Deployments of the billing worker go through the host otter")
    ann.run("share", "billing-host")
    capsys.readouterr()
    place = ann.place()
    assert search.run(["deployments", "of", "the", "billing", "worker"], place) == 0
    assert "team/billing-host.md" in (said := capsys.readouterr().out) and said.startswith("recalled")
    assert show.run(["team/billing-host"], place) == 0
    assert "host otter" in capsys.readouterr().out
    with pytest.raises(Trouble, match="there is no memory"):
        show.run(["team/../mine"], place)
