"""The small languages inside arguments: sed scripts, jq programs, find expressions."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lib.model import shell_find, shell_jail, shell_jq, shell_sed
from lib.model.scope import Denied
from lib.model.shell_flags import Uses

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


JQ_GOOD = [
    ".",
    ".env",
    ".a.env",
    '."env"',
    '.["env"]',
    ".a[] | select(.c == 1)",
    '"env import $ENV"',
    '"\\(.a) env"',
    "keys",
    "[.[] | .x]",
    "$env",
    "input",
    ".import",
    "length",
    '"a\\"env"',
    '"\\((.a)|tostring) b"',
    "$a",
    ".a as $env | $env",
    "environment",
    "{a: .include}",
    '.a == "include"',
    "@base64",
    "path(..)",
    "..",
    "import_x",
    "input_filename",
]
JQ_BAD = [
    "env",
    "env.PATH",
    "$ENV",
    "$ENV.PATH",
    "$ ENV",
    "$__loc__",
    "$__prog_args",
    '"\\(env)"',
    '"\\($ENV)"',
    '"a\\("b\\(env)")"',
    'import "m" as m; 1',
    'include "m"; 1',
    "modulemeta",
    '"m" | modulemeta',
    "get_search_list",
    "..env",
    ". env",
    "[env]",
    "(env)",
    '"\\(")")" | env',
    '"x\\\\" | env',
    "# x",
    ".a # env",
    "{env}",
    "1env",
    "-env",
    "$__x",
]


@pytest.mark.parametrize("program", JQ_GOOD)
def test_a_jq_program_over_its_input_is_allowed(program: str) -> None:
    assert shell_jq.program_problem(program) == ""


@pytest.mark.parametrize("program", JQ_BAD)
def test_a_jq_program_that_reaches_further_is_denied(program: str) -> None:
    assert shell_jq.program_problem(program).endswith(".")


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        (". a b", ("a", "b")),
        ("-r . a", ("a",)),
        ("-rc --arg n v . a", ("a",)),
        ("--argjson n 1 --indent 2 .", ()),
        (". -- -a", ("-a",)),
        ("--raw-output .a x", ("x",)),
    ],
)
def test_jq_reads_its_first_operand_as_the_program(line: str, paths: tuple[str, ...]) -> None:
    assert shell_jq.check(line.split()) == Uses(paths)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "-r",
        "-f a b",
        "-rf a",
        "--from-file a",
        "-L . .",
        "-L. .",
        "--rawfile a b .",
        "--slurpfile a b .",
        "--args . a",
        "--jsonargs .",
        "-C .",
        "--arg a",
        "--indent x .",
        ". -",
        "--raw .",
        "--seq .",
        "-h",
        "--unknown",
    ],
)
def test_jq_with_another_flag_is_denied(line: str) -> None:
    assert isinstance(shell_jq.check(line.split()), Denied)


@pytest.mark.skipif(not shell_jail.binary("jq"), reason="jq is not installed here")
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(["env", "$ENV", ".", '"', "\\(", ")", "|", " ", "..", "$", "a", "[", "]", "(", "\\"]),
        max_size=9,
    )
)
def test_no_jq_program_that_is_allowed_sees_the_environment(tmp_path: Path, pieces: list[str]) -> None:
    program = "".join(pieces)
    if not program or shell_jq.program_problem(program):
        return
    ran = subprocess.run(
        [shell_jail.binary("jq"), "-n", program],
        cwd=tmp_path,
        env={"MARK": "SECRET-MARK"},
        capture_output=True,
        check=False,
    )
    assert b"SECRET-MARK" not in ran.stdout


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
