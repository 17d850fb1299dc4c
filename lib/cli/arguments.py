"""The arguments of one verb, read by the line of usage that the verb states. Exit status 2 for what does not fit it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lib.cli.place import Usage

_FLAG = re.compile(r"--[a-z-]+(?: [A-Z]+(?:\|[A-Z]+)*)?")


@dataclass
class Given:
    """`names` are what is no option; `options` the options given, with their value ("" for those that take none)."""

    names: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)

    def __contains__(self, option: str) -> bool:
        return option in self.options

    @property
    def json(self) -> bool:
        return "--json" in self.options

    def number(self, option: str, default: int) -> int:
        return int(self.options.get(option, default))


def options(usage: str) -> dict[str, bool]:
    """The options that a line of usage names, and whether each takes a value."""
    return {found.split()[0]: " " in found for found in _FLAG.findall(usage)}


def given(usage: str, arguments: list[str], *, least: int = 0, most: int = 0) -> Given:
    """What was given, within `least` and `most` names (most < 0: any number). Raises Usage.

    Values called N in the usage are whole numbers. Behind `--` everything is a name.
    """
    known = options(usage)
    found = Given()
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if word == "--":
            found.names += rest
            break
        if not word.startswith("-") or word == "-":
            found.names.append(word)
        elif name not in known or (equals and not known[name]):
            raise Usage(f"{word!r} is no option here; usage: memory.py {usage}")
        elif known[name] and not equals and not rest:
            raise Usage(f"{word} needs a value; usage: memory.py {usage}")
        else:
            found.options[name] = value if equals or not known[name] else rest.pop(0)
    for name in (name for name in found.options if f"{name} N" in usage):
        if not (found.options[name].isascii() and found.options[name].isdigit()):
            raise Usage(f"{name} takes a whole number, but was given {found.options[name]!r}")
    if 0 <= most < len(found.names):
        raise Usage(f"{found.names[most]!r} is one too many; usage: memory.py {usage}")
    if len(found.names) < least:
        raise Usage(f"something is missing; usage: memory.py {usage}")
    return found
