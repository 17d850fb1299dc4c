"""A round on the disk: files first, the manifest last; killed anywhere, the next round completes; nothing is lost."""
from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from lib.memory import files, history, lock, undo
from lib.team import keys, manifest, place, reconciliation
from lib.team.problems import StoreProblem
from tests.team.members import Member, Shelf, text_of


def test_what_one_shares_another_has(tmp_path: Path) -> None:
    ann, bob, shelf = Member(tmp_path / "ann"), Member(tmp_path / "bob"), Shelf()
    ann.write("otter.md", text_of("otter", "The staging server is called otter"))
    assert ann.exchange(shelf).pushed == ["otter.md"]
    assert bob.exchange(shelf).pulled == 1
    assert bob.read("otter.md") == ann.read("otter.md")
    assert "(otter.md)" in (bob.team / "MEMORY.md").read_text(), "the folder has an index of its own"
    assert not (bob.folder / "memory" / "MEMORY.md").exists()
    assert shelf.entries.keys() == {"otter.md"}, "the index is nobody's entry"


def test_a_round_without_news_asks_once_and_writes_nothing(tmp_path: Path) -> None:
    ann, shelf = Member(tmp_path), Shelf()
    ann.write("a.md", "1")
    ann.exchange(shelf)
    shelf.asked.clear()
    done = ann.exchange(shelf)
    assert (done.pulled, done.pushed, shelf.asked) == (0, [], ["all"])


def test_a_deleted_file_comes_back(tmp_path: Path) -> None:
    ann, shelf = Member(tmp_path), Shelf()
    ann.write("a.md", "1")
    ann.exchange(shelf)
    (ann.team / "a.md").unlink()
    assert ann.exchange(shelf).pulled == 1 and ann.read("a.md") == "1"


def test_what_gave_way_is_in_the_history_and_named(tmp_path: Path) -> None:
    ann, bob, shelf = Member(tmp_path / "ann"), Member(tmp_path / "bob"), Shelf()
    ann.write("a.md", "first")
    ann.exchange(shelf)
    bob.exchange(shelf)
    ann.write("a.md", "Ann's")
    ann.exchange(shelf)
    bob.write("a.md", "Bob's")
    done = bob.exchange(shelf)
    assert bob.read("a.md") == "Ann's" and done.yielded == ["a.md"]
    assert list(bob.known().yielded) == ["a.md"]
    kept = history.of(bob.memory, bob.state)
    assert any(kept.content(entry.files["team/a.md"][1]) == b"Bob's" for entry in kept.entries() if
               "team/a.md" in entry.files)  # fmt: skip


def test_a_pull_alone_lets_the_server_win(tmp_path: Path) -> None:
    ann, shelf = Member(tmp_path), Shelf()
    ann.write("a.md", "shared")
    ann.exchange(shelf)
    ann.write("a.md", "changed here")
    done = ann.exchange(shelf, push=False)
    assert ann.read("a.md") == "shared" and done.yielded == ["a.md"] and shelf.entries == {"a.md": "shared"}


def test_a_pull_can_be_taken_back(tmp_path: Path) -> None:
    ann, shelf = Member(tmp_path), Shelf({"api/a.md": "1", "b.md": text_of("b", "Two")})
    ann.exchange(shelf)
    kept = history.of(ann.memory, ann.state)
    entry = kept.entries()[0]
    assert (entry.note.who, entry.note.why) == ("team", "2 from a test")
    undone = undo.undo(kept, entry)
    assert sorted(undone.restored) == ["team/api/a.md", "team/b.md"] and ann.texts() == {}
    assert "b.md" not in (ann.team / "MEMORY.md").read_text()


@pytest.mark.parametrize("before", [1, 2, 3, 4])
def test_killed_before_any_write_the_next_round_completes(before: int, tmp_path: Path) -> None:
    shelf = Shelf({f"k{number}.md": f"text {number}\n" * 50 for number in range(3)})
    ann = Member(tmp_path)
    ann.write("k0.md", "an older text, changed here")
    child = os.fork()
    if not child:
        _die_at_write(before)
        ann.exchange(shelf)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    for key, text in ann.texts().items():
        assert text in (shelf.entries[key], "an older text, changed here"), "each file is whole"
    assert ann.known().checksum == "", "the manifest comes last"
    ann.exchange(shelf)
    assert ann.texts() == shelf.entries and ann.known().checksum == shelf.checksum
    assert [name for name in os.listdir(ann.team) if name.endswith(".tmp")] == []


def _die_at_write(before: int) -> None:
    """SIGKILL in the midst of the write number `before`: its temporary file is there, its name is not."""
    count = 0
    real = files._Folder.rename

    def rename(folder: files._Folder, old: str, new: str) -> None:
        nonlocal count
        count += 1
        if count == before:
            os.kill(os.getpid(), signal.SIGKILL)
        real(folder, old, new)

    setattr(files._Folder, "rename", rename)  # noqa: B010 - a method of another class


def test_a_file_that_cannot_be_written_is_named_and_asked_for_again(tmp_path: Path) -> None:
    ann, shelf = Member(tmp_path), Shelf({"a.md": "1", "b.md": "2"})
    outside = tmp_path / "outside.txt"
    outside.write_text("mine")
    ann.team.mkdir(parents=True)
    (ann.team / "a.md").symlink_to(outside)
    done = ann.exchange(shelf)
    assert outside.read_text() == "mine" and ann.read("b.md") == "2"
    assert "a.md" in done.held and ann.known().checksum == ""
    (ann.team / "a.md").unlink()
    ann.exchange(shelf)
    assert ann.read("a.md") == "1" and ann.known().unpulled == {}


def test_as_many_entries_as_there_may_be_are_taken_in_and_not_one_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "LIMIT", 20)
    shelf, ann = Shelf({f"k{number:05}.md": "x" for number in range(21)}), Member(tmp_path)
    done = ann.exchange(shelf)
    assert done.pulled == 20 and done.held == {"k00020.md": "more than 20 entries"}
    assert len(ann.texts()) == 20


def test_two_rounds_at_once_are_one_after_the_other(tmp_path: Path) -> None:
    ann = Member(tmp_path)
    held = lock.acquire(os.path.join(place.state_folder(ann.state), reconciliation.LOCK))
    assert held is not None
    with pytest.raises(StoreProblem, match="another process"):
        ann.exchange(Shelf())
    os.close(held)
    assert ann.exchange(Shelf()).pulled == 0


def test_an_unreadable_manifest_costs_a_comparison_and_nothing_else(tmp_path: Path) -> None:
    ann, shelf = Member(tmp_path), Shelf({"a.md": "1"})
    ann.exchange(shelf)
    for torn in (b"", b"{", b"[]", b'{"entries": 5, "yielded": [], "checksum": null}', b"[" * 100_000):
        Path(place.state_folder(ann.state), manifest.FILE).write_bytes(torn)
        assert ann.exchange(shelf).pulled == 0 and ann.known().checksum == shelf.checksum
