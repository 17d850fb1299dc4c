"""Completion in a real bash: verbs, options, memories and entries, also those that a shell must quote."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

import memory as face
from lib.cli import completion
from lib.cli import place as places
from lib.memory import history
from tests.cli.conftest import Desk

BASH = shutil.which("bash")


def after(desk: Desk, *words: str) -> list[str]:
    return list(completion.candidates(list(words), places.here(str(desk.project), os.environ)))


def test_verbs_come_first_and_the_unlisted_never(desk: Desk) -> None:
    assert after(desk) == [verb for verb in face.VERBS if verb not in ("complete", "memories")]
    assert after(desk, "no-such-verb") == []


def test_each_verb_offers_its_own_options_and_names(desk: Desk) -> None:
    desk.put("use-pnpm", "Always use pnpm")
    desk.put("发布 冻结", "冻结")
    names = ["use-pnpm", "发布 冻结"]
    assert after(desk, "show") == ["--json", *names]
    assert after(desk, "forget", "use-pnpm") == ["--yes", *names]
    assert after(desk, "why") == ["--last", "--json"] and after(desk, "why", "--json") == ["--last"]
    assert after(desk, "completion") == ["bash", "zsh", "fish"]
    assert after(desk, "review") == ["--json", "accept", "reject", *names]
    assert after(desk, "pause") == ["--all"]
    desk.run("remember", "the staging server is called otter")
    newest = history.of(str(desk.memory), str(desk.state)).entries()[0].id[:8]
    assert after(desk, "undo")[0] == newest and newest in after(desk, "diff")


def test_every_verb_can_be_completed(desk: Desk) -> None:
    for verb in face.VERBS:
        assert isinstance(after(desk, verb), list)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_names_this_checkout_and_completes_for_both_names(desk: Desk, shell: str) -> None:
    shown = desk.run("completion", shell)
    assert shown.returncode == 0 and f"{face.ROOT}/memory.py" in shown.stdout
    assert "{face}" not in shown.stdout and "memory.py" in shown.stdout
    if program := shutil.which(shell):
        done = subprocess.run([program, "-n"], input=shown.stdout, text=True, capture_output=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("arguments", [[], ["tcsh"], ["bash", "zsh"]])
def test_another_shell_is_wrong_usage(desk: Desk, arguments: list[str]) -> None:
    assert desk.run("completion", *arguments).returncode == 2


@pytest.mark.skipif(BASH is None, reason="bash is not here")
def test_a_real_bash_completes(desk: Desk) -> None:
    desk.put("use-pnpm", "Always use pnpm")
    desk.put("it's $HOME", "Said")
    script = desk.run("completion", "bash").stdout
    lines = []
    for words in ("memory.py st", "memory.py show us", "memory.py show it", "memory.py lint --f"):
        parts = words.split(" ")
        quoted = " ".join(f"'{part}'" for part in parts)
        lines += [f"COMP_WORDS=({quoted})", f"COMP_CWORD={len(parts) - 1}", "_memory_hooks", 'echo "${COMPREPLY[*]}"']
    done = subprocess.run(
        [BASH or "", "--norc", "-c", script + "\n".join(["complete -p memory.py", *lines])],
        cwd=desk.project, capture_output=True, text=True, timeout=60, env={**os.environ, "PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "complete -F _memory_hooks memory.py", "status", "use-pnpm", "it\\'s\\ \\$HOME", "--fix",
    ]  # fmt: skip
    assert sys.executable in script
