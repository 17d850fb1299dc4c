from __future__ import annotations

import sys
from pathlib import Path

import pytest

from lib.host import registration
from lib.setup import demo
from lib.setup.problems import SetupProblem

QUIET = "import sys; sys.stdin.read()"


def commands(checkout: Path) -> dict[str, str]:
    return {hook.event: registration.command(hook, sys.executable, str(checkout)) for hook in registration.HOOKS}


def test_a_statement_becomes_a_memory_and_reaches_the_next_session(checkout: Path) -> None:
    said: list[str] = []
    demo.show(commands(checkout), said.append)
    shown = "\n".join(said)
    appears = shown.index(".md appears")
    reminder = shown.index("<system-reminder>")
    assert shown.index(demo.STATEMENT) < appears < shown.index(demo.QUESTION) < reminder
    assert "pnpm" in shown[appears:shown.index(demo.QUESTION)]
    assert "pnpm" in shown[reminder:]
    assert said[-1].endswith("s, offline; its folder is gone again")


def test_a_memory_that_does_not_appear_is_a_failure(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "PATIENCE", 0.2)
    (checkout / "hooks" / "stop.py").write_text(QUIET)
    with pytest.raises(SetupProblem, match="the demonstration failed: no memory appeared within 0 s"):
        demo.show(commands(checkout), lambda line: None)


def test_a_memory_that_is_not_recalled_is_a_failure(checkout: Path) -> None:
    (checkout / "hooks" / "user_prompt_submit.py").write_text(QUIET)
    with pytest.raises(SetupProblem, match="the demonstration failed: UserPromptSubmit recalled nothing"):
        demo.show(commands(checkout), lambda line: None)


def test_a_hook_that_fails_is_a_failure_with_its_words(checkout: Path) -> None:
    (checkout / "hooks" / "stop.py").write_text("raise SystemExit('broken here')")
    with pytest.raises(SetupProblem, match="the demonstration failed: Stop ended with broken here"):
        demo.show(commands(checkout), lambda line: None)


def test_what_the_hooks_logged_is_told(checkout: Path) -> None:
    (checkout / "lib" / "recall" / "answer.py").write_text("raise OSError('a made-up fault')")
    with pytest.raises(SetupProblem, match="recalled nothing.*; the log says: OSError"):
        demo.show(commands(checkout), lambda line: None)
