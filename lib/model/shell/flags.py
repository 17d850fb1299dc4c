"""Reading a command's flags exactly as its program will: clusters, glued values, no abbreviation, nothing unknown.

Pure. Req: B4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from lib.model.scope import Denied

Value = Callable[[str], bool]
NONE: Mapping[str, Value] = {}


@dataclass(frozen=True)
class Uses:
    """What an allowed command touches: `paths` as it names them; `plain`: they must not be folders.

    `leaves_out` are flags that it is started with besides, behind its own: at place `place` of its arguments.
    """

    paths: tuple[str, ...] = ()
    plain: bool = False
    leaves_out: tuple[str, ...] = ()
    place: int = 0


Checked = Uses | Denied
Check = Callable[[Sequence[str]], Checked]


@dataclass(frozen=True)
class Flags:
    """The flags of one command that are allowed.

    `letters` take no value; `values` do, glued or as the next argument; `long` and `long_values` likewise without
    their dashes; `optional` take a value only after `=`; `count` allows `-20`; `glued` is False for a program that
    does not take the rest of a cluster as a value.
    """

    letters: str = ""
    values: Mapping[str, Value] = field(default_factory=dict)
    long: str = ""
    long_values: Mapping[str, Value] = field(default_factory=dict)
    optional: Mapping[str, Value] = field(default_factory=dict)
    count: bool = False
    glued: bool = True


@dataclass(frozen=True)
class Given:
    """The arguments of one command, read: flags with their values in order, and what is no flag.

    `end` is the place of the `--` among the arguments, or their number.
    """

    flags: tuple[tuple[str, str], ...]
    operands: tuple[str, ...]
    end: int = field(default=0, compare=False)

    def has(self, *names: str) -> bool:
        return any(flag in names for flag, _ in self.flags)


def read(flags: Flags, args: Sequence[str]) -> Given | Denied:
    """Read the arguments; a flag may stand behind operands, `--` ends the flags. Denies what is not allowed."""
    given: list[tuple[str, str]] = []
    operands: list[str] = []
    waiting = list(args)
    end = len(waiting)
    while waiting:
        arg = waiting.pop(0)
        if arg == "--":
            operands += waiting
            end = len(args) - len(waiting) - 1
            break
        if arg == "-" or not arg.startswith("-"):
            operands.append(arg)
            continue
        if flags.count and re.fullmatch(r"-\d{1,6}", arg):
            given.append(("count", arg[1:]))
            continue
        problem = _long(flags, arg, waiting, given) if arg.startswith("--") else _short(flags, arg, waiting, given)
        if problem:
            return Denied(problem)
    return Given(tuple(given), tuple(operands), end)


def _short(flags: Flags, arg: str, waiting: list[str], given: list[tuple[str, str]]) -> str:
    for index in range(1, len(arg)):
        letter = arg[index]
        if letter in flags.values:
            if arg[index + 1 :] and not flags.glued:
                return f"Give the value of -{letter} as an argument of its own."
            value = arg[index + 1 :] or (waiting.pop(0) if waiting else None)
            if value is None or not flags.values[letter](value):
                return f"The value of -{letter} is missing or not allowed."
            given.append((letter, value))
            return ""
        if letter not in flags.letters:
            return f"The flag -{letter} is not allowed here."
        given.append((letter, ""))
    return ""


def _long(flags: Flags, arg: str, waiting: list[str], given: list[tuple[str, str]]) -> str:
    name, equals, value = arg[2:].partition("=")
    if name in flags.long_values:
        found = value if equals else (waiting.pop(0) if waiting else None)
        if found is None or not flags.long_values[name](found):
            return f"The value of --{name} is missing or not allowed."
        given.append((name, found))
        return ""
    if name in flags.optional and (not equals or flags.optional[name](value)):
        given.append((name, value))
        return ""
    if equals or name not in flags.long.split():
        return f"The flag --{name[:40]} is not allowed here; flags are written out in full."
    given.append((name, ""))
    return ""


def anything(value: str) -> bool:
    """A value that is only text for the program."""
    return True


def number(value: str) -> bool:
    """A count, with a sign and a unit as head, tail and find write it."""
    return re.fullmatch(r"[+-]?\d{1,9}[bcwkKMG]?", value) is not None


def one_of(*choices: str) -> Value:
    return lambda value: value in choices


def matching(pattern: str) -> Value:
    return lambda value: re.fullmatch(pattern, value) is not None


def on_paths(flags: Flags, *, least: int = 0, most: int = 1000, plain: bool = False) -> Check:
    """A command whose operands are all files or folders to read."""

    def check(args: Sequence[str]) -> Checked:
        given = read(flags, args)
        if isinstance(given, Denied):
            return given
        if not least <= len(given.operands) <= most:
            return Denied(f"Name {least} to {most} files here, not {len(given.operands)}.")
        return Uses(given.operands, plain)

    return check


def on_text(flags: Flags, *, least: int = 0, most: int = 1000) -> Check:
    """A command whose operands are only text: it opens no file by them."""

    def check(args: Sequence[str]) -> Checked:
        given = read(flags, args)
        if isinstance(given, Denied):
            return given
        if not least <= len(given.operands) <= most:
            return Denied(f"Give {least} to {most} arguments here, not {len(given.operands)}.")
        return Uses()

    return check


def on_pattern(
    flags: Flags, *, instead: Sequence[str], leaves_out: tuple[str, ...] = (), walking: Sequence[str] = ()
) -> Check:
    """A command whose first operand is a pattern or program, unless one of the flags `instead` gives it.

    With one of the flags `walking` (or always, without any) it looks into folders by itself and `leaves_out` is added.
    """

    def check(args: Sequence[str]) -> Checked:
        given = read(flags, args)
        if isinstance(given, Denied):
            return given
        if not given.has(*instead) and not given.operands:
            return Denied("Give a pattern to search for.")
        paths = given.operands if given.has(*instead) else given.operands[1:]
        added = leaves_out if not walking or given.has(*walking) else ()
        return Uses(paths, leaves_out=added, place=given.end if added else 0)

    return check
