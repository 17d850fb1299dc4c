"""A folder's memories are read in bounds; what is no readable memory harms no other."""

from __future__ import annotations

import os
from pathlib import Path

from lib.memory import store
from lib.recall import manifest
from tests.recall.folder import HARBOUR, memory, write


def test_every_readable_memory_is_scanned_in_the_order_of_files(tmp_path: Path) -> None:
    write(tmp_path, HARBOUR)
    assert [card.file for card in manifest.scan(str(tmp_path))] == sorted(f"{name}.md" for name in HARBOUR)


def test_what_is_no_memory_is_passed_over(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"good": memory("good", "fine"), "bin": "", "._a": "x", "MEMORY": "- [Good](good.md) — the lighthouse\n"},
    )
    (tmp_path / "bin.md").write_bytes(b"# x\n\xff\xfe\x00")
    (tmp_path / "d.md").mkdir()
    os.mkfifo(tmp_path / "f.md")
    (tmp_path / "dangling.md").symlink_to(tmp_path / "none")
    (tmp_path / ".DS_Store").write_bytes(b"\x00\x00")
    cards = {card.file: card for card in manifest.scan(str(tmp_path))}
    assert set(cards) == {"good.md", "bin.md"}
    assert cards["good.md"].counts["lighthous"] == (1.0, False)  # its line in the index


def test_a_memory_of_ten_megabytes_is_read_in_bounds(tmp_path: Path) -> None:
    (tmp_path / "big.md").write_text(memory("big", "huge") + "word " * 2_000_000 + "lighthouse")
    (card,) = manifest.scan(str(tmp_path))
    assert card.length <= 12_000 + 20
    assert "lighthous" not in card.counts


def test_a_missing_folder_has_no_memories(tmp_path: Path) -> None:
    assert manifest.scan(str(tmp_path / "none")) == []
    assert manifest.index_lines(str(tmp_path / "none")) == {}


def test_patience_ends_with_the_newest_memories_read(tmp_path: Path) -> None:
    write(tmp_path, {"old": memory("old", "x"), "new": memory("new", "x")})
    os.utime(tmp_path / "old.md", (1, 1))
    assert [card.file for card in manifest.scan(str(tmp_path), patience=1e-9)] == ["new.md"]


def test_reading_again_tells_same_changed_and_gone(tmp_path: Path) -> None:
    write(tmp_path, {"a": memory("a", "one")})
    (entry,) = store.entries(str(tmp_path))
    card = manifest.read(str(tmp_path), entry)
    assert card is not None
    assert manifest.reread(str(tmp_path), card) is card
    status = (tmp_path / "a.md").stat()
    write(tmp_path, {"a": memory("a", "two")})
    os.utime(tmp_path / "a.md", ns=(status.st_atime_ns, status.st_mtime_ns))  # same size, same time, other bytes
    changed = manifest.reread(str(tmp_path), card)
    assert changed is not None and changed is not card and "two" not in card.counts
    (tmp_path / "a.md").unlink()
    assert manifest.reread(str(tmp_path), card) is None
    assert manifest.read(str(tmp_path), entry) is None


def test_paths_are_absolute(tmp_path: Path) -> None:
    assert manifest.path(str(tmp_path), "a.md") == str(tmp_path / "a.md")
    assert os.path.isabs(manifest.path("relative", "a.md"))
