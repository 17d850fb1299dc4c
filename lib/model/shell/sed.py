"""The sed scripts that only print: addresses with p, d, q, = and s without its writing flags. Pure. Req: B4."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lib.model.scope import Denied
from lib.model.shell.flags import Checked, Flags, Given, Uses, anything, read

FLAGS = Flags("nEr", {"e": anything}, "quiet silent regexp-extended", {"expression": anything})
BLANKS = re.compile(r"[ \t]*")
NUMBER = re.compile(r"\d{1,9}(?:~\d{1,9})?|\$")
SECOND = re.compile(r"[+~]?\d{1,9}|\$")
REPLACED = re.compile(r"[gpiI0-9]*")
REGEX_FLAGS = re.compile(r"I?")
DELIMITERS = "/|#,:@"


def check(args: Sequence[str]) -> Checked:
    """sed, with scripts that read and print; the first operand is the script when no -e gives one."""
    given = read(FLAGS, args)
    if isinstance(given, Denied):
        return given
    scripts, files = _scripts(given)
    if not scripts or not all(prints(script) for script in scripts):
        return Denied("Only sed scripts with p, d, q, = and s/…/…/ without its w and e flags are allowed.")
    return Uses(files)


def _scripts(given: Given) -> tuple[list[str], tuple[str, ...]]:
    scripts = [value for flag, value in given.flags if flag in ("e", "expression")]
    return (scripts, given.operands) if scripts else (list(given.operands[:1]), given.operands[1:])


def prints(script: str) -> bool:
    """True when every command of a script is one that is known to touch nothing."""
    at = 0
    while True:
        at = _command(script, _skip(BLANKS, script, at))
        if at < 0:
            return False
        at = _skip(BLANKS, script, at)
        if at == len(script):
            return True
        if script[at] != ";":
            return False
        at += 1
        if _skip(BLANKS, script, at) == len(script):
            return True


def _command(script: str, at: int) -> int:
    """The index behind one command with its addresses, or -1."""
    at, found = _address(script, at, NUMBER)
    if at >= 0 and found and script[at : at + 1] == ",":
        at, found = _address(script, at + 1, SECOND)
        if not found:
            return -1
    if at < 0:
        return -1
    at = _skip(BLANKS, script, at)
    if script[at : at + 1] == "!":
        at = _skip(BLANKS, script, at + 1)
    letter = script[at : at + 1]
    if letter and letter in "pdq=":
        return at + 1
    return _substitution(script, at + 1) if letter == "s" else -1


def _address(script: str, at: int, numbers: re.Pattern[str]) -> tuple[int, bool]:
    """The index behind an address (or -1) and whether there was one."""
    if script[at : at + 1] == "/":
        end = _unescaped(script, at + 1, "/")
        return (_skip(REGEX_FLAGS, script, end) if end >= 0 else -1), True
    found = numbers.match(script, at)
    return (found.end(), True) if found else (at, False)


def _substitution(script: str, at: int) -> int:
    delimiter = script[at : at + 1]
    if not delimiter or delimiter not in DELIMITERS:
        return -1
    middle = _unescaped(script, at + 1, delimiter)
    end = _unescaped(script, middle, delimiter) if middle >= 0 else -1
    return _skip(REPLACED, script, end) if end >= 0 else -1


def _unescaped(script: str, at: int, delimiter: str) -> int:
    """The index behind the next delimiter that no backslash precedes, or -1. sed knows no other way to hide one."""
    while at < len(script):
        if script[at] == "\\":
            at += 2
        elif script[at] == delimiter:
            return at + 1
        else:
            at += 1
    return -1


def _skip(pattern: re.Pattern[str], script: str, at: int) -> int:
    found = pattern.match(script, at)
    return found.end() if found else at
