"""The whole read-only shell: verdicts, the same output as bash, and nothing changed whatever is tried."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.model import shell
from lib.model.permission import can_use_tool
from lib.model.scope import Denied, Scope
from lib.model.shell import COMMANDS, Pattern, Pipelines, bash, decide, parse, run
from lib.model.shell import jail as shell_jail
from tests.model.conftest import Yard
from tests.model.shell_lines import ALLOWED, DENIED

SHARED = Path(__file__).resolve().parents[3] / "shared" / "cases" / "commands.json"


@pytest.mark.parametrize("line", ALLOWED)
def test_an_everyday_command_is_allowed(yard: Yard, line: str) -> None:
    assert decide(yard.fill(line), yard.scope) == ""


@pytest.mark.parametrize(("kind", "line"), [(kind, line) for kind, lines in DENIED.items() for line in lines])
def test_a_command_of_a_dangerous_kind_is_denied_with_a_reason(yard: Yard, kind: str, line: str) -> None:
    reason = decide(yard.fill(line), yard.scope)
    assert reason.endswith(".") and "\n" not in reason


def test_the_result_of_parse_is_pipelines_of_argument_lists() -> None:
    assert parse("ls -la | head -5 && pwd") == [[["ls", "-la"], ["head", "-5"]], [["pwd"]]]
    assert isinstance(parse("rm x"), Denied)
    assert isinstance(parse("l* x"), Denied)
    assert isinstance(parse(None), Denied)


def test_what_is_run_is_checked_again_whoever_made_the_lists(yard: Yard) -> None:
    for lists in ([[["touch", "PWN"]]], [[["cat", "../outside.txt"]]], [[["cat", "link_out"]]], [[["ls", "-L"]]]):
        assert isinstance(run(lists, scope=yard.scope), Denied)
    ran = run([[["echo", "a b"], ["wc", "-w"]]], scope=yard.scope)
    assert not isinstance(ran, Denied) and ran.stdout == b"2\n"


def test_permission_and_tool_agree(yard: Yard) -> None:
    assert can_use_tool("Bash", {"command": "ls"}, scope=yard.scope).allowed
    refused = can_use_tool("Bash", {"command": "rm notes.md"}, scope=yard.scope)
    assert not refused.allowed and refused.reason.startswith("'rm' cannot run here")
    for tool_input in ({}, {"command": None}, {"command": ["ls"]}, {"command": "ls", "run_in_background": True}):
        assert not can_use_tool("Bash", tool_input, scope=yard.scope).allowed
    assert not can_use_tool("Bash", {"command": "ls"}, scope=Scope("", ())).allowed


def test_the_tool_says_what_came_out_and_what_went_wrong(yard: Yard) -> None:
    assert bash({"command": "cat sub/deep.md"}, yard.scope) == ("deep foo\nlast\n", False)
    assert bash({"command": "grep -q nothing notes.md"}, yard.scope) == ("(no output, exit status 1)", False)
    assert bash({"command": "rm x"}, yard.scope)[1] is True
    (yard.root / "big.txt").write_text("x" * 200_000)
    assert bash({"command": "cat big.txt"}, yard.scope) == (
        "The command was ended: it printed too much; ask for less, for example with head or a narrower pattern.",
        True,
    )


def installed(line: str) -> bool:
    pipelines = parse(line)
    assert isinstance(pipelines, Pipelines)
    return all(shell_jail.binary(argv[0]) for pipeline in pipelines for argv in pipeline)


def in_bash(yard: Yard, line: str) -> subprocess.CompletedProcess[bytes]:
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    command = ["/bin/bash", "--norc", "--noprofile", "-c", line]
    return subprocess.run(
        command, cwd=yard.root, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )


def same_as_bash(yard: Yard, line: str) -> None:
    if not installed(line):
        pytest.skip(f"not installed here: {line}")
    pipelines = parse(line)
    assert not isinstance(pipelines, Denied)
    ran = run(pipelines, scope=yard.scope)
    assert not isinstance(ran, Denied)
    expected = in_bash(yard, line)
    # rg searches in threads: its files come in any order.
    order = sorted if line.startswith("rg ") else list
    assert order(ran.stdout.splitlines(True)) == order(expected.stdout.splitlines(True))
    assert (ran.stderr, ran.status) == (expected.stderr, expected.returncode)


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without bubblewrap, which shows its programs another folder above the root."""
    monkeypatch.setattr(shell_jail, "bubblewrap", lambda: "")


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("line", ALLOWED)
def test_the_output_is_the_one_bash_would_give(yard: Yard, line: str) -> None:
    same_as_bash(yard, yard.fill(line))


def shared(*verdicts: str) -> list[str]:
    if not SHARED.is_file():
        return []
    return [case["cmd"] for case in json.loads(SHARED.read_text()) if case["verdict"] in verdicts]


needs_shared = pytest.mark.skipif(not SHARED.is_file(), reason=f"the shared command cases are not at {SHARED}")


@needs_shared
@pytest.mark.parametrize("line", shared("deny"))
def test_every_shared_case_to_deny_is_denied(yard: Yard, line: str) -> None:
    assert not can_use_tool("Bash", {"command": yard.fill(line)}, scope=yard.scope).allowed


@needs_shared
@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("line", [line for line in shared("allow") if line != "date -u"])
def test_every_shared_case_to_allow_does_what_bash_does(yard: Yard, line: str) -> None:
    assert can_use_tool("Bash", {"command": yard.fill(line)}, scope=yard.scope).allowed
    same_as_bash(yard, yard.fill(line))


@needs_shared
@pytest.mark.parametrize("line", shared("safe"))
def test_every_shared_case_with_hostile_file_names_is_run_and_harms_nothing(yard: Yard, line: str) -> None:
    for name in ("-la", "-delete", "--output=PWN", "-exec", "--files0-from=names.txt", "-rf", "-o"):
        (yard.root / name).write_text("x\n")
    before = yard.state()
    text, failed = bash({"command": line}, yard.scope)
    assert not failed and "OUTSIDE-MARK" not in text
    assert yard.state() == before


@given(st.text(max_size=80) | st.text(st.sampled_from("ls cat|&;<>$`'\"\\*?[]{}()#~!-=/.\n"), max_size=40))
def test_no_text_raises(text: str) -> None:
    assert isinstance(parse(text), (Denied, Pipelines))


def test_a_pattern_is_text_until_it_is_resolved() -> None:
    pipelines = parse("ls *.md")
    assert isinstance(pipelines, Pipelines)
    assert isinstance(pipelines[0][0][1], Pattern) and pipelines[0][0][1] == "*.md"


def test_without_posix_no_command_is_run(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "POSIX", False)
    assert isinstance(run([[["ls"]]], scope=yard.scope), Denied)
    assert not can_use_tool("Bash", {"command": "ls"}, scope=yard.scope).allowed


def test_every_command_of_the_table_is_in_a_case_here() -> None:
    used = {word for line in ALLOWED for word in line.replace("|", " ").replace(";", " ").split()}
    assert set(COMMANDS) <= used | {"sha1sum"}
