"""Only regular .md files below memory/team can ever be sent: no link, no second name, nothing beside the folder."""
from __future__ import annotations

import os
from pathlib import Path

from lib.team import place, wire
from tests.team.members import Member


def test_entries_are_read_with_the_checksum_of_their_bytes(tmp_path: Path) -> None:
    member = Member(tmp_path)
    member.write("a.md", "é\r\n")
    member.write("api/b.md", "b")
    local = place.read(member.memory)
    assert local.texts == {"a.md": "é\r\n", "api/b.md": "b"}
    assert local.checksums["a.md"] == wire.checksum("é\r\n") and local.held == {}


def test_nothing_private_is_read(tmp_path: Path) -> None:
    member = Member(tmp_path)
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "mine.md").write_text("private")
    (tmp_path / "memory" / "team-not.md").write_text("private")
    member.write("a.md", "shared")
    (member.team / "MEMORY.md").write_text("- [A](a.md) — a")
    (member.team / ".hidden.md").write_text("x")
    (member.team / "notes.txt").write_text("x")
    assert place.read(member.memory).texts == {"a.md": "shared"}


def test_what_is_no_plain_file_stays_here_and_is_named(tmp_path: Path) -> None:
    member = Member(tmp_path)
    private = tmp_path / "memory" / "mine.md"
    member.write("a.md", "shared")
    private.write_text("private")
    (member.team / "link.md").symlink_to(private)
    os.link(private, member.team / "hard.md")
    os.mkfifo(member.team / "pipe.md")
    (member.team / "bytes.md").write_bytes(b"\xff\xfe")
    (member.team / "big.md").write_bytes(b"x" * (wire.ENTRY_BYTES + 1))
    (member.team / "nul.md").write_text("x")
    (member.team / "folder").symlink_to(tmp_path / "memory")
    local = place.read(member.memory)
    assert local.texts == {"a.md": "shared"}
    assert {key: why.split(" (")[0] for key, why in local.held.items()} == {
        "link.md": "it is no regular file", "hard.md": "it has a second name", "pipe.md": "it is no regular file",
        "bytes.md": "it is not UTF-8 text", "big.md": f"it is over {wire.ENTRY_BYTES} bytes: shorten it",
        "nul.md": "the name is reserved on Windows",
    }  # fmt: skip


def test_a_folder_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine.md").write_text("private")
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "team").symlink_to(elsewhere)
    local = place.read(str(tmp_path / "memory"))
    assert local.texts == {} and list(local.held) == ["mine.md"]


def test_no_folder_is_no_entries(tmp_path: Path) -> None:
    assert place.read(str(tmp_path / "memory")).checksums == {}
