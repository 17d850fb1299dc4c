"""No tool reads a file of credentials inside the roots: not by name, not by a pattern, not by walking a folder."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.model import shell
from lib.model.credentials import FILES, FOLDERS, LEFT_OUT_BY_GREP, LEFT_OUT_BY_RG, is_credential
from lib.model.permission import can_use_tool
from lib.model.scope import Denied
from lib.model.searching import glob, grep
from lib.model.shell import jail as shell_jail
from tests.model.conftest import Room, Yard

MARK = "TOPSECRET"
# One file for each pattern, in a spelling of its own, and what lies below a folder of credentials.
NAMES = sorted({pattern.replace("*", "x") for pattern in FILES} | {"SERVER.PEM", ".Env", "Id_Rsa"})
BELOW = [f"{folder}/token.md" for folder in FOLDERS] + [".SSH/known.md", ".git/config"]


@pytest.fixture
def full(yard: Yard) -> Yard:
    """The yard with every kind of credentials in a folder of it, beside one harmless file."""
    for name in [*NAMES, *BELOW]:
        path = yard.root / "sub" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{MARK}\n")
    (yard.root / "sub" / "plain.md").write_text(f"not {MARK} at all\n")
    return yard


@pytest.mark.parametrize("name", [*NAMES, *BELOW, ".ssh", "a/.aws", "deep/.env.production"])
def test_a_name_where_credentials_lie_is_known(name: str) -> None:
    assert is_credential(f"/p/{name}", ["/p"])


@pytest.mark.parametrize(
    "name",
    [".env.example", ".env.sample", "environment.py", "env", "credentials.py", "credentials.md", "keys.md", "key", "",
     "config", ".gitignore", "secrets.md", "id_rsa.pub", "history.md", "ssh/notes.md", ".github/config"],
)  # fmt: skip
def test_a_name_that_only_sounds_like_it_is_none(name: str) -> None:
    assert not is_credential(f"/p/{name}", ["/p"])


def test_a_folder_above_the_root_says_nothing_about_what_lies_below() -> None:
    assert not is_credential("/home/u/.ssh/notes/a.md", ["/home/u/.ssh/notes"])
    assert is_credential("/home/u/.ssh/notes/a.md", ["/home/u"])


@pytest.mark.parametrize(
    "line",
    [
        "grep -r TOPSECRET .",
        "grep -rn TOPSECRET sub",
        "grep --recursive TOPSECRET",
        "grep -r --include=.env --include='*.pem' TOPSECRET .",
        "grep -r --include='*' TOPSECRET sub",
        "grep -rs -e TOPSECRET -- sub",
        "grep -re -- sub -e TOPSECRET",
        "grep -rc TOPSECRET sub",
        "grep -rhI TOPSECRET sub/",
        "grep -r TOPSECRET sub/*",
        "cat sub/*",
        "cat sub/.*",
        "head sub/*.pem sub/plain.md",
        "find . -name '.env*' | head -3",
    ],
)
def test_no_command_prints_what_is_in_them(full: Yard, line: str) -> None:
    text, _ = shell.bash({"command": line}, full.scope)
    printed = [row for row in text.splitlines() if MARK in row]
    assert [row for row in printed if f"not {MARK} at all" not in row] == []


def test_a_recursive_search_still_finds_the_rest(full: Yard) -> None:
    found, failed = shell.bash({"command": "grep -rn TOPSECRET ."}, full.scope)
    assert (found, failed) == ("./sub/plain.md:1:not TOPSECRET at all\n", False)
    assert shell.bash({"command": "grep -rle TOPSECRET -- ."}, full.scope)[0] == "./sub/plain.md\n"


@pytest.mark.parametrize("name", [".env", "server.pem", ".ssh", ".ssh/token.md", ".git/config"])
def test_naming_one_is_refused_and_says_why(full: Yard, name: str) -> None:
    (full.root / "sub/server.pem").write_text(MARK)
    for line in (f"cat sub/{name}", f"grep -r x sub/{name}", f"ls sub/{name}", f"sed -n 1p ./sub/{name}"):
        reason = shell.decide(line, full.scope)
        assert "credentials" in reason, line
    assert not can_use_tool("Read", {"file_path": str(full.root / "sub" / name)}, scope=full.scope).allowed


def test_our_own_search_passes_them_over(room: Room) -> None:
    for name in [*NAMES, *BELOW, "plain.md"]:
        path = room.project / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(MARK)
    assert grep(room.sandbox(), {"pattern": MARK}) == str(room.project / "plain.md")
    listed = glob(room.sandbox(), {"pattern": "**/*"}).splitlines()
    assert str(room.project / "plain.md") in listed
    assert not {os.path.relpath(path, room.project) for path in listed} & {*NAMES, *BELOW}


def test_the_flags_are_put_where_they_are_flags_and_overrule_all_before(yard: Yard) -> None:
    for line, before, after in (
        ("grep -r foo", ["grep", "-r", "foo"], []),
        ("grep -r -e foo -- sub", ["grep", "-r", "-e", "foo"], ["--", "sub"]),
        ("grep -re -- sub", ["grep", "-re", "--", "sub"], []),
    ):
        pipelines = shell.parse(line)
        assert not isinstance(pipelines, Denied)
        resolved = shell.resolve(pipelines, yard.scope)
        assert resolved == [[[*before, *LEFT_OUT_BY_GREP, *after]]]


def test_a_search_of_named_files_is_run_as_it_stands(yard: Yard) -> None:
    pipelines = shell.parse("grep -n foo notes.md")
    assert not isinstance(pipelines, Denied)
    assert shell.resolve(pipelines, yard.scope) == [[["grep", "-n", "foo", "notes.md"]]]


def test_rg_passes_them_over_too(full: Yard) -> None:
    rg = shell_jail.binary("rg")
    if not rg:
        pipelines = shell.parse("rg -uu TOPSECRET -- sub")
        assert not isinstance(pipelines, Denied)
        expected = ["rg", "-uu", "TOPSECRET", *LEFT_OUT_BY_RG, "--", "sub"]
        assert shell.resolve(pipelines, full.scope) == [[expected]]
        return
    for flags in (["-uu"], ["-uu", "--glob=.env"], ["-uu", "--iglob=*.pem"], ["--hidden", "--no-ignore"]):
        for place in (".", "sub", str(full.root)):
            argv = [rg, *flags, MARK, *LEFT_OUT_BY_RG, "--", place]
            ran = subprocess.run(argv, cwd=full.root, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            assert [row for row in ran.stdout.splitlines() if f"not {MARK}" not in row] == []


def test_the_list_itself_is_well_formed() -> None:
    assert all(pattern == pattern.casefold() and pattern.count("*") <= 1 for pattern in FILES)
    assert len(set(FILES)) == len(FILES)


@given(st.text(st.sampled_from("/.ABCenvpmkysh*-_"), max_size=20))
def test_any_path_gets_a_verdict(path: str) -> None:
    assert is_credential(f"/p/{path}", ["/p"]) in (True, False)
    assert is_credential(path, [str(Path("/p"))]) in (True, False)
