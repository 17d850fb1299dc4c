"""Strict JSON to nodes that know where they stand in the text, so that an edit can leave every other byte alone."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

DEEPEST = 200  # levels; settings have five, and a bound keeps hostile nesting from exhausting the stack
_STRINGS = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORDS = {"true": True, "false": False, "null": None}
_CLOSES = {"object": "}", "array": "]"}


class NotJson(ValueError):
    """The text is no strict JSON; `line` and `column` count from 1, in characters."""

    def __init__(self, reason: str, text: str, at: int) -> None:
        self.reason = reason
        self.line = text.count("\n", 0, at) + 1
        self.column = at - text.rfind("\n", 0, at)
        super().__init__(f"line {self.line}, column {self.column}: {reason}")


@dataclass
class Member:
    """`"key": value` of an object; `start` is where the key's quote stands."""

    key: str
    start: int
    value: Node


@dataclass
class Node:
    """A value spanning `text[start:end]`; `scalar` is set for strings, numbers, true, false and null."""

    kind: str
    start: int
    end: int = 0
    scalar: str | int | float | bool | None = None
    members: list[Member] = field(default_factory=list)
    items: list[Node] = field(default_factory=list)

    def get(self, key: str) -> Node | None:
        """The value of the last member of that name: the one a JSON reader keeps when a key is doubled."""
        found = [member.value for member in self.members if member.key == key]
        return found[-1] if found else None

    def text(self, key: str) -> str:
        value = self.get(key)
        return value.scalar if value is not None and isinstance(value.scalar, str) else ""

    @property
    def empty(self) -> bool:
        return self.kind == "null" or (self.kind in _CLOSES and not self.members and not self.items)


def parse(text: str) -> Node:
    """The root node of `text`; raises NotJson for anything that strict JSON does not allow, never anything else."""
    reader = _Reader(text)
    reader.skip_space()
    root = reader.value(0)
    reader.skip_space()
    if reader.at < len(text):
        raise reader.error("text goes on after the end of the JSON value")
    return root


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def error(self, reason: str, at: int | None = None) -> NotJson:
        return NotJson(reason, self.text, self.at if at is None else at)

    def skip_space(self) -> None:
        match = _SPACE.match(self.text, self.at)
        assert match is not None
        self.at = match.end()
        if self.text.startswith(("//", "/*", "#"), self.at):
            raise self.error("a comment, which JSON does not allow")

    def value(self, depth: int) -> Node:
        if depth > DEEPEST:
            raise self.error(f"nested deeper than {DEEPEST} levels")
        start = self.at
        first = self.text[start : start + 1]
        if first == "{":
            return self.container(Node("object", start), depth)
        if first == "[":
            return self.container(Node("array", start), depth)
        if first == '"':
            return Node("string", start, scalar=self.string(), end=self.at)
        for word, meaning in _WORDS.items():
            if self.text.startswith(word, start):
                self.at += len(word)
                return Node("null" if meaning is None else word, start, self.at, meaning)
        number = _NUMBER.match(self.text, start)
        if number is None:
            raise self.error(f"{self.shown()} where a value should be")
        self.at = number.end()
        return Node("number", start, self.at, _number(number.group()))

    def string(self) -> str:
        opening = self.at
        try:
            value, self.at = _STRINGS.raw_decode(self.text, opening)
        except json.JSONDecodeError as problem:
            raise self.error(problem.msg.rstrip(" at"), problem.pos) from None
        return str(value)

    def container(self, node: Node, depth: int) -> Node:
        close = _CLOSES[node.kind]
        self.at += 1
        self.skip_space()
        while not self.text.startswith(close, self.at):
            self.child(node, depth)
            self.skip_space()
            if self.text.startswith(",", self.at):
                comma = self.at
                self.at += 1
                self.skip_space()
                if self.text.startswith(close, self.at):
                    raise self.error(f'a comma before "{close}", which JSON does not allow', comma)
            elif not self.text.startswith(close, self.at):
                raise self.error(f'{self.shown()} where "," or "{close}" should be')
        self.at += 1
        node.end = self.at
        return node

    def child(self, node: Node, depth: int) -> None:
        if node.kind == "array":
            node.items.append(self.value(depth + 1))
            return
        start = self.at
        if not self.text.startswith('"', start):
            raise self.error(f"{self.shown()} where a key in double quotes should be")
        key = self.string()
        self.skip_space()
        if not self.text.startswith(":", self.at):
            raise self.error(f'{self.shown()} where ":" should be')
        self.at += 1
        self.skip_space()
        node.members.append(Member(key, start, self.value(depth + 1)))

    def shown(self) -> str:
        return repr(self.text[self.at]) if self.at < len(self.text) else "the end of the file"


def _number(digits: str) -> int | float:
    # int() refuses more than 4,300 digits with a ValueError; nothing here needs the value of such a number
    return float(digits) if len(digits) > 400 or not digits.lstrip("-").isdigit() else int(digits)
