"""What reaches a terminal: as wide as it is, coloured where it may be, harmless; a pipe gets everything, plain."""
from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.cli import screen
from tests.cli.conftest import ROOT, Desk, columns_of

WORDS = {
    "use-pnpm": "Always use pnpm here, npm corrupts the lockfile and nobody knows why it does so",
    "发布冻结": "发布冻结到十二月十日为止，所有人都必须等待新的版本号码才可以合并",
    "שחרור": "השחרור הוקפא עד העשירי בדצמבר ואף אחד לא רשאי למזג",
    "rocket-🚀": "🚀🚀🚀 the rocket deploys on 🦄 days only, never on 🐌 days",
    "combining-é": "e\u0301e\u0301e\u0301 is one column each",
}
VERBS = (["list"], ["status"], ["search", "pnpm"], ["show", "use-pnpm"], ["lint"], ["why"], ["history"], ["diff"],
         ["cost"], ["doctor"], ["review"], ["import"])  # fmt: skip


@pytest.fixture
def full(desk: Desk) -> Desk:
    for name, said in WORDS.items():
        desk.put(name, said)
    desk.run("remember", "the staging server is called otter")
    return desk


@pytest.mark.parametrize("columns", [40, 80, 200])
@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
def test_no_line_is_wider_than_the_terminal(full: Desk, verb: list[str], columns: int) -> None:
    shown = full.run(*verb, columns=columns)
    assert shown.returncode in (0, 1) and shown.stdout
    assert columns_of(shown.stdout) <= columns


def test_narrow_or_wide_nothing_is_lost_but_what_is_marked_as_cut(full: Desk) -> None:
    narrow = " ".join(full.run("list", columns=40).stdout.split())
    for name in WORDS:
        assert name in narrow
    assert "corrupts the lockfile and nobody knows" in " ".join(re.sub(r"\x1b\[\d*m", "", narrow).split())


def test_columns_stay_in_line_whatever_the_script(full: Desk) -> None:
    rows = full.run("list").stdout.splitlines()[:-1]
    starts = {screen.cells(row[: row.index("project ")]) for row in rows}
    assert len(rows) == len(WORDS) + 1 and len(starts) == 1


@pytest.mark.parametrize("plain", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["NO_COLOR", "dumb"])
def test_colour_is_for_terminals_that_want_it(full: Desk, plain: dict[str, str]) -> None:
    assert "\x1b[" in full.run("list", columns=80).stdout
    assert "\x1b" not in full.run("list").stdout
    shown = subprocess_on_a_terminal(full, "list", **plain)
    assert "use-pnpm.md" in shown and "\x1b" not in shown
    assert "\x1b[36m" in subprocess_on_a_terminal(full, "list")


def subprocess_on_a_terminal(desk: Desk, *arguments: str, **env: str) -> str:
    """What a real terminal of 80 columns gets."""
    outer, inner = pty.openpty()
    given = {**os.environ, "TERM": "xterm", "COLUMNS": "80", **env}
    command = [sys.executable, str(ROOT / "memory.py"), *arguments]
    process = subprocess.Popen(command, cwd=desk.project, env=given, stdout=inner, stderr=inner, stdin=inner)
    os.close(inner)
    shown = b""
    while True:
        try:
            part = os.read(outer, 65_536)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(outer)
    assert process.wait(60) == 0
    return shown.decode()


def test_text_of_a_memory_moves_no_cursor_and_turns_no_line(desk: Desk) -> None:
    evil = "\x1b[2J\x1b]0;title\x07\u202eevil\u2066\u200b\x9b31m\r"
    desk.put("evil", f"clear {evil} the screen", body=f"{evil}\n**Why:** x\n**How to apply:** y")
    for verb in (["list"], ["show", "evil"], ["search", "clear", "the", "screen"], ["diff"], ["history"], ["lint"]):
        for columns in (0, 80):
            shown = desk.run(*verb, columns=columns).stdout
            left = re.sub(r"\x1b\[\d+m", "", shown) if columns else shown
            assert not set(left) & set("\x1b\x07\x9b\r\u202e\u2066\u200b"), verb
    assert json.loads(desk.run("show", "evil", "--json").stdout)["file"] == "evil.md"
    assert desk.run("show", "evil", "--json").stdout.isascii()


def test_a_broken_pipe_is_no_error(full: Desk, tmp_path: Path) -> None:
    command = f'"{sys.executable}" "{ROOT}/memory.py" list | true'
    done = subprocess.run(command, shell=True, cwd=full.project, capture_output=True, timeout=60)
    assert (done.stdout, done.stderr) == (b"", b"")


@settings(max_examples=60)
@given(st.text(max_size=60), st.integers(2, 40))
def test_a_cut_text_fits_and_says_that_it_was_cut(text: str, limit: int) -> None:
    short = screen.cut(text, limit)
    assert short == text if screen.cells(text) <= limit else (screen.cells(short) <= limit and short.endswith("…"))


@settings(max_examples=60)
@given(st.text(st.characters(blacklist_categories=("Cc", "Cs", "Mn", "Me")), max_size=120), st.integers(8, 40))
def test_wrapped_text_fits_and_loses_no_word(text: str, columns: int) -> None:
    lines = screen.wrapped(text, columns, 4)
    assert all(screen.cells(line) <= columns for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
