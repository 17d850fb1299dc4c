"""One project, one folder: paths in every spelling, two projects that share one, worktrees that come and go."""
from __future__ import annotations

import os
from pathlib import Path

import pytest

from lib.cli import doctor
from lib.cli import place as places
from lib.host import paths
from lib.host.call import Call
from lib.host.payload import Payload
from lib.journal import Journal
from lib.memory import files
from tests.support.scene import git


def memory_of(folder: Path, **env: str) -> str:
    return paths.memory_path(str(folder), {**os.environ, **env}, {})


def noted(folder: Path, session: str) -> None:
    """A session of a project, as its first hook notes it."""
    given = {"session_id": session, "cwd": str(folder), "hook_event_name": "SessionStart"}
    call = Call("SessionStart", Payload(given), os.environ, 1e9)
    Journal(call.state, session).append("session", launch=call.launch, at=0)


def test_projects_that_share_a_folder_are_named_by_doctor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = tmp_path / "a_b", tmp_path / "a.b"
    for folder, session in ((one, "s-1"), (two, "s-2")):
        folder.mkdir()
        noted(folder, session)
    assert memory_of(one) == memory_of(two)  # the client's own rule: nothing of ours can part them
    doctor.run([], places.here(str(one), os.environ))
    told = [row for row in capsys.readouterr().out.split("\n") if "shared folder" in row]
    assert len(told) == 1 and f"{two} has the same memory directory" in told[0] and "autoMemoryDirectory" in told[0]
    alone = tmp_path / "alone"
    alone.mkdir()
    noted(alone, "s-3")
    doctor.run([], places.here(str(alone), os.environ))
    assert "memory directory" in (out := capsys.readouterr().out) and "shared folder" not in out


def test_what_a_removed_worktree_saved_is_found_in_the_main_checkout(tmp_path: Path) -> None:
    main, tree = tmp_path / "main", tmp_path / "tree"
    main.mkdir()
    git(main, "init", "-q")
    git(main, "commit", "-q", "--allow-empty", "-m", "first")
    git(main, "worktree", "add", "-q", str(tree))
    files.write(memory_of(tree), "otter.md", b"the server is called otter\n")
    git(main, "worktree", "remove", str(tree))
    assert files.read(memory_of(main), "otter.md") == b"the server is called otter\n"


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("/f/notes", "F:\\notes"), ("f:/notes", "F:\\notes"), ("F:\\notes", "F:\\notes"), ("f:\\notes", "F:\\notes"),
        ("/c", "C:\\"), ("/tmp/x", "\\tmp\\x"), ("\\\\server\\share", "\\\\server\\share"), ("", ""),
    ],
)  # fmt: skip
def test_every_spelling_of_a_windows_folder_is_one(given: str, meant: str) -> None:
    assert paths.native(given, windows=True) == meant
    assert paths.native(given, windows=False) == given


def test_the_named_configuration_folder_is_taken_as_it_is_written(tmp_path: Path, own_home: Path) -> None:
    named = tmp_path / "my config; $HOME"
    assert memory_of(tmp_path, CLAUDE_CONFIG_DIR=str(named)).startswith(f"{named}{os.sep}projects{os.sep}")
    assert paths.own_dir(paths.config_dir({"HOME": "/h", "CLAUDE_CONFIG_DIR": str(named)})).startswith(str(named))
    assert not named.exists() and os.listdir(own_home / ".claude") == []
