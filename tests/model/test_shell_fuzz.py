"""Command lines mutated at random, always the same ones: what is allowed changes nothing and reads nothing outside."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lib.model.scope import Denied
from lib.model.shell import parse, run
from tests.model.conftest import make_yard
from tests.model.shell_lines import ALLOWED, DENIED

SECONDS = 10
LEAST = 1500  # lines, however slow the machine is
SHARED = Path(__file__).resolve().parents[3] / "shared" / "cases" / "commands.json"
FRAGMENTS = (
    [" ", "  ", "\t", "\u200b"]
    + r"""
! " # $ $( $ENV & && ' ( ) * + , - -- --files0-from=names.txt --output=PWN -Iol -L -P -R -T -c -delete -e
-exec -f -i -la -n -newer -o -printf -r -s -z .. ../ ../* ./ / /etc/passwd 2>&1 2>/dev/null ; < = > >/dev/null
>> ? PWN [ \ \; ] ` e env link_out linkdir_out/outside.txt notes.md outside.txt sub { {} | || } ~
""".split()
)
FRAGMENTS += ["touch PWN", "-o PWN", "w PWN"]


def mutants(seeds: list[str], number: int) -> Iterator[str]:
    """Command lines that differ a little from the seeds; the same ones in every run."""
    chance = random.Random(20260305)
    for _ in range(number):
        line = chance.choice(seeds)
        for _ in range(chance.randint(1, 3)):
            at, end = sorted((chance.randint(0, len(line)), chance.randint(0, len(line))))
            how = chance.random()
            if how < 0.5:
                line = line[:at] + chance.choice(FRAGMENTS) + line[at:]
            elif how < 0.65:
                line = line[:at] + line[min(end, at + 3) :]
            elif how < 0.8:
                words = line.split(" ")
                words.insert(chance.randint(0, len(words)), chance.choice(FRAGMENTS))
                line = " ".join(words)
            else:
                other = chance.choice(seeds)
                line = line[:at] + other[chance.randint(0, len(other)) :]
        yield line[:600]


@pytest.mark.heavy
def test_nothing_that_is_allowed_changes_a_file_or_reads_outside(tmp_path: Path) -> None:
    yard = make_yard(tmp_path.resolve())
    for name in ("-la", "-delete", "--output=PWN", "-o"):
        (yard.root / name).write_text("x\n")
    shared = [case["cmd"] for case in json.loads(SHARED.read_text())] if SHARED.is_file() else []
    seeds = [yard.fill(s) for s in [*ALLOWED, *(d for kind in DENIED.values() for d in kind), *shared]]
    before, end = yard.state(), time.monotonic() + SECONDS
    tried = allowed = 0
    for line in mutants(seeds, 12_000):
        tried += 1
        pipelines = parse(line)
        ran = pipelines if isinstance(pipelines, Denied) else run(pipelines, scope=yard.scope, seconds=5)
        if not isinstance(ran, Denied):
            allowed += 1
            assert b"OUTSIDE-MARK" not in ran.stdout + ran.stderr, line
            assert b"root:" not in ran.stdout, line
            assert ran.problem in ("", "it printed too much"), line
            if allowed % 50 == 0:
                assert yard.state() == before, line
        if time.monotonic() > end and tried > LEAST:
            break
    assert yard.state() == before
    assert allowed > 50 and tried > LEAST
