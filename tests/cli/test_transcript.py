"""`memory.py transcript` lists a project's sessions and shows the live conversation of one."""
from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from lib.host import paths
from tests.cli.conftest import Desk
from tests.support.rows import jsonl, model, person, result, use, write

FIRST, SECOND = "1111aaaa-0000-4000-8000-000000000001", "2222bbbb-0000-4000-8000-000000000002"
ROWS: list[Any] = [
    person(1, None, "Fix the parser."), model(2, 1, "abandoned"), model(3, 1, [use("t", "Read", file_path="/a.py")]),
    result(4, 3, "t", "line one\nline two"), model(6, 4, " \n"), model(5, 6, "Done \x1b[31mred\x1b[0m."), b"{torn\n",
]  # fmt: skip


@pytest.fixture
def sessions(desk: Desk) -> Path:
    folder = Path(os.environ["CLAUDE_CONFIG_DIR"]) / "projects" / paths.slug(os.path.realpath(desk.project))
    old = write(folder / f"{FIRST}.jsonl", *ROWS)
    os.utime(old, (1_700_000_000, 1_700_000_000))
    write(folder / f"{SECOND}.jsonl", person(1, None, "Hello."), {"type": "ai-title", "aiTitle": "Greeting"})
    write(folder / "agent-77.jsonl", person(1, None, "side"))
    return folder


def test_sessions_are_listed_newest_first(desk: Desk, sessions: Path) -> None:
    done = desk.run("transcript")
    assert done.returncode == 0, done.stderr
    newest, oldest = done.stdout.splitlines()
    assert newest.split()[0] == SECOND and newest.endswith("Greeting") and " today " in newest
    assert oldest.split()[0] == FIRST and oldest.endswith("Fix the parser.") and "1 turns" in oldest


def test_a_list_for_programs(desk: Desk, sessions: Path) -> None:
    rows = json.loads(desk.run("transcript", "--json").stdout)["sessions"]
    assert [(row["session"], row["title"], row["turns"]) for row in rows] == [
        (SECOND, "Greeting", 1), (FIRST, "Fix the parser.", 1)]  # fmt: skip


def test_the_live_conversation_is_shown_and_nothing_in_it_moves_the_terminal(desk: Desk, sessions: Path) -> None:
    done = desk.run("transcript", "1111")
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        f"{FIRST}\n"
        "\nYou · 2026-11-30T10:00:01.000Z\n  Fix the parser.\n"
        "\nAssistant · 2026-11-30T10:00:03.000Z\n  [Read] /a.py\n    → line one line two\n  Done [31mred[0m.\n"
        "\n1 lines could not be read and were passed over.\n"
    )


def test_a_conversation_for_programs(desk: Desk, sessions: Path) -> None:
    told = json.loads(desk.run("transcript", str(sessions / f"{FIRST}.jsonl"), "--json").stdout)
    assert [(m["role"], m["text"].partition(" ")[0]) for m in told["messages"]] == [
        ("human", "Fix"), ("assistant", ""), ("assistant", ""), ("assistant", "Done")]  # fmt: skip
    assert told["messages"][1]["tools"] == [
        {"id": "t", "name": "Read", "input": {"file_path": "/a.py"}, "result": "line one\nline two", "failed": False}]
    assert (told["session"], told["skipped"]) == (FIRST, 1)


def test_an_archived_session_is_among_them_once_its_own_file_is_gone(desk: Desk, sessions: Path) -> None:
    archive = desk.state / "archive"
    archive.mkdir(parents=True)
    (archive / f"{FIRST}.jsonl.gz").write_bytes(gzip.compress(jsonl(*ROWS)))
    assert desk.run("transcript").stdout.count(FIRST) == 1
    (sessions / f"{FIRST}.jsonl").unlink()
    assert desk.run("transcript").stdout.count(FIRST) == 1
    assert "Fix the parser." in desk.run("transcript", FIRST).stdout


@pytest.mark.parametrize(("arguments", "told"), [
    (["9999"], "there is no session '9999' of"), (["a", "b"], "'b' is one too many"),
    (["--all"], "'--all' is no option here"), ([""], "the beginning of 2 sessions"),
])  # fmt: skip
def test_what_cannot_be_shown_is_one_sentence(desk: Desk, sessions: Path, arguments: list[str], told: str) -> None:
    done = desk.run("transcript", *arguments)
    assert (done.returncode, done.stdout) == (2 if "usage" in done.stderr else 1, "")
    assert told in done.stderr and done.stderr.count("\n") == 1


def test_without_a_session_that_is_said(desk: Desk) -> None:
    assert desk.run("transcript").stdout.startswith("There is no session of ")


def test_a_file_that_is_no_transcript_says_so(desk: Desk) -> None:
    odd = desk.project / "odd.jsonl.gz"
    odd.write_bytes(b"not gzip")
    done = desk.run("transcript", str(odd))
    assert done.returncode == 1 and "cannot be read" in done.stderr
