"""find expressions: those that look and print, and all the others."""

from __future__ import annotations

import shlex

import pytest

from lib.model.scope import Denied
from lib.model.shell import find as shell_find
from lib.model.shell.flags import Uses

FIND_GOOD = [
    "",
    ".",
    ". -name x",
    "a b -type f",
    ". -name -delete",
    ". -name -exec -o -name -ok",
    ". ( -name a -o -name b ) -print",
    "-name x",
    ". ! -name x",
    ". -not -path x",
    ". -maxdepth 2 -mtime -7 -size +10k",
    ". -printf %p",
    ". -newermt 2026-01-01",
    ". -perm -u+x",
    "-P .",
    ". -type f,d -print0",
    ". -regextype posix-extended -regex x",
    ". -mmin +5.5 -user root -empty",
    "a -newer b",
]
FIND_BAD = [
    ". -delete",
    ". -exec x ;",
    ". -exec x {} +",
    ". -execdir x ;",
    ". -ok x ;",
    ". -okdir x ;",
    ". -fprint x",
    ". -fprint0 x",
    ". -fls x",
    ". -fprintf x y",
    "-L .",
    "-H .",
    ". -follow",
    "-files0-from x",
    ". -files0-from x",
    "-D exec .",
    "-O3 .",
    ". -newerXY x",
    ". -newerat x",
    ". -name",
    ". -name x y",
    ". -maxdepth x",
    ". -type q",
    ". -samefile x",
    ". -lname x",
    ". -fstype x",
    ". , -name x",
    ". -unknown",
    ". -name x -o -delete",
    ". -anewer",
    ". -d",
    ". -perm x;y",
    ". ( -delete )",
    '. -newermt "a\'b"',
    ". -size x",
]


@pytest.mark.parametrize("line", FIND_GOOD)
def test_a_find_expression_that_looks_and_prints_is_allowed(line: str) -> None:
    assert isinstance(shell_find.check(line.split()), Uses)


@pytest.mark.parametrize("line", FIND_BAD)
def test_any_other_find_expression_is_denied(line: str) -> None:
    denied = shell_find.check(shlex.split(line))
    assert isinstance(denied, Denied) and denied.reason.endswith(".")
