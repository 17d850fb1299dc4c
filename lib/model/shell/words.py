"""A command line cut into words, operators and redirections: the small part of the shell's language that is allowed.

Pure. What is not understood exactly as bash understands it is denied: expansion, substitution, comments, groups,
background, here-documents, every redirection but `2>&1`, `2>/dev/null` and `>/dev/null`. Req: B4.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from lib.model.scope import Denied

MAX_TEXT = 4000
OPERATOR = re.compile(r"&&|\|\||[|;]")
REDIRECTION = re.compile(r"(2>&1|2?>[ \t]*/dev/null)(?=[ \t;|&]|$)")
ENDS_WORD = frozenset(" \t|;&<>()")
GLOB = frozenset("*?[")
# Inside double quotes a `$` before one of these is an ordinary character for bash too.
HARMLESS_AFTER_DOLLAR = frozenset('" |)/.,')


class Pattern(str):
    """A word with unquoted glob characters: as text it is what bash passes on when no file matches.

    `glob` is the pattern with every quoted character escaped by a backslash.
    """

    glob: str

    def __new__(cls, text: str, glob: str) -> Pattern:
        made = super().__new__(cls, text)
        made.glob = glob
        return made


@dataclass(frozen=True)
class Word:
    """One argument, quotes removed."""

    text: str


@dataclass(frozen=True)
class Operator:
    """One of `|`, `&&`, `||`, `;`."""

    text: str


@dataclass(frozen=True)
class Redirection:
    """One of `2>&1`, `2>/dev/null`, `>/dev/null`, without blanks."""

    text: str


Token = Word | Operator | Redirection


def split(text: object) -> list[Token] | Denied:
    """The tokens of a command line, or why it is denied. Never raises."""
    if not isinstance(text, str):
        return Denied("Give command as a string.")
    text = text.strip(" \t\n")
    problem = _odd(text)
    if problem:
        return Denied(problem)
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        if text[at] in " \t":
            at += 1
        elif found := REDIRECTION.match(text, at):
            tokens.append(Redirection(re.sub(r"[ \t]", "", found[1])))
            at = found.end()
        elif found := OPERATOR.match(text, at):
            tokens.append(Operator(found[0]))
            at = found.end()
        else:
            got = _word(text, at)
            if isinstance(got, Denied):
                return got
            tokens.append(Word(got[0]))
            at = got[1]
    return tokens


def _odd(text: str) -> str:
    if not text:
        return "The command is empty."
    if len(text) > MAX_TEXT:
        return f"The command is longer than {MAX_TEXT} characters; search for less."
    for c in text:
        if c in "\n\r":
            return "Give one line; join commands with && or ;."
        if c != "\t" and (
            unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") or c.isspace() and c != " "
        ):
            return "The command has control or invisible characters in it; write it plainly."
    return ""


def _word(text: str, start: int) -> tuple[str, int] | Denied:
    """The word that begins at `start` and the index after it."""
    plain: list[str] = []
    glob: list[str] = []
    at, quoted = start, False
    while at < len(text) and text[at] not in ENDS_WORD:
        c = text[at]
        if c == "'":
            end = text.find("'", at + 1)
            if end < 0:
                return Denied("A single quote is not closed.")
            inner, at, quoted = text[at + 1 : end], end + 1, True
        elif c == '"':
            closed = _double(text, at + 1)
            if isinstance(closed, Denied):
                return closed
            inner, at, quoted = *closed, True
        elif c == "\\":
            if at + 1 == len(text):
                return Denied("The command ends in a backslash.")
            inner, at, quoted = text[at + 1], at + 2, True
        else:
            problem = _unquoted(c, at == start)
            if problem:
                return Denied(problem)
            plain.append(c)
            glob.append(c)
            at += 1
            continue
        plain.append(inner)
        glob += ["\\" + q for q in inner]
    word = "".join(plain)
    if at == start or (text[at : at + 1] in ("<", ">") and word.isdigit() and not quoted):
        return Denied("Only |, &&, ||, ;, 2>&1, 2>/dev/null and >/dev/null may join or redirect commands.")
    if any(c in GLOB for c in glob):
        return Pattern(word, "".join(glob)), at
    return word, at


def _double(text: str, at: int) -> tuple[str, int] | Denied:
    """The inside of double quotes from `at` on and the index after the closing one."""
    inner: list[str] = []
    while at < len(text):
        c = text[at]
        if c == '"':
            return "".join(inner), at + 1
        if c == "`" or (c == "$" and text[at + 1 : at + 2] not in HARMLESS_AFTER_DOLLAR):
            return Denied("Nothing is expanded here: put $ and ` into single quotes.")
        if c == "\\" and text[at + 1 : at + 2] in ("$", "`", '"', "\\"):
            at += 1
        inner.append(text[at])
        at += 1
    return Denied("A double quote is not closed.")


def _unquoted(c: str, first: bool) -> str:
    if c in "$`":
        return "Nothing is expanded here: write the value itself, or put it into single quotes."
    if c in "{}":
        return "Braces are not expanded here; put them into single quotes."
    if c == "~" and first:
        return "`~` is not expanded here; write the full path."
    if c == "#" and first:
        return "Comments are not allowed; put # into single quotes."
    return ""
