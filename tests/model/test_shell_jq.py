"""jq programs: those that see only their input, and all the others."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lib.model.scope import Denied
from lib.model.shell import jail as shell_jail
from lib.model.shell import jq as shell_jq
from lib.model.shell.flags import Uses

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
