"""What is wrong is named with its file and kind; --fix mends what loses nothing, and can be taken back."""
from __future__ import annotations

import json
import os
import time

import pytest

from lib.memory import files, index
from tests.cli.conftest import Desk

SECRET = "ghp_" + "a1B2" * 9


def findings(desk: Desk, *more: str) -> set[tuple[str, str, bool]]:
    told = json.loads(desk.run("lint", "--json", *more).stdout)
    return {(row["file"], row["kind"], row["fixable"]) for row in told["findings"]}


def write(desk: Desk, name: str, raw: bytes) -> None:
    files.write(str(desk.memory), name, raw)
    index.mend(str(desk.memory))


def memory(name: str, said: str = "Said", kind: str = "reference", body: str = "Said.") -> bytes:
    return f"---\nname: {name}\ndescription: {said}\nmetadata:\n  type: {kind}\n---\n\n{body}\n".encode()


def test_sound_memories_have_no_problem(desk: Desk) -> None:
    desk.put("one", "The staging server is called otter")
    shown = desk.run("lint")
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, "no problems in 1 memories\n", "")
    assert desk.run("lint", "--fix").stdout == "no problems in 1 memories\n"


def test_nothing_remembered_is_no_problem_and_makes_nothing(desk: Desk) -> None:
    assert desk.run("lint", "--fix").returncode == 0 and not desk.memory.exists()


CASES: dict[str, tuple[str, bytes]] = {
    "no head": ("frontmatter", b"just words\n"),
    "no type": ("frontmatter", b"---\nname: x\ndescription: d\n---\nbody\n"),
    "wrong type": ("frontmatter", memory("x", kind="secret")),
    "other name": ("frontmatter", memory("y")),
    "no parts": ("frontmatter", memory("x", kind="project")),
    "two readings": ("frontmatter", memory("x", said="|\n  one\n  two")),
    "no text": ("unreadable", memory("x") + b"\xff\xfe"),
    "a secret": ("secret", memory("x", body=f"The token is {SECRET}")),
    "too long": ("long", memory("x", body="line\n" * 100)),
    "stale": ("stale", memory("x", body="The entry point is `src/gone.py`.")),
    "derivable": ("derivable", memory("x", said="Always use tabs for indentation in Makefiles")),
    "a date": ("date", memory("x", said="The release is tomorrow", body="The release is tomorrow.")),
}


@pytest.mark.parametrize("case", CASES)
def test_each_kind_is_found_and_is_a_problem(desk: Desk, case: str) -> None:
    (desk.project / ".git").mkdir()
    (desk.project / "CLAUDE.md").write_text("# Style\n\n- Always use tabs for indentation in Makefiles.\n")
    kind, raw = CASES[case]
    write(desk, "x.md", raw)
    shown = desk.run("lint")
    assert shown.returncode == 1 and SECRET not in shown.stdout
    assert [line for line in shown.stdout.splitlines() if line.startswith(kind) and "x.md: " in line], shown.stdout
    assert ("x.md", kind, kind == "date") in findings(desk)


def test_duplicates_are_named_with_what_says_the_same(desk: Desk) -> None:
    desk.put("otter", "The staging server is called otter")
    desk.put("otter-2", "The staging server is called otter")
    assert ("otter-2.md", "duplicate", False) in findings(desk)
    assert "says the same as otter.md; memory.py dream merges them" in desk.run("lint").stdout
    assert desk.names() == ["otter-2.md", "otter.md"]


def test_a_dangling_link_is_a_note_and_no_problem(desk: Desk) -> None:
    write(desk, "x.md", memory("x", body="See [[deploy-steps]] and [[x]]."))
    shown = desk.run("lint")
    assert shown.returncode == 0
    assert "note         x.md: [[deploy-steps]] is worth writing: it is linked and not there" in shown.stdout


def test_the_index_is_compared_with_the_files_and_mended(desk: Desk) -> None:
    desk.put("one", "Number one")
    desk.put("two", "Number two")
    path = desk.memory / "MEMORY.md"
    kept = "- [One](one.md) — worded by the person"
    path.write_text(f"# Memory Index\n\n{kept}\n- [Gone](gone.md) — x\n- [One](one.md) — twice\n")
    shown = desk.run("lint")
    assert "1 without a line (two.md), 1 lines without a file" in shown.stdout
    assert "1 files have more than one" in shown.stdout
    before = path.read_text()
    fixed = desk.run("lint", "--fix")
    assert fixed.returncode == 0 and "mended  MEMORY.md" in fixed.stdout
    assert kept in path.read_text() and "two.md" in path.read_text() and "gone.md" not in path.read_text()
    assert desk.run("undo").returncode == 0 and path.read_text() == before


def test_dates_are_counted_from_the_day_of_writing_and_taken_back(desk: Desk) -> None:
    write(desk, "x.md", memory("x", said="The release is tomorrow", body="The release is tomorrow."))
    then = time.mktime((2026, 3, 1, 12, 0, 0, 0, 0, -1))
    os.utime(desk.memory / "x.md", (then, then))
    before = desk.text("x.md")
    fixed = desk.run("lint", "--fix")
    assert fixed.returncode == 0 and "mended  x.md" in fixed.stdout
    assert "The release is 2026-03-02" in desk.text("x.md") and "2026-03-02" in desk.text("MEMORY.md")
    desk.run("undo")
    assert desk.text("x.md") == before


def test_an_index_over_its_limits_is_named(desk: Desk) -> None:
    desk.put("one", "Number one")
    path = desk.memory / "MEMORY.md"
    path.write_text(path.read_text() + "a line of the person's\n" * 250)
    assert "is over its limits: the last" in desk.run("lint").stdout
    assert "is over its limits" in desk.run("status").stdout


def test_long_work_counts_for_a_terminal_alone(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lib.cli.progress.AFTER", 0.0)
    monkeypatch.setattr("lib.cli.progress.EVERY", 0.0)
    for number in range(30):
        files.write(str(desk.memory), f"m-{number}.md", memory(f"m-{number}", said=f"Fact {number} is {number * 7}"))
    index.mend(str(desk.memory))
    shown = desk.run("lint", columns=80)
    assert "in 30 memories" in shown.stdout
    assert "\rlooked at 30 of 30 …" in shown.stderr and shown.stderr.endswith("\r\x1b[K")
    assert desk.run("lint").stderr == ""


def test_a_thousand_memories_are_listed_and_counted(desk: Desk) -> None:
    desk.memory.mkdir(parents=True)
    for number in range(1_000):
        (desk.memory / f"m-{number}.md").write_bytes(memory(f"m-{number}"))
    assert "1000 memories in" in desk.run("list", columns=40).stdout
    told = json.loads(desk.run("status", "--json").stdout)
    assert (told["count"], told["types"]) == (1_000, {"reference": 1_000})
