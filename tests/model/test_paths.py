"""Where reads may go and where writes may be staged."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lib.model.paths import Place, Refused, inside, readable, writable
from tests.model.conftest import Room


def read(room: Room, path: object) -> Place | Refused:
    return readable(path, room.scope.memory_dir, room.scope.read_roots)


@pytest.mark.parametrize(
    "path",
    ["{b}/project/app.py", "{b}/project", "{b}/memory/a.md", "a.md", "app.py", "sub/../app.py", "{b}/project/link_in"],
)
def test_what_lies_inside_a_root_may_be_read(room: Room, path: str) -> None:
    place = read(room, path.format(b=room.base))
    assert isinstance(place, Place)
    assert os.path.exists(place.path) and not os.path.islink(place.path)


@pytest.mark.parametrize(
    "path",
    [
        "{b}/outside/secret.txt",
        "{b}/project-evil/x.md",
        "{b}/project/../outside/secret.txt",
        "../outside/secret.txt",
        "{b}/project/link_out",
        "link_out",
        "{b}/project/dir_out/secret.txt",
        "dir_out/secret.txt",
        "dir_out",
        "/",
        "/etc/passwd",
        "{b}",
        "~/x",
        "~root/.bashrc",
        "sub/../../outside/secret.txt",
        "/proc/self/environ",
        "{b}/project/../project-evil/x.md",
        "a\0b",
        "a\nb",
        "\ud800",
        "",
        " ",
        "x" * 5000,
        None,
        5,
        ["a.md"],
        b"a.md",
    ],
)
def test_what_lies_outside_or_is_no_path_is_refused_with_a_reason(room: Room, path: object) -> None:
    verdict = read(room, path.format(b=room.base) if isinstance(path, str) else path)
    assert isinstance(verdict, Refused)
    assert verdict.reason.endswith(".")


def test_a_relative_path_is_refused_when_any_root_would_let_it_out(room: Room) -> None:
    (room.memory / "link_out").write_text("harmless")
    assert isinstance(read(room, "link_out"), Refused)


def test_the_memory_directory_is_looked_into_first(room: Room) -> None:
    (room.project / "a.md").write_text("of the project")
    place = read(room, "a.md")
    assert isinstance(place, Place) and place.path == str(room.memory / "a.md")


def test_the_root_of_the_disk_is_no_root() -> None:
    assert isinstance(readable("/etc/passwd", "/", ("/",)), Refused)


@pytest.mark.parametrize(
    "name",
    [
        ".env",
        ".env.local",
        "prod.env",
        ".npmrc",
        ".netrc",
        "id_rsa",
        "server.pem",
        "tls.KEY",
        ".git-credentials",
        ".ssh/config",
        ".aws/credentials",
        "sub/.kube/config",
        ".git/config",
    ],
)
def test_files_of_credentials_are_not_read(room: Room, name: str) -> None:
    (room.project / name).parent.mkdir(exist_ok=True, parents=True)
    (room.project / name).write_text("x")
    verdict = read(room, str(room.project / name))
    assert isinstance(verdict, Refused) and "credentials" in verdict.reason


@pytest.mark.parametrize("name", [".env.example", "environment.py", "keys.md", ".gitignore", "config", "secrets.md"])
def test_files_that_only_sound_like_it_are_read(room: Room, name: str) -> None:
    assert isinstance(read(room, str(room.project / name)), Place)


def test_a_sibling_with_the_same_beginning_is_not_inside() -> None:
    assert inside("/a/b", "/a/b") and inside("/a/b/c", "/a/b") and not inside("/a/bc", "/a/b")


GOOD = [
    "a.md",
    "new.md",
    "{m}/a.md",
    "{m}/new.md",
    "team/x.md",
    "logs/2026/11/2026-11-30.md",
    "größe.md",
    "a b.md",
    "日本.md",
]
BAD = [
    "../a.md",
    "{m}/../x.md",
    "{m}-evil/x.md",
    "/etc/x.md",
    "~/x.md",
    "a.txt",
    "a",
    ".hidden.md",
    "x/.git/a.md",
    "-rf.md",
    "a\u200b.md",
    "a\u202e.md",
    "a\x1b.md",
    "a\ufe0f.md",
    "a\u3164.md",
    "a\u00a0b.md",
    "nul.md",
    "team/CON.md",
    "a.md/b.md",
    "a:b.md",
    "a\\b.md",
    "\uff0e\uff0e/x.md",
    "a\uff0fb.md",
    "team//x.md",
    "./a.md",
    "team/./x.md",
    "{m}",
    "{m}/",
    "team/",
    "a/b/c/d/e.md",
    "x" * 300 + ".md",
    " a.md",
    "a.md ",
    "a.md.",
    "link.md",
    "dangling.md",
    "linked/x.md",
    "folder.md",
    "pipe.md",
    "hard.md",
    "%2e%2e/x.md",
    "//server/x.md",
    "\ud800.md",
    "",
    None,
    5,
    ["a.md"],
    b"a.md",
]


@pytest.fixture
def strewn(room: Room) -> Room:
    memory, outside = room.memory, room.outside
    (memory / "link.md").symlink_to(outside / "secret.txt")
    (memory / "dangling.md").symlink_to(outside / "none")
    (memory / "linked").symlink_to(outside)
    (memory / "folder.md").mkdir()
    os.mkfifo(memory / "pipe.md")
    os.link(outside / "secret.txt", memory / "hard.md")
    return room


@pytest.mark.parametrize("path", GOOD)
def test_a_plain_name_in_the_memory_directory_may_be_written(strewn: Room, path: str) -> None:
    place = writable(path.format(m=strewn.memory), str(strewn.memory))
    assert isinstance(place, Place) and not place.path.startswith("/")


@pytest.mark.parametrize("path", BAD)
def test_every_other_name_is_refused_with_a_reason(strewn: Room, path: object) -> None:
    given_path = path.format(m=strewn.memory) if isinstance(path, str) else path
    verdict = writable(given_path, str(strewn.memory))
    assert isinstance(verdict, Refused)
    assert verdict.reason.endswith(".")


def test_a_memory_directory_that_is_itself_a_link_is_the_persons_choice(room: Room) -> None:
    linked = room.base / "linked-memory"
    linked.symlink_to(room.memory)
    for path in ("new.md", f"{linked}/new.md", f"{room.memory}/new.md"):
        place = writable(path, str(linked))
        assert isinstance(place, Place) and place.path == "new.md"


def test_a_memory_directory_that_does_not_exist_yet_may_be_written(tmp_path: Path) -> None:
    assert isinstance(writable("a.md", str(tmp_path / "later")), Place)
    assert isinstance(writable("a.md", ""), Refused)


@pytest.mark.heavy
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(st.text(st.sampled_from("a./\\~-:*\0\n \u200b\u2025\uff0f\ud800é%2e"), max_size=24))
def test_no_spelling_raises_or_leaves_the_memory_directory(strewn: Room, path: str) -> None:
    place = writable(path, str(strewn.memory))
    if isinstance(place, Place):
        assert os.path.realpath(strewn.memory / place.path).startswith(f"{strewn.memory}/")
    seen = read(strewn, path)
    if isinstance(seen, Place):
        assert inside(seen.path, str(strewn.project)) or inside(seen.path, str(strewn.memory))
