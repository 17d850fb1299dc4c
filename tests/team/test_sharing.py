"""A memory is shared because the person says so: checked, signed, without what is theirs alone, and undoable."""
from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from lib.memory import files, frontmatter, history, index, store, undo
from lib.team import sharing
from lib.team.problems import StoreProblem
from tests.team.members import Member, Shelf

TODAY = datetime.date(2026, 11, 30)
KEY = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
ORIGIN = {"originSessionId": "3f0c4b1e", "said_by": "user", "quote": "it is otter, dammit", "noted": "2026-11-01"}


def private(member: Member, name: str, said: str, body: str = "", **metadata: str) -> str:
    files.write(member.memory, f"{name}.md", store.text_of(name, "reference", said, body or said, metadata).encode())
    index.mend(member.memory)
    return f"{name}.md"


def shared(member: Member, file: str) -> str:
    return sharing.share(member.memory, member.state, file, "Ann Lee", TODAY)


def test_a_memory_moves_with_its_words_and_a_signature(tmp_path: Path) -> None:
    ann = Member(tmp_path)
    key = shared(ann, private(ann, "otter", "The staging server is called otter", "Reach it by ssh.", **ORIGIN))
    assert key == "otter.md" and not (tmp_path / "memory" / "otter.md").exists()
    text = ann.read("otter.md")
    document = frontmatter.parse(text)
    assert document.fields["metadata"] == {
        "type": "reference", "noted": "2026-11-01", "author": "Ann Lee", "shared": "2026-11-30"
    }  # fmt: skip
    assert document.body.strip() == "Reach it by ssh." and "dammit" not in text
    assert "otter.md" not in (tmp_path / "memory" / "MEMORY.md").read_text()
    assert "(otter.md)" in (ann.team / "MEMORY.md").read_text()


def test_sharing_is_one_entry_that_can_be_taken_back(tmp_path: Path) -> None:
    ann = Member(tmp_path)
    file = private(ann, "otter", "The staging server is called otter", **ORIGIN)
    before = (tmp_path / "memory" / file).read_bytes()
    shared(ann, file)
    kept = history.of(ann.memory, ann.state)
    entry = kept.entries()[0]
    assert (entry.note.who, entry.note.why, set(entry.files) - {"MEMORY.md"}) == (
        "team", "otter.md shared with the team", {"otter.md", "team/otter.md"}
    )  # fmt: skip
    assert sorted(undo.undo(kept, entry).restored) == ["otter.md", "team/otter.md"]
    assert (tmp_path / "memory" / file).read_bytes() == before and ann.texts() == {}


def test_a_secret_is_not_shared_and_not_shown(tmp_path: Path) -> None:
    ann = Member(tmp_path)
    file = private(ann, "otter", "The staging server is called otter", f"Its token is {KEY}.")
    with pytest.raises(StoreProblem, match="what looks like a secret") as caught:
        shared(ann, file)
    assert KEY not in str(caught.value) and ann.texts() == {} and (tmp_path / "memory" / file).exists()


@pytest.mark.parametrize("taken", ["otter.md", "Otter.md"])
def test_what_the_team_has_already_is_not_overwritten(taken: str, tmp_path: Path) -> None:
    ann = Member(tmp_path)
    ann.write(taken, "the team's")
    file = private(ann, "otter", "The staging server is called otter")
    with pytest.raises(StoreProblem, match="already"):
        shared(ann, file)
    assert ann.texts() == {taken: "the team's"} and (tmp_path / "memory" / file).exists()


@pytest.mark.parametrize("data", [b"no frontmatter\n", b"---\nname: otter\n---\nx", b"\xff\xfe"])
def test_what_is_no_memory_is_refused_with_what_to_do(data: bytes, tmp_path: Path) -> None:
    ann = Member(tmp_path)
    files.write(ann.memory, "otter.md", data)
    with pytest.raises(StoreProblem, match="not shared: .*memory.py edit otter"):
        shared(ann, "otter.md")
    assert ann.texts() == {}


def test_what_is_not_there_is_not_shared(tmp_path: Path) -> None:
    with pytest.raises(StoreProblem, match="cannot be read"):
        shared(Member(tmp_path), "otter.md")


def test_what_was_shared_is_what_others_get(tmp_path: Path) -> None:
    ann, bob, shelf = Member(tmp_path / "ann"), Member(tmp_path / "bob"), Shelf()
    private(ann, "mine", "This stays with me")
    shared(ann, private(ann, "otter", "The staging server is called otter"))
    ann.exchange(shelf)
    bob.exchange(shelf)
    assert shelf.entries.keys() == {"otter.md"} and bob.texts() == ann.texts()
