"""sed scripts: those that print, and all the others."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lib.model.scope import Denied
from lib.model.shell import sed as shell_sed
from lib.model.shell.flags import Uses

SED_GOOD = [
    "1p",
    "1,40p",
    "$p",
    "5,$p",
    "1~2p",
    "0,/x/p",
    "/x/p",
    "/x/,/y/p",
    "/x/I,+5p",
    "2!d",
    "$!d",
    "5q",
    "$=",
    "1p;3p",
    "1p; 3p ;",
    "s/a/b/",
    "s/a/b/gp",
    "s|a/b|c|",
    "s/a\\/b/c/2",
    "/x/s/a/b/",
    "1,5s/.*x: //p",
    "s#a#b#I",
    "/a\\/b/p",
    "s/;w x/y/",
    "s/[w]/e/",
]
SED_BAD = [
    "",
    "w x",
    "1w x",
    "1,5p;w PWN",
    "r/etc/passwd",
    "1r/etc/passwd",
    "1R x",
    "1W x",
    "e",
    "1e touch x",
    "s/a/b/w x",
    "s/a/b/e",
    "s/a/b/gw",
    "s/a/b",
    "s/a",
    "s",
    "sxaxbx",
    "y/a/b/",
    "{p}",
    "a\\",
    "i x",
    "c x",
    ":a",
    "ba",
    "n",
    "N",
    "D",
    "P",
    "h",
    "l",
    "F",
    "z",
    "1p}",
    "#n",
    "p w",
    "1,p",
    "1,,2p",
    "/x",
    "/x/",
    "1",
    "1;",
    "pp",
    "/x/Mp",
    "/x/e",
    "s/a/b/;e",
    "1!",
    "\\,x,p",
    "s\\a\\b\\",
    "q5",
    "v",
]


@pytest.mark.parametrize("script", SED_GOOD)
def test_a_sed_script_that_prints_is_allowed(script: str) -> None:
    assert shell_sed.prints(script)


@pytest.mark.parametrize("script", SED_BAD)
def test_any_other_sed_script_is_denied(script: str) -> None:
    assert not shell_sed.prints(script)


@pytest.mark.parametrize("line", ["-n -e 1p -e 2p a", "-n 1p a b", "-E s/a/b/ a", "--expression=1p a", "-ne 1p a"])
def test_sed_takes_its_script_from_a_flag_or_the_first_operand(line: str) -> None:
    assert isinstance(shell_sed.check(line.split()), Uses)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "-n",
        "-i 1p a",
        "-ni 1p a",
        "-s -n 1p a",
        "-f a",
        "--in-place 1p a",
        "-n a 1p",
        "-e 1p -e w",
        "-z 1p a",
        "-u 1p",
    ],
)
def test_sed_with_another_flag_or_script_is_denied(line: str) -> None:
    assert isinstance(shell_sed.check(line.split()), Denied)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.sampled_from("ps/w1,;!$ xe\\|gdq=Ir#{}a&"), min_size=1, max_size=14))
def test_no_script_that_is_allowed_is_more_than_that_for_sed_itself(tmp_path: Path, script: str) -> None:
    if not shell_sed.prints(script):
        return
    (tmp_path / "in").write_text("x\ny\n")
    # In its sandbox mode sed refuses a script that has e, w or r anywhere in it.
    ran = subprocess.run(["sed", "--sandbox", "-n", script, "in"], cwd=tmp_path, capture_output=True, check=False)
    assert b"sandbox" not in ran.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["in"]
