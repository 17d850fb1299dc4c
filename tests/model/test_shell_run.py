"""Running argument lists without a shell."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from lib.model.shell import jail as shell_jail
from lib.model.shell.execution import Ran, execute
from lib.model.shell.syntax import Argv, Pipeline, Pipelines
from tests.model.conftest import Yard

TOOL = """#!/bin/sh
case "$1" in
  env) /usr/bin/env | /usr/bin/sort ;;
  stdin) /bin/cat; echo end ;;
  sleep) /bin/sleep 30 & echo $$; /bin/sleep 30 ;;
  deaf) trap '' TERM HUP INT; echo $$; while :; do /bin/sleep 1; done ;;
  limits) ulimit -f; ulimit -c; ulimit -n; ulimit -t ;;
  write) echo x > PWN ;;
  both) echo out; echo err >&2 ;;
  descriptors) ls /proc/self/fd ;;
  fail) exit 3 ;;
  die) kill -9 $$ ;;
esac
"""


@pytest.fixture
def tool(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> Yard:
    """A command named `tool` that shows how it is run; the real commands stay reachable."""
    folder = yard.base / "bin"
    folder.mkdir()
    (folder / "tool").write_text(TOOL)
    (folder / "tool").chmod(0o755)
    real = shell_jail.binary
    monkeypatch.setattr(shell_jail, "binary", lambda name: str(folder / "tool") if name == "tool" else real(name))
    monkeypatch.setattr(shell_jail, "bubblewrap", lambda: "")
    return yard


def run(yard: Yard, *pipelines: Pipeline, seconds: float = 10.0, cap: int = 65_536) -> Ran:
    return execute(Pipelines(pipelines), folder=str(yard.root), roots=[str(yard.root)], seconds=seconds, cap=cap)


def one(line: str, *redirections: str, after: str = "") -> Pipeline:
    return Pipeline([Argv(line.split(), redirections)], after)


def test_the_environment_holds_nothing_of_ours(tool: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    seen = dict(line.split("=", 1) for line in run(tool, one("tool env")).stdout.decode().splitlines())
    assert {key: seen[key] for key in shell_jail.ENVIRONMENT} == dict(shell_jail.ENVIRONMENT)
    assert set(seen) - set(shell_jail.ENVIRONMENT) <= {"PWD", "_", "SHLVL", "OLDPWD"}


def test_there_is_no_stdin_and_no_other_descriptor(tool: Yard) -> None:
    assert run(tool, one("tool stdin")).stdout == b"end\n"
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    try:
        # 3 is the folder that ls itself has open.
        assert run(tool, one("tool descriptors")).stdout.split() == [b"0", b"1", b"2", b"3"]
    finally:
        os.close(reading)
        os.close(writing)


def test_limits_hold_and_no_file_can_be_written(tool: Yard) -> None:
    assert run(tool, one("tool limits")).stdout.split() == [b"0", b"0", b"128", b"10"]
    before = tool.state()
    run(tool, one("tool write"))
    (tool.root / "PWN").unlink()  # created, but nothing could be put into it
    assert tool.state() == before


@pytest.mark.parametrize(
    ("pipelines", "stdout", "status"),
    [
        ([one("echo a"), one("echo b", after="&&")], b"a\nb\n", 0),
        ([one("false"), one("echo b", after="&&")], b"", 1),
        ([one("false"), one("echo b", after="||")], b"b\n", 0),
        ([one("true"), one("echo b", after="||"), one("echo c", after="&&")], b"c\n", 0),
        ([one("false"), one("echo b", after=";")], b"b\n", 0),
        ([one("tool fail")], b"", 3),
        ([one("tool die")], b"", 137),
        ([Pipeline([Argv(["tool", "fail"]), Argv(["true"])])], b"", 0),
        ([Pipeline([Argv(["echo", "a b"]), Argv(["wc", "-w"])])], b"2\n", 0),
        ([one("no-such-command")], b"", 127),
        ([Pipeline([Argv(["no-such-command"]), Argv(["wc", "-c"])])], b"0\n", 0),
        ([Pipeline([Argv(["echo", "a"]), Argv(["no-such-command"])])], b"", 127),
    ],
)
def test_connectors_and_status_are_those_of_a_shell(
    tool: Yard, pipelines: list[Pipeline], stdout: bytes, status: int
) -> None:
    ran = run(tool, *pipelines)
    assert (ran.stdout, ran.status, ran.problem) == (stdout, status, "")


@pytest.mark.parametrize(
    ("redirections", "stdout", "stderr"),
    [
        ((), b"out\n", b"err\n"),
        (("2>&1",), b"out\nerr\n", b""),
        (("2>/dev/null",), b"out\n", b""),
        ((">/dev/null",), b"", b"err\n"),
        ((">/dev/null", "2>&1"), b"", b""),
        (("2>&1", ">/dev/null"), b"err\n", b""),
    ],
)
def test_redirections_are_applied_in_their_order(
    tool: Yard, redirections: tuple[str, ...], stdout: bytes, stderr: bytes
) -> None:
    ran = run(tool, one("tool both", *redirections))
    assert (ran.stdout, ran.stderr) == (stdout, stderr)


def test_stderr_joins_the_pipe_when_it_is_told_to(tool: Yard) -> None:
    ran = run(tool, Pipeline([Argv(["tool", "both"], ["2>&1"]), Argv(["sort"])]))
    assert ran.stdout == b"err\nout\n"


@pytest.mark.parametrize("line", ["tool sleep", "tool deaf"])
def test_at_the_deadline_the_whole_group_is_gone(tool: Yard, line: str) -> None:
    started = time.monotonic()
    ran = run(tool, one(line), one("echo never", after=";"), seconds=0.5)
    assert ran.problem == "it took too long"
    assert b"never" not in ran.stdout
    assert time.monotonic() - started < 8
    group = int(ran.stdout.split()[0])
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    os.killpg(group, signal.SIGKILL)
    raise AssertionError("a process of the group is still there")


def test_a_flood_of_output_ends_the_command(yard: Yard) -> None:
    (yard.root / "big.txt").write_text("x" * 200_000)
    ran = run(yard, one("cat big.txt"))
    assert ran.problem == "it printed too much"
    assert len(ran.stdout) < 65_536 * 3


def test_a_pipeline_whose_reader_stops_early_ends_quietly(yard: Yard) -> None:
    (yard.root / "big.txt").write_text("line\n" * 200_000)
    ran = run(yard, Pipeline([Argv(["cat", "big.txt"]), Argv(["head", "-n", "1"])]))
    assert (ran.stdout, ran.stderr, ran.status) == (b"line\n", b"", 0)


def test_it_runs_in_a_program_with_threads_and_leaves_no_descriptor_open(yard: Yard) -> None:
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        run(yard, one("true"))
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(20):
            run(yard, Pipeline([Argv(["echo", "a"]), Argv(["cat"])]), one("nothing-here", after=";"))
        assert len(os.listdir("/proc/self/fd")) == before
    finally:
        stop.set()
        thread.join()


def test_only_a_binary_that_nobody_but_root_can_change_is_started(tmp_path: Path) -> None:
    assert shell_jail.binary("ls") in ("/usr/bin/ls", "/bin/ls")
    assert shell_jail.binary("no-such-command") == ""
    loose = tmp_path / "loose"
    loose.write_text("#!/bin/sh\n")
    for mode in (0o777, 0o775, 0o644):
        loose.chmod(mode)
        assert shell_jail.binary("loose", [str(tmp_path)]) == ""
    loose.unlink()
    loose.mkdir()
    assert shell_jail.binary("loose", [str(tmp_path)]) == ""


def test_bubblewrap_gets_the_argument_list_unchanged_and_the_roots_read_only(
    tool: Yard, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrapper = tool.base / "bin/wrapper"
    wrapper.write_text('#!/bin/sh\nfor a in "$@"; do echo "$a"; done\n')
    wrapper.chmod(0o755)
    monkeypatch.setattr(shell_jail, "bubblewrap", lambda: str(wrapper))
    said = run(tool, Pipeline([Argv(["cat", "a b", "$x"])])).stdout.decode().splitlines()
    end = said.index("--")
    assert said[end + 1 :] == [shell_jail.binary("cat"), "a b", "$x"]
    assert "--unshare-all" in said[:end]
    assert said[said.index(str(tool.root)) - 1] == "--ro-bind-try"
    assert not any(word.startswith("--bind") for word in said[:end])


def test_a_bubblewrap_that_does_not_work_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    for path, expected in ((str(broken), ""), ("", ""), (str(tmp_path / "none"), ""), ("/bin/true", "/bin/true")):
        shell_jail.bubblewrap.cache_clear()
        monkeypatch.setattr(shell_jail, "binary", lambda name, path=path: path)
        assert shell_jail.bubblewrap() == expected
    shell_jail.bubblewrap.cache_clear()


@pytest.mark.skipif(not shell_jail.bubblewrap(), reason="bubblewrap is not installed or not permitted here")
def test_inside_bubblewrap_nothing_but_the_roots_is_there(yard: Yard) -> None:
    assert run(yard, one("cat notes.md")).stdout == (yard.root / "notes.md").read_bytes()
    assert run(yard, one("cat ../outside.txt")).stdout == b""
