"""What a run taught goes through the same extraction into its agent's memory, and into no other."""
from __future__ import annotations

import os
from pathlib import Path

import pytest

from lib import worker
from lib.agents import job
from lib.agents.seat import journals
from lib.extract import exclusion
from lib.host import paths, settings
from lib.journal import Journal
from lib.memory import frontmatter, held, history, index, store
from lib.model.choice import Choice
from lib.model.task import Change, Check, Outcome, Task, Usage
from tests.agents.conftest import SESSION, Farm, memory
from tests.agents.test_schedule import SAID, own, stop


@pytest.fixture
def taught(farm: Farm, monkeypatch: pytest.MonkeyPatch) -> Farm:
    """The person said it, the main agent passed it on, the run has ended."""
    for name, value in farm.env.items():
        monkeypatch.setenv(name, value)
    farm.agent()
    farm.spoke(farm.parent, farm.entry("user", f"Ask the reviewer. {SAID}", "p1"))
    farm.worked(f"Review the auth module. {SAID}", "Understood.")
    assert stop(farm)
    return farm


def work(farm: Farm) -> list[str]:
    return job.work(farm.state, os.environ, set(), worker._learn)


def memories(farm: Farm) -> dict[str, str]:
    return {memory.file: memory.body for memory in store.scan(farm.scope().memory)}


def events(farm: Farm) -> list[dict[str, object]]:
    return [event for event in own(farm).events() if event["e"] == "extract"]


def test_what_the_person_said_is_in_the_agent_s_memory_alone(taught: Farm) -> None:
    assert work(taught) == []
    ((name, body),) = memories(taught).items()
    assert "pnpm" in body
    text = (Path(taught.scope().memory) / name).read_text()
    metadata = frontmatter.parse(text).fields["metadata"]
    assert (metadata["said_by"], metadata["originSessionId"]) == ("user", SESSION)
    assert f"({name})" in (Path(taught.scope().memory) / "MEMORY.md").read_text()
    main = paths.memory_path(str(taught.launch), taught.env, settings.load(taught.env, ""))
    assert not os.path.exists(main)
    assert job.due(taught.state) is None and len(events(taught)) == 1


def test_it_is_an_entry_of_the_history_that_can_be_taken_back(taught: Farm) -> None:
    work(taught)
    scope = taught.scope()
    (entry,) = [one for one in history.of(scope.memory, scope.state).entries() if one.note.who == "extract"]
    assert entry.note.session == SESSION


def test_git_is_told_to_pass_over_our_lock(taught: Farm) -> None:
    work(taught)
    folder = Path(taught.scope().memory)
    assert (folder / ".gitignore").read_text() == ".memory.lock\n.gitignore\n"
    (folder / ".gitignore").write_text("mine\n")
    taught.worked("Remember: the staging server is called otter")
    stop(taught)
    work(taught)
    assert (folder / ".gitignore").read_text() == "mine\n"


def test_a_rule_that_only_another_agent_stated_is_nobody_s(taught: Farm) -> None:
    taught.parent.write_text(taught.entry("user", "Ask the reviewer.", "p1"))
    work(taught)
    assert memories(taught) == {}
    (event,) = events(taught)
    assert "no words of yours" in str(event["changes"])


def test_without_the_parent_s_transcript_no_rule_is_saved(taught: Farm) -> None:
    taught.parent.unlink()
    work(taught)
    assert memories(taught) == {} and len(events(taught)) == 1


def test_a_run_is_learned_from_once(taught: Farm) -> None:
    work(taught)
    before = memories(taught)
    stop(taught)
    work(taught)
    assert memories(taught) == before


def test_a_definition_that_is_gone_lets_the_run_go(taught: Farm) -> None:
    (taught.root / ".claude" / "agents" / "reviewer.md").unlink()
    work(taught)
    assert job.due(taught.state) is None
    assert "no memory here" in str(events(taught)[0]["reason"])


