from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from lib.host import registration
from lib.host.registration import HOOKS
from lib.setup import process, trial
from lib.setup.process import Ended

REPLY = b'{"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": "x"}}'


def problems(checkout: Path) -> dict[str, str]:
    commands = {hook: registration.command(hook, sys.executable, str(checkout)) for hook in HOOKS}
    return {hook.title: outcome.problem for hook, outcome in trial.outcomes(commands).items()}


def test_every_command_of_a_whole_checkout_shows_effect(checkout: Path) -> None:
    assert problems(checkout) == {hook.title: "" for hook in HOOKS}


def test_a_checkout_that_lost_its_library_is_found_though_hooks_stay_quiet(checkout: Path) -> None:
    (checkout / "lib" / "boundary.py").unlink()
    assert set(problems(checkout).values()) == {"it ended quietly without doing its work"}


def test_a_module_that_is_missing_deeper_down_is_told_from_the_log(checkout: Path) -> None:
    shutil.rmtree(checkout / "lib" / "journal")
    found = problems(checkout)
    assert all(problem.startswith("it noted in its log: ModuleNotFoundError") for problem in found.values()), found


def test_one_broken_command_does_not_blame_the_others(checkout: Path) -> None:
    (checkout / "hooks" / "stop.py").write_text("raise SystemExit('no')")
    found = problems(checkout)
    assert found.pop("Stop") == "exit status 1: no"
    assert set(found.values()) == {""}


@pytest.mark.parametrize(("ended", "log", "worked", "said"), [
    (Ended(0, b"", b"", 0.1), [], True, ""),
    (Ended(0, REPLY, b"", 0.1), [], True, ""),
    (Ended(0, b"", b"", 0.1), [], False, "it ended quietly without doing its work"),
    (Ended(0, b"", b"", 0.1), ["first", "second"], True, "it noted in its log: second"),
    (Ended(2, b"", b"can't open file", 0.1), [], False, "exit status 2: can't open file"),
    (Ended(127, b"", b"sh: 1: /gone: not found", 0.1), [], False, "exit status 127: sh: 1: /gone: not found"),
    (Ended(0, b"", b"Warning: x\n", 0.1), [], True, "it writes to stderr: Warning: x"),
    (Ended(0, b"hello", b"", 0.1), [], True, "its output is not one reply: b'hello'"),
    (Ended(0, REPLY + REPLY, b"", 0.1), [], True, f"its output is not one reply: {(REPLY + REPLY)[:120]!r}"),
    (Ended(0, REPLY.replace(b"Stop", b"Start"), b"", 0.1), [], True,
     f"its output is not one reply: {REPLY.replace(b'Stop', b'Start')!r}"),
    (Ended(process.TIMED_OUT, b"", b"", 10.2), [], False, "still running after 10 s"),
])  # fmt: skip
def test_a_run_is_judged_by_status_streams_log_and_effect(
    ended: Ended, log: list[str], worked: bool, said: str
) -> None:
    assert trial.judged("Stop", ended, log, worked) == said
