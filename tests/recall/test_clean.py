"""What is shown holds no secret, and a clean text is searched once."""
from __future__ import annotations

from pathlib import Path

import pytest

from lib.memory import secrets
from lib.memory.store import Memory
from lib.recall import clean

TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA2cE4gJ6kL8"


def memory(body: str, said: str = "CI pushes with a token") -> Memory:
    return Memory("ci.md", f"---\nname: ci\ndescription: {said}\nmetadata:\n  type: reference\n---\n{body}\n", 0.0)


def test_a_secret_in_any_shown_part_is_named_by_its_kind(tmp_path: Path) -> None:
    shown = clean.hidden(memory(f"The token is {TOKEN}."), str(tmp_path))
    assert TOKEN not in shown.body and "[secret: " in shown.body
    shown = clean.hidden(memory("x", f"CI pushes with {TOKEN}"), str(tmp_path))
    assert TOKEN not in shown.description and "[secret: " in shown.description
    assert clean.without_secrets(f"- [CI](ci.md) — {TOKEN}", str(tmp_path)).startswith("- [CI](ci.md) — [secret: ")


def test_a_clean_text_is_searched_once_and_again_when_it_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[str] = []
    redact = secrets.redact

    def counted(text: str) -> str:
        searched.append(text)
        return redact(text)

    monkeypatch.setattr(secrets, "redact", counted)
    for text in ("use pnpm", "use pnpm", f"use {TOKEN}", f"use {TOKEN}", "use pnpm", "use yarn"):
        clean.without_secrets(text, str(tmp_path))
    assert searched == ["use pnpm", f"use {TOKEN}", f"use {TOKEN}", "use yarn"]


def test_the_list_begins_anew_when_it_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clean, "LIMIT", 18 * 4)
    for number in range(50):
        clean.without_secrets(f"text {number}", str(tmp_path))
        assert (tmp_path / clean.FILE).stat().st_size <= 18 * 5


@pytest.mark.parametrize("raw", [b"", b"\xff\xfe", b"\0" * 1000, b"x" * 200_000])
def test_a_damaged_list_hides_nothing_and_shows_no_secret(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / clean.FILE).write_bytes(raw)
    assert clean.without_secrets("use pnpm", str(tmp_path)) == "use pnpm"
    assert TOKEN not in clean.without_secrets(TOKEN, str(tmp_path))


def test_without_a_folder_for_the_list_the_search_is_made_each_time(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone")
    assert TOKEN not in clean.without_secrets(TOKEN, gone)
    assert clean.without_secrets("use pnpm", gone) == "use pnpm"