def test_a_job_that_never_ended_three_times_is_given_up(taught: Farm) -> None:
    for _ in range(job.ATTEMPTS):
        own(taught).append("job")
    work(taught)
    assert "given up" in str(events(taught)[0]["reason"])
    assert job.due(taught.state) is None and memories(taught) == {}


def test_what_the_disk_stopped_is_tried_again_by_the_next_worker(taught: Farm) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    failed: set[str] = set()
    job.work(taught.state, os.environ, failed, full)
    assert len(failed) == 1 and not job.waits(taught.state, failed)
    assert job.waits(taught.state)
    work(taught)
    assert len(memories(taught)) == 1


def test_an_index_that_the_agent_left_behind_is_mended(taught: Farm) -> None:
    work(taught)
    scope = taught.scope()
    (Path(scope.memory) / "mine.md").write_text(store.text_of("mine", "reference", "The board is at example", "x", {}))
    own(taught).append("memory_write", file="mine.md")
    work(taught)
    assert "(mine.md)" in (Path(scope.memory) / "MEMORY.md").read_text()
    assert index.mend(scope.memory) is False


def test_the_journals_of_old_runs_are_forgotten_but_not_what_waits(
    taught: Farm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job, "KEPT", 1)
    folder = journals(taught.state)
    for number in range(3):
        Journal(folder, f"old{number}").append("extract", cursor=1)
        os.utime(Journal(folder, f"old{number}").path, (1, 1))
    Journal(folder, "due").append("stop", due=5)
    os.utime(Journal(folder, "due").path, (1, 1))
    job.attempt(taught.state, f"{SESSION}.a7c9d0e1f2", own(taught).state(), os.environ, worker._learn)
    left = sorted(name for name in os.listdir(os.path.join(folder, "journal")) if name.endswith(".jsonl"))
    assert left == [f"{SESSION}.a7c9d0e1f2.jsonl", "due.jsonl"]


def test_the_main_agent_s_write_into_an_agent_s_memory_is_no_memory_write_of_ours(farm: Farm) -> None:
    farm.agent()
    given = {"file_path": f"{farm.scope().memory}/one.md", "content": "x"}
    call = farm.call("PostToolUse", tool_name="Write", tool_input=given)
    assert exclusion.memory_written(call) == ""


FACT = memory("auth-owner", "Dana owns the auth module until March 2027")
RULE = memory("no-schema", "Never touch the database schema", "feedback", quote="never touch the schema")


class Model:
    """A backend that stages what it finds right, whatever the check says, and tells what it was asked."""

    def __init__(self) -> None:
        self.task: Task | None = None

    def run_agent(self, task: Task, *, check: Check) -> Outcome:
        self.task = task
        staged = {"auth-owner.md": FACT, "no-schema.md": RULE}
        kept = tuple(Change(file, text) for file, text in staged.items() if not check(file, text))
        return Outcome(kept, 1, "", Usage(), "end_turn")


def test_a_model_learns_facts_of_a_run_and_no_rule_that_the_person_never_gave(
    taught: Farm, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Model()
    monkeypatch.setattr("lib.model.choice.choose", lambda *_: Choice("anthropic", "a key"))
    monkeypatch.setattr("lib.model.thinkers.thinker", lambda *_, **__: model)
    taught.worked("Review auth, and never touch the schema.", "Dana owns the auth module until March.")
    stop(taught)
    work(taught)
    scope = taught.scope()
    assert [memory.file for memory in store.scan(scope.memory)] == ["auth-owner.md"]
    assert store.scan(scope.memory)[0].fields["metadata.said_by"] == "model"
    # What it may not save waits for the person, as this agent's and not as the project's.
    assert [proposal.file for proposal in held.proposals(scope.state)] == ["no-schema.md"]
    assert held.proposals(taught.state) == []
    assert model.task is not None and model.task.memory_dir == scope.memory
    lines = model.task.prompt.split("\n")
    assert "P| Remember: always use pnpm here, npm corrupts the lockfile" in lines
    assert {"A| Review auth, and never touch the schema.", "A| Dana owns the auth module until March."} <= set(lines)
