"""Where the store is and which token it gets: from the environment or git's helper, asking nobody."""
from __future__ import annotations

import os
from pathlib import Path

import pytest

from lib.team import git_program, opening
from lib.team.choice import GIT, HTTP, OFF, Choice
from lib.team.problems import StoreProblem
from tests.team.members import git

URL = "https://memory.example.com"


def test_the_environment_has_the_token(tmp_path: Path) -> None:
    assert opening.token(URL, str(tmp_path), {git_program.TOKEN: " abc \n"}) == "abc"


def test_gits_helper_has_the_token_for_that_address(tmp_path: Path) -> None:
    file = tmp_path / "credentials"
    file.write_text("https://ann:from-the-helper@memory.example.com\nhttps://ann:other@example.com\n")
    git("config", "--global", "credential.helper", f"store --file={file}", cwd=tmp_path)
    assert opening.token(URL, str(tmp_path), {}) == "from-the-helper"
    with pytest.raises(StoreProblem, match="no token"):
        opening.token("https://elsewhere.example.com", str(tmp_path), {})


@pytest.mark.parametrize("value", ["a b", "tök", "a\nb", "a\x00"])
def test_what_is_no_token_is_not_sent(value: str, tmp_path: Path) -> None:
    with pytest.raises(StoreProblem) as caught:
        opening.token(URL, str(tmp_path), {git_program.TOKEN: value})
    assert value not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "name"),
    [("git@github.com:acme/app.git", "acme/app"), ("https://github.com/acme/app", "acme/app"),
     ("https://gitlab.example/group/sub/app.git", "sub/app"), ("ssh://git@host:22/acme/app.git/", "acme/app"),
     ("/srv/git/app.git", "git/app"), ("app", ""), ("https://x/", ""), ("https://x/../..", "")],
)  # fmt: skip
def test_a_remotes_address_names_the_repository(url: str, name: str) -> None:
    assert opening.repository(url) == name


@pytest.mark.parametrize("name", ["", "app", "a/b/c", "a/..", "../b", "a b/c", "a/b?x", "a/b&r=c", "a/" + "b" * 101])
def test_what_is_no_repository_is_refused(name: str) -> None:
    assert not opening.valid_repository(name)


def test_a_remotes_relative_path_is_made_absolute(tmp_path: Path) -> None:
    git("init", "-q", "clone", cwd=tmp_path)
    git("remote", "add", "origin", "../hub.git", cwd=tmp_path / "clone")
    assert opening.remote_url(str(tmp_path / "clone"), "origin") == str(tmp_path / "hub.git")


@pytest.mark.parametrize("name", ["", "-x", "--upload-pack=x", "a b", "a;b", "x" * 200])
def test_what_is_no_remotes_name_is_not_asked_for(name: str, tmp_path: Path) -> None:
    with pytest.raises(StoreProblem, match="no name of a git remote"):
        opening.remote_url(str(tmp_path), name)


def test_the_author_is_who_the_persons_commits_name(tmp_path: Path) -> None:
    assert opening.author(str(tmp_path), {"USER": "ann"}) == "ann" and opening.author(str(tmp_path), {}) == "somebody"
    git("config", "--global", "user.name", "Ann Lee", cwd=tmp_path)
    assert opening.author(str(tmp_path), {"USER": "ann"}) == "Ann Lee"


def test_an_origin_is_told_without_an_address_that_could_hold_a_password() -> None:
    assert opening.origin(Choice(GIT, remote="origin")) == "the git remote origin"
    assert opening.origin(Choice(HTTP, url=URL)) == "memory.example.com" and opening.origin(Choice(OFF)) == "nowhere"


def test_without_a_choice_nothing_is_opened(tmp_path: Path) -> None:
    with pytest.raises(StoreProblem, match="no team is set up"):
        opening.opened(Choice(), str(tmp_path), str(tmp_path), os.environ)


def test_git_and_what_it_starts_do_not_see_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(git_program.TOKEN, "abc")
    assert git_program.TOKEN not in git_program.environment()
