"""Glob patterns matched in time proportional to pattern times name: no regular expression, no backtracking tree.

`*` and `?` stay within one part of a path, `[a-z]` and `[!a-z]` are sets, `**` as a whole part spans folders. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MAX_BRACES = 32
CLASSES = {
    "alpha": str.isalpha,
    "digit": str.isdigit,
    "alnum": str.isalnum,
    "upper": str.isupper,
    "lower": str.islower,
    "space": str.isspace,
}


@dataclass(frozen=True)
class Star:
    """Any run of characters, empty included."""


@dataclass(frozen=True)
class One:
    """Exactly one character: any, one of a set, or none of a set. Ranges are inclusive pairs."""

    ranges: tuple[tuple[str, str], ...] = ()
    classes: tuple[str, ...] = ()
    negated: bool = False
    any: bool = False

    def takes(self, c: str) -> bool:
        if self.any:
            return True
        found = any(low <= c <= high for low, high in self.ranges) or any(CLASSES[name](c) for name in self.classes)
        return found != self.negated


Token = Star | One


def literal(text: str) -> tuple[Token, ...]:
    """Tokens that match exactly this text."""
    return tuple(One(((c, c),)) for c in text)


def tokens(pattern: str) -> tuple[Token, ...]:
    """The tokens of one part of a pattern; a backslash makes the next character literal, a lone `[` is itself."""
    found: list[Token] = []
    i = 0
    while i < len(pattern):
        c = pattern[i]
        if c == "*":
            if not (found and isinstance(found[-1], Star)):
                found.append(Star())
        elif c == "?":
            found.append(One(any=True))
        elif c == "[" and (closed := _set(pattern, i)) is not None:
            one, i = closed
            found.append(one)
            continue
        elif c == "\\" and i + 1 < len(pattern):
            i += 1
            found += literal(pattern[i])
        else:
            found += literal(c)
        i += 1
    return tuple(found)


def _set(pattern: str, start: int) -> tuple[One, int] | None:
    """The set that opens at `start` and the index after it, or None when it never closes."""
    if "]" not in pattern[start:]:
        return None
    i = start + 1
    negated = pattern[i : i + 1] in ("!", "^")
    i += negated
    ranges: list[tuple[str, str]] = []
    classes: list[str] = []
    first = True
    while i < len(pattern) and (pattern[i] != "]" or first):
        first = False
        if pattern.startswith("[:", i) and (end := pattern.find(":]", i)) > 0 and pattern[i + 2 : end] in CLASSES:
            classes.append(pattern[i + 2 : end])
            i = end + 2
            continue
        if pattern[i] == "\\" and i + 1 < len(pattern):
            i += 1
        low = high = pattern[i]
        if pattern[i + 1 : i + 2] == "-" and pattern[i + 2 : i + 3] not in ("", "]"):
            high = pattern[i + 2]
            i += 2
        ranges.append((low, high))
        i += 1
    return (One(tuple(ranges), tuple(classes), negated), i + 1) if i < len(pattern) else None


def part_matches(wanted: Sequence[Token], name: str) -> bool:
    """Whether the tokens match the whole name; only the last star is ever reconsidered."""
    t = n = 0
    star = mark = -1
    while n < len(name):
        token = wanted[t] if t < len(wanted) else None
        if isinstance(token, Star):
            star, mark = t, n
            t += 1
        elif isinstance(token, One) and token.takes(name[n]):
            t += 1
            n += 1
        elif star >= 0:
            t, mark = star + 1, mark + 1
            n = mark
        else:
            return False
    return all(isinstance(token, Star) for token in wanted[t:])


class PathPattern:
    """A pattern over `/`-separated relative paths; without a slash it is matched against the last part alone."""

    def __init__(self, pattern: str) -> None:
        self._choices = [
            [None if part == "**" else tokens(part) for part in choice.removeprefix("./").split("/")]
            for choice in braces(pattern)
        ]

    def matches(self, path: str) -> bool:
        parts = path.split("/")
        return any(
            (choice[0] is None or part_matches(choice[0], parts[-1])) if len(choice) == 1 else _spans(choice, parts)
            for choice in self._choices
        )


def _spans(wanted: Sequence[Sequence[Token] | None], parts: Sequence[str]) -> bool:
    """Match part by part; the set holds every count of parts eaten so far, so `**` costs no recursion."""
    eaten = {0}
    for want in wanted:
        if want is None:
            eaten = set(range(min(eaten), len(parts) + 1))
        else:
            eaten = {i + 1 for i in eaten if i < len(parts) and part_matches(want, parts[i])}
        if not eaten:
            return False
    return len(parts) in eaten


def braces(pattern: str) -> list[str]:
    """`a.{b,c}` as [`a.b`, `a.c`]; at most MAX_BRACES results, then the rest stays as written."""
    done: list[str] = []
    waiting = [pattern]
    while waiting:
        text = waiting.pop(0)
        close = text.find("}")
        start = text.rfind("{", 0, close) if close >= 0 else -1
        options = text[start + 1 : close].split(",") if start >= 0 else []
        if len(options) < 2 or len(done) + len(waiting) + len(options) > MAX_BRACES:
            done.append(text)
        else:
            waiting += [text[:start] + option + text[close + 1 :] for option in options]
    return done
