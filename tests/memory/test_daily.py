"""Daily logs: appended in one write each, read back as they were meant, never rewritten."""
from __future__ import annotations

import datetime
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.memory import daily, store

ROOT = Path(__file__).resolve().parent.parent.parent
AT = datetime.datetime(2026, 11, 30, 14, 5, 9)
BODY = "Always use pnpm here.\n\n**Why:** npm corrupts the lockfile.\n**How to apply:** at each install.\n"


def bullet(name: str = "use-pnpm", said: str = "Always use pnpm here", body: str = BODY, **metadata: str) -> str:
    text = store.text_of(name, "feedback", said, body, metadata, applies=["pnpm", "install"])
    return daily.text_of(text, f"{name}.md", AT)


def test_a_bullet_goes_into_the_days_file_and_reads_back(tmp_path: Path) -> None:
    name = daily.append(str(tmp_path), [bullet(quote="use --> pnpm", originSessionId="s1")], AT.date())
    assert name == "logs/2026/11/2026-11-30.md"
    text = (tmp_path / name).read_text()
    assert text.startswith("- 14:05:09 use-pnpm [feedback]: Always use pnpm here\n  <!-- {")
    (found,) = daily.read(str(tmp_path), name)
    assert (found.at, found.name, found.type, found.statement) == (AT, "use-pnpm", "feedback", "Always use pnpm here")
    assert found.body == BODY.strip("\n")
    assert found.about == {"quote": "use --> pnpm", "originSessionId": "s1", "applies": ["pnpm", "install"]}
    assert found.end == len(text.encode())


def test_reading_goes_on_behind_an_offset(tmp_path: Path) -> None:
    name = daily.append(str(tmp_path), [bullet("one"), bullet("two")], AT.date())
    first, second = daily.read(str(tmp_path), name)
    assert [found.name for found in daily.read(str(tmp_path), name, first.end)] == ["two"]
    assert daily.read(str(tmp_path), name, second.end) == []
    daily.append(str(tmp_path), [bullet("three")], AT.date())
    assert [found.name for found in daily.read(str(tmp_path), name, second.end)] == ["three"]


def test_a_torn_line_and_a_persons_own_notes_harm_no_bullet(tmp_path: Path) -> None:
    path = tmp_path / daily.name_of(AT.date())
    path.parent.mkdir(parents=True)
    path.write_bytes(b"# My day\n- a plain bullet\n  indented\n- 99:99:99 odd [x]: y\n- 14:0")
    daily.append(str(tmp_path), [bullet("one")], AT.date())
    assert [found.name for found in daily.read(str(tmp_path), daily.name_of(AT.date()))] == ["odd", "one"]


@given(said=st.text(min_size=1), body=st.text(), quote=st.text())
def test_no_text_breaks_out_of_its_bullet(
    said: str, body: str, quote: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("log")
    clean = [part.encode("utf-8", "replace").decode() for part in (said, body, quote)]
    text = store.text_of("one", "user", clean[0], clean[1], {"quote": clean[2]})
    name = daily.append(str(folder), [daily.text_of(text, "one.md", AT), bullet("two")], AT.date())
    assert [found.name for found in daily.read(str(folder), name)] == ["one", "two"]


WRITER = """
import sys, datetime
sys.path.insert(0, {root!r})
from lib.memory import daily, store
for n in range(40):
    text = store.text_of(f"w{{sys.argv[1]}}-{{n}}", "user", "x" * 300, "y" * 3000, {{}})
    daily.append({folder!r}, [daily.text_of(text, f"w{{sys.argv[1]}}-{{n}}.md", datetime.datetime.now())], {day!r})
"""


def test_many_sessions_at_once_lose_nothing(tmp_path: Path) -> None:
    day = datetime.date(2026, 11, 30)
    script = WRITER.format(root=str(ROOT), folder=str(tmp_path), day=day)
    running = [subprocess.Popen([sys.executable, "-c", script, str(n)]) for n in range(6)]
    assert [process.wait(60) for process in running] == [0] * 6
    found = daily.read(str(tmp_path), daily.name_of(day))
    assert sorted(one.name for one in found) == sorted(f"w{w}-{n}" for w in range(6) for n in range(40))
    assert {len(one.body) for one in found} == {3000}


def test_logs_are_found_in_their_places_only(tmp_path: Path) -> None:
    days = [datetime.date(2026, 11, 30), datetime.date(2025, 1, 2)]
    for day in days:
        daily.append(str(tmp_path), [bullet()], day)
    for wrong in ("2026/11/notes.md", "2026-11-29.md", "2026/12/2026-11-28.md", "2026/11/2026-13-40.md"):
        wrong = f"logs/{wrong}"
        (tmp_path / wrong).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / wrong).write_text("x")
    assert daily.names(str(tmp_path)) == ["logs/2025/01/2025-01-02.md", "logs/2026/11/2026-11-30.md"]
    assert daily.names(str(tmp_path / "none")) == []
    with pytest.raises(ValueError, match="no daily log"):
        daily.read(str(tmp_path), "logs/2026/11/notes.md")


def test_todays_log_is_given_at_whole_bullets(tmp_path: Path) -> None:
    assert daily.today(str(tmp_path), AT.date()) == ""
    daily.append(str(tmp_path), [bullet("one"), bullet("two")], AT.date())
    assert daily.today(str(tmp_path), AT.date()).count("\n- ") == 1
    assert daily.today(str(tmp_path), AT.date(), len(bullet("two")) + 20).startswith("- 14:05:09 two ")
    assert daily.today(str(tmp_path), AT.date(), 20) == ""


def test_a_log_that_is_a_link_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "logs").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").mkdir()
    with pytest.raises(OSError):
        daily.append(str(tmp_path / "m"), [bullet()], AT.date())
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_an_append_that_is_cut_short_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:5]))
        with pytest.raises(OSError, match="No space"):
            daily.append(str(tmp_path), [bullet()], AT.date())
    daily.append(str(tmp_path), [bullet("two")], AT.date())
    assert [found.name for found in daily.read(str(tmp_path), daily.name_of(AT.date()))] == ["two"]
