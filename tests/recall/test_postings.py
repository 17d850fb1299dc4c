"""The saved index follows the folder: after edits, renames, deletions, changed clocks and damage."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from lib.recall import postings
from lib.recall.library import Library
from lib.recall.postings import catch_up, refresh
from lib.recall.tables import Index
from tests.recall.folder import HARBOUR, age, memory, write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = write(tmp_path / "memory", HARBOUR)
    for file in found.iterdir():
        age(file, 100)
    age(found, 100)
    return found


def held(folder: Path, path: Path) -> dict[str, int]:
    """What the index holds on disk: file -> how many terms."""
    index = Index(str(path), str(folder))
    found = {
        file: len(index._run("SELECT 1 FROM posting WHERE memory = ?", (row[0],)))
        for file, row in index.known().items()
    }
    index.close()
    return found


def looked_at(folder: Path, path: Path) -> Library:
    index = Index(str(path), str(folder))
    library = Library(index, str(folder))
    catch_up(library, 5.0)
    return library


def test_refresh_makes_and_keeps_the_index_of_the_folder(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "state" / "recall.sqlite"
    assert refresh(str(folder), str(path)) == len(HARBOUR)
    assert set(held(folder, path)) == {f"{name}.md" for name in HARBOUR}
    write(folder, {"new": memory("lighthouse", "It blinks"), "vault": memory("vault", "Elsewhere")})
    (folder / "outbox.md").unlink()
    (folder / "season.md").rename(folder / "calendar.md")
    assert refresh(str(folder), str(path)) == len(HARBOUR)
    assert set(held(folder, path)) == {f"{name}.md" for name in HARBOUR} - {"outbox.md", "season.md"} | {
        "new.md",
        "calendar.md",
    }


def edit(folder: Path) -> None:
    (folder / "vault.md").write_text(memory("vault", "A lighthouse"))


def edit_behind_the_clock(folder: Path) -> None:
    (folder / "vault.md").write_text(HARBOUR["vault"].replace("ecret", "aucer"))
    os.utime(folder / "vault.md", (5, 5))


def replace(folder: Path) -> None:
    (folder / "x").write_text(memory("vault", "A lighthouse"))
    os.replace(folder / "x", folder / "vault.md")


def delete(folder: Path) -> None:
    (folder / "vault.md").unlink()


def turn_into_a_folder(folder: Path) -> None:
    delete(folder)
    (folder / "vault.md").mkdir()


def turn_into_a_link(folder: Path) -> None:
    delete(folder)
    (folder / "vault.md").symlink_to(folder / "season.md")


CHANGES = [edit, edit_behind_the_clock, replace, delete, turn_into_a_folder, turn_into_a_link]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("small", [True, False], ids=["small", "large"])
def test_a_change_is_seen_before_a_prompt_is_answered(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None], small: bool
) -> None:
    path = tmp_path / "i"
    refresh(str(folder), str(path))
    if not small:
        monkeypatch.setattr(postings, "SMALL", 0)
    change(folder)
    library = looked_at(folder, path)
    secrets = [library.card(row[0]) for row in library.postings("secret")]
    assert secrets == []
    assert library.frequency("secret") == 0
    library.index.close()


def test_a_line_of_the_index_file_counts_and_follows_it(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "i"
    refresh(str(folder), str(path))
    (folder / "MEMORY.md").write_text("- [Season](season.md) — the lighthouse\n")
    library = looked_at(folder, path)
    assert library.frequency("lighthous") == 1
    library.save()
    library.index.close()
    (folder / "MEMORY.md").write_text("- [Season](season.md) — the siren\n")
    library = looked_at(folder, path)
    assert (library.frequency("lighthous"), library.frequency("siren")) == (0, 1)
    library.index.close()


def test_a_large_unchanged_folder_is_sampled_not_compared(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "i"
    refresh(str(folder), str(path))
    monkeypatch.setattr(postings, "SMALL", 0)
    monkeypatch.setattr(postings, "_compared", lambda *_: pytest.fail("every file was compared"))
    library = looked_at(folder, path)
    assert (library.gone, library.fresh) == (set(), {})
    library.index.close()


def test_a_folder_changed_in_this_very_moment_is_not_taken_as_settled(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postings, "TICK_NS", 60_000_000_000)  # however slow the machine is
    path = tmp_path / "i"
    write(folder, {"new": memory("new", "x")})
    refresh(str(folder), str(path))
    index = Index(str(path), str(folder))
    assert index.note("folder") == ""
    age(folder, 100)
    refresh(str(folder), str(path))
    index.reload()
    assert index.note("folder") != ""
    index.close()


def test_without_patience_the_newest_are_read_first_and_the_rest_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postings, "SMALL", 10)
    folder = write(tmp_path / "memory", {f"n{n:02}": memory(f"n{n:02}", "x") for n in range(40)})
    for number, file in enumerate(sorted(folder.iterdir())):
        os.utime(file, (1_000 + number, 1_000 + number))
    path, rounds = tmp_path / "i", 0
    while True:
        index = Index(str(path), str(folder))
        library = Library(index, str(folder))
        left = catch_up(library, 0.0)
        newest = set(library.fresh)
        library.save()
        rounds += 1
        size = index.size
        index.close()
        if rounds == 1:
            assert newest == {f"n{n:02}.md" for n in range(25, 40)}
        if not left:
            break
    assert (size, rounds) == (40, 3)


@pytest.mark.parametrize("damage", [b"", b"no database at all" * 500, b"SQLite format 3\x00" + b"\x00" * 4_000])
def test_a_damaged_index_is_made_anew(folder: Path, tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "i"
    path.write_bytes(damage)
    assert refresh(str(folder), str(path)) == len(HARBOUR)


def test_a_torn_index_is_made_anew(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "i"
    refresh(str(folder), str(path))
    raw = bytearray(path.read_bytes())
    raw[5_000:] = b"\xff" * (len(raw) - 5_000)
    path.write_bytes(raw)
    assert refresh(str(folder), str(path)) == len(HARBOUR)
    assert len(held(folder, path)) == len(HARBOUR)


def test_a_place_where_no_index_can_be_is_no_error(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert refresh(str(folder), str(tmp_path / "file" / "i")) == 0
    assert refresh(str(folder), str(folder)) == 0
    assert folder.is_dir()


def test_a_busy_index_is_left_alone(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "i"
    refresh(str(folder), str(path))
    write(folder, {"new": memory("lighthouse", "x")})
    other = Index(str(path), str(folder))
    with other.transaction():
        library = looked_at(folder, path)
        library.save()
        assert library.frequency("lighthous") == 1  # answered, though it could not be written
        library.index.close()
        assert path.exists()
    other.close()
    assert "new.md" not in held(folder, path)
    assert refresh(str(folder), str(path)) == len(HARBOUR) + 1
