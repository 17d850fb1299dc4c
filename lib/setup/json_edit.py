"""Edits of JSON text that touch one member or element and leave every other byte as its owner wrote it. Req: J7.

Appending a child and removing it again gives the same text: both touch only what lies between the end of the child
before it and the end of the child itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from lib.setup.json_spans import Node, parse


@dataclass(frozen=True)
class Style:
    """How the owner lays out JSON: `newline` "" for a text on one line, `unit` one level of indentation."""

    newline: str = "\n"
    unit: str = "  "
    comma: str = ", "
    colon: str = ": "


def style_of(text: str) -> Style:
    """The layout of the text's outermost object; two blanks where it shows none."""
    root = parse(text)
    first = root.members[0] if root.members else None
    if first is None:
        return Style("\r\n" if "\r\n" in text else "\n")
    gap = text[root.start + 1 : first.start]
    colon = ": " if text[first.value.start - 1] in " \t\n" else ":"
    if "\n" not in gap:
        return Style("", "", ", " if colon == ": " else ",", colon)
    return Style("\r\n" if "\r\n" in gap else "\n", _indent(gap), colon=colon)


def rendered(value: object, style: Style, indent: str = "") -> str:
    """The value as text in that layout; the first line is not indented, the others by `indent` and more."""
    if isinstance(value, Mapping) and value:
        rows = [
            json.dumps(key, ensure_ascii=False) + style.colon + rendered(v, style, indent + style.unit)
            for key, v in value.items()
        ]
        return _enclosed("{", rows, "}", style, indent)
    if isinstance(value, (list, tuple)) and value:
        return _enclosed("[", [rendered(v, style, indent + style.unit) for v in value], "]", style, indent)
    return json.dumps(value, ensure_ascii=False)


def _enclosed(opening: str, rows: list[str], closing: str, style: Style, indent: str) -> str:
    if not style.newline:
        return opening + style.comma.join(rows) + closing
    inner = style.newline + indent + style.unit
    return opening + inner + ("," + inner).join(rows) + style.newline + indent + closing


def replaced(text: str, node: Node, value: object) -> str:
    """`node` gives way to `value`."""
    return text[: node.start] + rendered(value, style_of(text), _indent_at(text, node.start)) + text[node.end :]


def restored(text: str, node: Node, literal: str) -> str:
    """`node` gives way to text that stood there before."""
    return text[: node.start] + literal + text[node.end :]


def appended(text: str, container: Node, key: str, value: object) -> str:
    """A child more, after the last one, laid out as that one is; `key` counts for an object only.

    The container has a child already: an empty one is `replaced` as a whole.
    """
    style = style_of(text)
    spans = _spans(container)
    start, end = spans[-1]
    gap = text[spans[-2][1] if len(spans) > 1 else container.start + 1 : start]
    gap = gap.partition(",")[2] if len(spans) > 1 else gap
    if "\n" in gap:
        indent = _indent(gap)
        gap = ("\r\n" if "\r\n" in gap else "\n") + indent
    else:
        gap = style.comma[1:]
        indent = ""
        style = Style("", "", style.comma, style.colon)
    label = json.dumps(key, ensure_ascii=False) + style.colon if container.kind == "object" else ""
    return text[:end] + "," + gap + label + rendered(value, style, indent) + text[end:]


def without(text: str, container: Node, at: int) -> str:
    """The container's child number `at` gone, with the comma that belonged to it."""
    spans = _spans(container)
    start, end = spans[at]
    if at > 0:
        start = spans[at - 1][1]
    if at == 0 and len(spans) > 1:
        end = spans[1][0]
    elif len(spans) == 1:
        start, end = container.start + 1, container.end - 1
    return text[:start] + text[end:]


def _spans(container: Node) -> list[tuple[int, int]]:
    if container.kind == "object":
        return [(member.start, member.value.end) for member in container.members]
    return [(item.start, item.end) for item in container.items]


def _indent(gap: str) -> str:
    return gap[gap.rfind("\n") + 1 :]


def _indent_at(text: str, at: int) -> str:
    """The blanks at the start of the line that holds position `at`."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]
