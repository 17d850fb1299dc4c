"""What was held back is kept apart, whole and for one decision; it never becomes a memory by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from lib.memory import held


def test_a_proposal_is_kept_whole_until_it_is_settled(tmp_path: Path) -> None:
    state = str(tmp_path)
    held.hold(state, "a.md", "text \udcff end", reason="r", session="s")
    [found] = held.proposals(state)
    assert (found.file, found.text, found.reason, found.session) == ("a.md", "text \udcff end", "r", "s")
    held.discard(state, "a.md")
    assert held.proposals(state) == []
    with pytest.raises(FileNotFoundError):
        held.discard(state, "a.md")


def test_a_second_proposal_for_a_file_replaces_the_first(tmp_path: Path) -> None:
    for text in ("one", "two"):
        held.hold(str(tmp_path), "a.md", text, reason="r", session="s")
    assert [proposal.text for proposal in held.proposals(str(tmp_path))] == ["two"]


def test_the_newest_are_kept_and_the_rest_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held, "LIMIT", 3)
    clock = iter(range(100))
    monkeypatch.setattr("time.time", lambda: float(next(clock)))
    for number in range(6):
        held.hold(str(tmp_path), f"m{number}.md", "t", reason="r", session="s")
    assert [proposal.file for proposal in held.proposals(str(tmp_path))] == ["m5.md", "m4.md", "m3.md"]


@pytest.mark.parametrize("raw", [b"", b"[]", b"{", b'{"file": 1}', b"\xff", b"[" * 100_000, b'{"file":"a","text":"b"}'])
def test_a_damaged_proposal_is_passed_over(tmp_path: Path, raw: bytes) -> None:
    held.hold(str(tmp_path), "a.md", "t", reason="r", session="s")
    (Path(held.folder(str(tmp_path))) / "b.json").write_bytes(raw)
    assert [proposal.file for proposal in held.proposals(str(tmp_path))] == ["a.md"]
