"""The bench measures what it says: void runs are refused, the world is put back, the figures are the hook's own."""
from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.bench import stages
from tests.bench.runs import Row, interleave
from tests.support.registered import Stage


def row(code: str, *, speaks: bool = False, stdin: bytes = b"") -> Row:
    argv = [sys.executable, "-I", "-S", "-c", code]
    return Row("a row", argv, stdin, dict(os.environ), lambda: None, speaks=speaks)


def test_a_run_is_timed_and_hears_its_input() -> None:
    heard = row("import sys; sys.exit(sys.stdin.read() != 'hello')", stdin=b"hello")
    interleave([heard], 3)
    assert len(heard.seconds) == 3 and 0 < heard.median < 60


@pytest.mark.parametrize(("code", "speaks"), [("raise SystemExit(3)", False), ("pass", True)])
def test_a_void_run_is_refused(code: str, speaks: bool) -> None:
    with pytest.raises(RuntimeError, match="a row"):
        row(code, speaks=speaks).run()


def test_peak_memory_is_the_commands_own() -> None:
    small, large = row("pass").peak(), row("bytearray(60_000_000)").peak()
    assert 1 < small < 40
    assert 55 < large - small < 70


def test_modules_are_those_beyond_the_bare_interpreter() -> None:
    names = row("import json").modules()
    assert "json" in names
    assert "builtins" not in names and "marshal" not in names


def test_journals_are_put_back(tmp_path: Path) -> None:
    made = stages.stage(tmp_path, "one")
    journal = made.own / "projects" / "p" / "journal" / "s.jsonl"
    journal.parent.mkdir(parents=True)
    journal.write_bytes(b"kept\n")
    restore = stages.kept(made)
    journal.write_bytes(b"kept\nmore\n")
    (journal.parent / "new.jsonl").write_bytes(b"new\n")
    restore()
    assert {path.name: path.read_bytes() for path in journal.parent.iterdir()} == {"s.jsonl": b"kept\n"}


def test_a_stage_holds_what_is_asked_for(tmp_path: Path) -> None:
    made: Stage = stages.stage(tmp_path, "one")
    stages.memories(made, 12)
    stages.transcript(made, 50_000)
    size = made.transcript.stat().st_size
    stages.turn(made)
    assert len(list(made.memory.glob("*.md"))) == 13
    assert 50_000 <= size < 60_000
    assert made.transcript.stat().st_size > size
    assert made.transcript.read_bytes().endswith(b"\n")
