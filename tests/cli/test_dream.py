"""The person's side of a consolidation: shown first, done, listed, looked at, taken back."""
from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from lib.dream.lock import ConsolidateLock
from tests.cli.conftest import Desk
from tests.support import messy


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "notes" / "memory"
    messy.fill(folder)
    monkeypatch.setenv("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", str(folder))
    return folder


def run(*arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    here = Path.cwd()
    return Desk(here, here, here).run(*arguments, PATH=os.environ["PATH"] if path is None else path)


def said(*arguments: str, path: str | None = None) -> str:
    done = run(*arguments, path=path)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return done.stdout


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name[0] != "."}


def ids(text: str) -> Sequence[str]:
    return re.findall(r"^([0-9a-f]{8})  \d{4}-", text, re.M)


@pytest.mark.parametrize("path", [None, "/nowhere"], ids=["git", "no git"])
def test_shown_done_listed_looked_at_taken_back(memory: Path, path: str | None) -> None:
    before = contents(memory)
    shown = said("dream", "--dry-run", path=path)
    assert shown.startswith("Would change (rules): 6 merged, 12 removed") and shown.endswith("Nothing was written.\n")
    assert "-The board for the login form 1 is https://example.org/b/1." in shown and contents(memory) == before
    done = said("dream", path=path)
    assert done.startswith("Changed (rules): 6 merged, 12 removed") and len(contents(memory)) == 49
    listed = said("history", path=path)
    newest, first = ids(listed)
    assert "outside" in listed and f"undo {newest}" in done
    assert "over since 2026-04" in said("diff", newest, path=path)
    undone = said("undo", newest, path=path)
    assert undone.endswith("28 restored, 0 left; `memory.py undo` again takes this back\n")
    assert contents(memory) == before
    assert len(ids(said("history", path=path))) == 3
    assert said("undo", path=path) and len(contents(memory)) == 49
    assert said("diff", first, path=path)


def test_a_file_that_the_person_changed_since_is_left_and_named(memory: Path) -> None:
    said("dream")
    (memory / "freeze-login-form-1.md").write_text("mine now\n")
    told = said("undo")
    assert re.search(r"left      freeze-login-form-1.md: changed later \(outside: you, an editor or the agent", told)
    assert (memory / "freeze-login-form-1.md").read_text() == "mine now\n"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["dream", "--quick"], "'--quick' is no option here; usage: memory.py dream [--dry-run] [--force]"),
        (["undo", "ffffffff"], "there is no entry 'ffffffff'; `memory.py history` shows the ids"),
        (["undo"], "no write of an agent is recorded for"),
        (["diff", "a", "b"], "'b' is one too many; usage: memory.py diff [ENTRY] [--json]"),
        (["history", "--last", "x"], "--last takes a whole number, but was given 'x'"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(memory: Path, arguments: list[str], problem: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2 if "usage" in problem or "whole" in problem else 1, "")
    assert done.stderr.startswith(f"memory.py: {problem}") and done.stderr.count("\n") == 1


def test_an_id_that_could_be_two_entries_is_not_guessed(memory: Path) -> None:
    said("dream")
    done = run("undo", "")
    assert done.returncode == 1 and "is the beginning of 2 entries" in done.stderr


def test_while_another_one_is_at_work_it_says_so(memory: Path) -> None:
    assert ConsolidateLock(memory).acquire()
    done = run("dream")
    assert done.returncode == 1 and "another consolidation is at work" in done.stderr


def test_with_nothing_remembered_nothing_is_made(tmp_path: Path) -> None:
    for verb in ("dream", "history"):
        assert said(verb).startswith(("Nothing is remembered", "Nothing was changed"))
    assert not list(Path(os.environ["CLAUDE_CONFIG_DIR"]).rglob("memory"))


def test_hostile_names_and_texts_reach_no_terminal(memory: Path) -> None:
    (memory / "evil.md").write_text("---\nname: evil\ndescription: \x1b[31mred \u202e\n---\n\x1b]0;title\x07\n")
    for arguments in (["dream", "--dry-run"], ["dream"], ["history"], ["diff"], ["undo"]):
        text = said(*arguments)
        assert not any(c in text for c in "\x1b\x07\u202e")
