"""The folder names that the client uses, worked out without git; git itself builds the layouts."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.host import paths


def git(*arguments: str, cwd: Path) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "protocol.file.allow=always"]
    subprocess.run(["git", *who, *arguments], cwd=cwd, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()
    git("init", "-q", cwd=root)
    git("commit", "-q", "--allow-empty", "-m", "first", cwd=root)
    return root


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/home/u/my_proj.v2 x", "-home-u-my-proj-v2-x"),
        ("C:\\dev\\My App", "C--dev-My-App"),
        ("/a/é", "-a--"),
        ("/a/e\u0301", "-a-e-"),  # no normalisation: composed and decomposed differ
        ("/a/😀", "-a---"),  # two UTF-16 units
        ("/a//b", "-a--b"),  # no squeezing
        ("", ""),
    ],
)
def test_each_utf16_unit_outside_ascii_alphanumerics_is_one_hyphen(path: str, name: str) -> None:
    assert paths.slug(path) == name


def test_two_hundred_characters_stay_and_one_more_brings_the_hash() -> None:
    assert paths.slug("/" + "a" * 199) == "-" + "a" * 199
    long = "/" + "a" * 259
    # h = 31*h + unit over the path, as signed 32 bits, absolute, base 36: reckoned by hand with unbounded integers
    h = 0
    for c in long:
        h = 31 * h + ord(c)
    h &= 0xFFFFFFFF
    h = abs(h - 2**32 if h >= 2**31 else h)
    digits = ""
    while h:
        h, d = divmod(h, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[d] + digits
    assert paths.slug(long) == "-" + "a" * 199 + "-" + digits


def test_the_hash_is_taken_of_the_original_path_not_of_its_slug() -> None:
    assert paths.slug("/x/" + "a_" * 120) != paths.slug("/x/" + "a-" * 120)
    assert paths.slug("/x/" + "a_" * 120)[:200] == paths.slug("/x/" + "a-" * 120)[:200]


@given(st.text(max_size=300))
def test_a_slug_is_a_plain_name_within_its_limit(path: str) -> None:
    name = paths.slug(path)
    assert set(name) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-")
    assert len(name) <= 208
    if len(name) <= 200:
        assert len(name) == len(path.encode("utf-16-le", "surrogatepass")) // 2


def test_a_folder_below_the_root_stands_for_the_repository(repository: Path) -> None:
    (repository / "pkg" / "sub").mkdir(parents=True)
    assert paths.project_root(str(repository / "pkg" / "sub")) == str(repository)


def test_a_linked_worktree_stands_for_the_main_checkout(repository: Path) -> None:
    git("worktree", "add", "-q", "../linked", cwd=repository)
    assert paths.project_root(str(repository.parent / "linked")) == str(repository)


def test_a_worktree_of_a_bare_repository_stands_for_the_bare_repository(repository: Path) -> None:
    git("clone", "-q", "--bare", "repo", "b.git", cwd=repository.parent)
    git("worktree", "add", "-q", "../wt", cwd=repository.parent / "b.git")
    assert paths.project_root(str(repository.parent / "wt")) == str(repository.parent / "b.git")


def test_a_submodule_stands_for_itself(repository: Path) -> None:
    outer = repository.parent / "outer"
    outer.mkdir()
    git("init", "-q", cwd=outer)
    git("submodule", "add", "-q", str(repository), "inner", cwd=outer)
    assert (outer / "inner" / ".git").is_file()
    assert paths.project_root(str(outer / "inner")) == str(outer / "inner")


def test_a_symbolic_link_stands_for_the_physical_path(repository: Path) -> None:
    link = repository.parent / "link"
    link.symlink_to(repository)
    assert paths.project_root(str(link)) == str(repository)


def test_no_repository_and_a_vanished_folder_stand_for_themselves(tmp_path: Path) -> None:
    assert paths.project_root(str(tmp_path)) == str(tmp_path)
    assert paths.project_root(str(tmp_path / "gone" / "x")) == str(tmp_path / "gone" / "x")


def test_a_git_file_that_points_at_a_stranger_does_not_open_the_strangers_memory(repository: Path) -> None:
    git("worktree", "add", "-q", "../linked", cwd=repository)
    archive = repository.parent / "unpacked"
    archive.mkdir()
    (archive / ".git").write_bytes((repository.parent / "linked" / ".git").read_bytes())
    assert paths.project_root(str(archive)) == str(archive)


@pytest.mark.parametrize(
    "pointer", [b"", b"gitdir:", b"gitdir: /nowhere", b"\xff\xfe", b"gitdir: " + b"x" * 9000, b"\0"]
)
def test_a_damaged_git_file_stands_for_its_own_folder(tmp_path: Path, pointer: bytes) -> None:
    (tmp_path / ".git").write_bytes(pointer)
    assert paths.project_root(str(tmp_path)) == str(tmp_path)


def test_the_first_that_applies_names_the_memory(tmp_path: Path) -> None:
    env = {"HOME": "/h", "CLAUDE_CONFIG_DIR": "/c d"}
    project = str(tmp_path)
    assert paths.memory_path(project, env, {}) == f"/c d/projects/{paths.slug(project)}/memory"
    assert paths.memory_path(project, {"HOME": "/h"}, {}) == f"/h/.claude/projects/{paths.slug(project)}/memory"
    assert paths.memory_path(project, env, {"autoMemoryDirectory": "~/notes"}) == "/h/notes"
    assert paths.memory_path(project, env, {"autoMemoryDirectory": "/n/../m"}) == "/m"
    override = {**env, "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": "/o"}
    assert paths.memory_path(project, override, {"autoMemoryDirectory": "/n"}) == "/o"
    assert paths.memory_dir(tmp_path, override, {}) == Path("/o")


@pytest.mark.parametrize("setting", ["relative", "", 5, None, ["/x"], "~other/x"])
def test_a_setting_that_is_no_absolute_path_does_not_apply(tmp_path: Path, setting: object) -> None:
    env = {"CLAUDE_CONFIG_DIR": "/c"}
    assert paths.memory_path(str(tmp_path), env, {"autoMemoryDirectory": setting}).startswith("/c/projects/")


@pytest.mark.parametrize(
    "env", [{}, {"HOME": ""}, {"HOME": "relative"}, {"HOME": "/h", "CLAUDE_CONFIG_DIR": "relative"}]
)
def test_without_a_home_there_is_no_memory_and_nothing_at_the_root(tmp_path: Path, env: dict[str, str]) -> None:
    assert paths.config_dir(env) == ""
    assert paths.memory_path(str(tmp_path), env, {}) == ""
    with pytest.raises(ValueError, match="set HOME or CLAUDE_CONFIG_DIR"):
        paths.memory_dir(tmp_path, env, {})
