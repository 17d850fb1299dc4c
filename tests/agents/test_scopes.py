"""One directory a scope, from the repository's root, by a name that is safe; none where none was asked for."""
from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.agents import scopes
from tests.agents.conftest import Farm


@pytest.mark.parametrize(
    ("scope", "place"),
    [("project", "agent-memory/reviewer"), ("local", "agent-memory-local/reviewer"), ("user", "agent-memory/reviewer")],
)
def test_each_scope_has_its_directory_under_the_root_or_the_person_s_folder(farm: Farm, scope: str, place: str) -> None:
    farm.agent(scope=scope)
    farm.launch = farm.root / "deep" / "down"
    farm.launch.mkdir(parents=True)
    found = farm.scope()
    base = farm.config if scope == "user" else farm.root / ".claude"
    assert found.memory == str(base / place)
    # The client's own directory is the launch folder's: told apart, so that nobody takes it for ours.
    assert found.beside == ("" if scope == "user" else str(farm.launch / ".claude" / place))
    assert found.shared is (scope == "project")


def test_a_worktree_has_the_memory_of_its_own_checkout(farm: Farm, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {farm.root}/.git/worktrees/tree\n")
    farm.agent(folder=tree / ".claude" / "agents")
    farm.launch = tree
    assert farm.scope().memory == str(tree / ".claude" / "agent-memory" / "reviewer")
    assert farm.scope().beside == ""


@pytest.mark.parametrize("scope", ["", "bogus", "../x", "User/.."])
def test_an_agent_without_a_scope_has_no_memory(farm: Farm, scope: str) -> None:
    farm.agent(scope=scope)
    assert scopes.of("reviewer", str(farm.launch), farm.env, farm.state) is None


@pytest.mark.parametrize(
    "agent", ["../x", "", "a" * 300, "🐙", "a/b", "a\\b", ".hidden", "-x", "a..b", "a\0b", "é", "a\nb"]
)
def test_a_type_that_is_no_plain_name_is_refused_with_a_reason(agent: str) -> None:
    assert scopes.unsafe(agent)


@pytest.mark.parametrize(
    ("agent", "folder"),
    [("reviewer", "reviewer"), ("plugin:sub:reviewer", "plugin-sub-reviewer"), ("My Agent.v1_x", "My-Agent-v1_x")],
)
def test_a_type_s_folder_is_the_client_s(agent: str, folder: str) -> None:
    assert scopes.unsafe(agent) == ""
    assert scopes.folder_name(agent) == folder


@given(st.text(max_size=80))
def test_no_type_that_is_let_through_names_another_folder(agent: str) -> None:
    if not scopes.unsafe(agent):
        name = scopes.folder_name(agent)
        assert name and "/" not in name and "\\" not in name and "." not in name and name.isascii()


def test_a_directory_that_the_repository_made_a_link_is_astray(farm: Farm, tmp_path: Path) -> None:
    farm.agent()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    scope = farm.scope()
    assert scope.astray() == ""
    Path(scope.memory).parent.mkdir()
    Path(scope.memory).symlink_to(elsewhere)
    assert "link" in farm.scope().astray()
    _, seat = farm.seat()
    assert seat.scope is None and "link" in seat.problem


def test_a_link_that_the_person_made_in_their_own_folder_is_followed(farm: Farm, tmp_path: Path) -> None:
    farm.agent(scope="user")
    (tmp_path / "dotfiles").mkdir()
    (farm.config / "agent-memory").symlink_to(tmp_path / "dotfiles")
    assert farm.scope().astray() == ""


def test_the_project_s_own_memory_is_never_an_agent_s(farm: Farm) -> None:
    farm.agent()
    farm.env["CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"] = str(farm.root / ".claude" / "agent-memory" / "reviewer")
    _, seat = farm.seat()
    assert seat.scope is None and "own memory directory" in seat.problem


def test_every_scope_is_listed_whether_defined_or_only_there(farm: Farm) -> None:
    farm.agent()
    farm.agent("helper", "user")
    farm.agent("silent", "")
    for name in ("reviewer", "left-over"):
        (farm.root / ".claude" / "agent-memory" / name).mkdir(parents=True)
    found = scopes.known(str(farm.launch), farm.env, farm.state)
    assert [(one.agent, one.kind) for one in found] == [
        ("helper", "user"), ("left-over", "project"), ("reviewer", "project"),
    ]  # fmt: skip
