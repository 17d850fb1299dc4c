"""The jq programs that see only their input: no environment, no modules, no files but the operands. Pure. Req: B4."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lib.model.scope import Denied
from lib.model.shell.flags import Checked, Uses, number

LETTERS = frozenset("rcesSnRajM")
LONG = frozenset(
    "raw-output compact-output exit-status slurp sort-keys null-input raw-input ascii-output join-output"
    " monochrome-output tab".split()
)
PAIRS = frozenset(["arg", "argjson"])
FORBIDDEN = frozenset(["env", "import", "include", "modulemeta", "get_search_list", "getenv"])
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def check(args: Sequence[str]) -> Checked:
    """jq: the first operand is the program, the others are files. Its flags are its own, so they are read here."""
    operands: list[str] = []
    waiting = list(args)
    while waiting:
        arg = waiting.pop(0)
        if arg == "--":
            operands += waiting
            break
        if not arg.startswith("-") or arg == "-":
            operands.append(arg)
        elif arg[2:] in PAIRS and arg.startswith("--") and len(waiting) >= 2:
            del waiting[:2]
        elif arg == "--indent" and waiting and number(waiting[0]):
            del waiting[0]
        elif not (arg[2:] in LONG if arg.startswith("--") else LETTERS.issuperset(arg[1:])):
            return Denied(f"The flag {arg[:40]} is not allowed for jq here.")
    if not operands:
        return Denied("Give jq a program, such as '.'.")
    if "-" in operands:
        return Denied("jq reads its input without the operand -.")
    problem = program_problem(operands[0])
    return Denied(problem) if problem else Uses(tuple(operands[1:]))


def program_problem(program: str) -> str:
    """Why a jq program may not run, or "". Strings are text, except what is interpolated into them."""
    at, depth = 0, [0]  # one number a nesting of `\\(`: the parentheses that are open in it
    while at < len(program):
        c = program[at]
        if c == '"':
            at = _string(program, at + 1, depth)
            continue
        if c == "#":
            return "Comments in a jq program are not allowed."
        found = NAME.match(program, at)
        if found:
            if _forbidden(found[0], program[max(0, at - 2) : at]):
                return f"{found[0]} is not allowed in a jq program."
            at = found.end()
            continue
        depth[-1] += (c == "(") - (c == ")")
        if depth[-1] < 0 and len(depth) > 1:
            depth.pop()
            at = _string(program, at + 1, depth)
            continue
        at += 1
    return ""


def _forbidden(name: str, before: str) -> bool:
    """True for a name that reaches beyond the input, unless it is a field (`.env`) or a variable (`$env`)."""
    if before.endswith(".") and before != "..":
        return False
    if name == "ENV" or name.startswith("__"):
        return True
    return name in FORBIDDEN and not before.endswith("$")


def _string(program: str, at: int, depth: list[int]) -> int:
    """The index behind a string, or behind the `\\(` that opens an expression in it."""
    while at < len(program):
        if program.startswith("\\(", at):
            depth.append(0)
            return at + 2
        if program[at] == "\\":
            at += 2
        elif program[at] == '"':
            return at + 1
        else:
            at += 1
    return at
