"""The read-only shell of an agent: a line is taken apart by us, checked, and run without any shell. Req: B4.

`parse` says what a line means and whether its commands are allowed at all; `resolve` expands its patterns and checks
its paths against a scope; `run` resolves again and runs exactly those argument lists.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lib.model.paths import real_roots
from lib.model.scope import Denied, Scope
from lib.model.shell.commands import COMMANDS, check
from lib.model.shell.files import resolve, workplace
from lib.model.shell.syntax import Argv, Pipeline, Pipelines, assemble
from lib.model.shell.words import Pattern, split

if TYPE_CHECKING:
    from lib.model.shell.execution import Ran

POSIX = os.name == "posix"
ELSEWHERE = "Commands cannot be run on this system; use Read, Grep and Glob."
SECONDS = 10.0
OUTPUT_BYTES = 65_536

__all__ = [
    "COMMANDS", "Argv", "Denied", "Pattern", "Pipeline", "Pipelines", "Scope", "bash", "decide", "parse", "resolve",
    "run",
]  # fmt: skip


def parse(text: object) -> Pipelines | Denied:
    """A list of pipelines, each a list of argument lists, or why the line is denied. Never raises.

    Patterns are still unexpanded and no path is looked at: that needs a scope, see `resolve`.
    """
    tokens = split(text)
    if isinstance(tokens, Denied):
        return tokens
    pipelines = assemble(tokens)
    if isinstance(pipelines, Denied):
        return pipelines
    for pipeline in pipelines:
        for argv in pipeline:
            if isinstance(argv[0], Pattern):
                return Denied("The command itself cannot be a pattern.")
            uses = check(argv)
            if isinstance(uses, Denied):
                return uses
    return pipelines


def run(
    pipelines: Sequence[Sequence[Sequence[str]]], *, scope: Scope, seconds: float = SECONDS, cap: int = OUTPUT_BYTES
) -> Ran | Denied:
    """Run parsed pipelines in the first read root of the scope, every check made again just before."""
    if not POSIX:
        return Denied(ELSEWHERE)
    resolved = resolve(pipelines, scope)
    if isinstance(resolved, Denied):
        return resolved
    from lib.model.shell.execution import execute

    roots = real_roots(scope.memory_dir, scope.read_roots)
    return execute(resolved, folder=workplace(scope), roots=roots, seconds=seconds, cap=cap)


def decide(command: object, scope: Scope) -> str:
    """Why this command line may not run in this scope, or ""."""
    if not POSIX:
        return ELSEWHERE
    pipelines = parse(command)
    resolved = pipelines if isinstance(pipelines, Denied) else resolve(pipelines, scope)
    return resolved.reason if isinstance(resolved, Denied) else ""


def bash(tool_input: Mapping[str, object], scope: Scope) -> tuple[str, bool]:
    """The Bash tool: (what the model sees, whether it is an error)."""
    pipelines = parse(tool_input.get("command"))
    ran = pipelines if isinstance(pipelines, Denied) else run(pipelines, scope=scope)
    if isinstance(ran, Denied):
        return ran.reason, True
    if ran.problem:
        return f"The command was ended: {ran.problem}; ask for less, for example with head or a narrower pattern.", True
    text = (ran.stdout + ran.stderr).decode("utf-8", "replace")
    return text or f"(no output, exit status {ran.status})", False
