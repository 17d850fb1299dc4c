"""The YAML block at the top of a memory: strings only, every file readable, the body kept byte for byte. Req: A2."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

LIMIT = 16_384  # characters of frontmatter; more is nobody's memory
FENCE = "---"
# Line ends to YAML but not to us, and what a terminal or a reader may not see: written as escapes.
_ESCAPED = {c: f"\\u{c:04x}" for c in (0x7F, 0x85, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF)}


class Document:
    """A file's parts: `fields` (strings, lists, mappings of strings), `body` exactly as it stood, `problem` or ""."""

    __slots__ = ("body", "fields", "newline", "problem")

    def __init__(self, fields: dict[str, Any], body: str, problem: str = "", newline: str = "\n") -> None:
        self.fields = fields
        self.body = body
        self.problem = problem
        self.newline = newline


def split(text: str) -> tuple[str | None, str]:
    """(the block between the fences, the body behind); (None, whole text) when there is no closed block."""
    start = 1 if text.startswith("\ufeff") else 0
    end = text.find("\n", start)
    if end < 0 or text[start:end].rstrip("\r") != FENCE:
        return None, text
    at = first = end + 1
    while True:
        end = text.find("\n", at)
        line = text[at:] if end < 0 else text[at:end]
        if line.rstrip("\r") == FENCE:
            return text[first:at], "" if end < 0 else text[end + 1 :]
        if end < 0 or end - first > LIMIT:
            return None, text
        at = end + 1


def head(text: str) -> dict[str, str]:
    """The block's plain fields, line by line, without a YAML library: "name", "description", "metadata.type" …

    For the hot path and for blocks that YAML refuses. A colon or a hash inside a value is part of it.
    """
    block, _ = split(text)
    return _lines(block) if block else {}


def _lines(block: str) -> dict[str, str]:
    found: dict[str, str] = {}
    parent = key = ""
    inner = 0
    for raw in block.split("\n"):
        line = raw.rstrip("\r \t")
        text = line.lstrip(" ")
        indent = len(line) - len(text)
        if not text or (text.startswith("#") and not found.get(key)):
            continue
        name, colon, value = text.partition(":")
        is_field = bool(colon) and (not value or value[0] in " \t") and _is_key(name)
        if is_field and indent == 0:
            parent, key, inner = name, name, 0
        elif is_field and parent and indent > 0 and found.get(parent, "") == "" and indent == (inner or indent):
            inner, key = indent, f"{parent}.{name}"
        elif key and indent > 0 or text.startswith("- "):
            _continue(found, key, text)
            continue
        else:
            continue
        found.setdefault(key, _scalar(value.strip()))
    return {k: v for k, v in found.items() if v or "." in k or k in ("name", "description", "type")}


def _is_key(name: str) -> bool:
    return 0 < len(name) <= 64 and all(c.isalnum() or c in "_-" for c in name)


def _continue(found: dict[str, str], key: str, text: str) -> None:
    if not key:
        return
    before = found.get(key, "")
    if text.startswith("- "):
        item = _scalar(text[2:].strip())
        found[key] = f"{before}, {item}" if before else item
    else:
        found[key] = f"{before} {text}".strip()


def _scalar(value: str) -> str:
    if value in ("|", ">", "|-", ">-", "|+", ">+"):
        return ""
    if len(value) >= 2 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'")
    if len(value) >= 2 and value[0] == value[-1] == '"':
        try:
            decoded = json.loads(value, strict=False)
        except ValueError:
            return value[1:-1]
        return str(decoded)
    return value


def parse(text: str) -> Document:
    """Every field as text, lists or mappings of text; unknown keys kept. Never raises: `problem` says what is wrong."""
    block, body = split(text)
    newline = "\r\n" if "\r\n" in (block or "")[:2000] or text.startswith("---\r\n") else "\n"
    if block is None:
        return Document({}, body, "no frontmatter: the first line is not ---, or the block is never closed", newline)
    tree, problem = _tree(block)
    plain = _lines(block)
    if tree is None:
        return Document(_nested(plain), body, problem, newline)
    for key in ("name", "description", "type"):
        # A value on one line means what it says: YAML would cut it at " #".
        if isinstance(tree.get(key), str) and " #" in plain.get(key, ""):
            tree[key] = plain[key]
    return Document(tree, body, "", newline)


def _tree(block: str) -> tuple[dict[str, Any] | None, str]:
    try:
        import yaml
    except ImportError:
        return None, "read line by line: PyYAML is not installed"
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(block, Loader=yaml.BaseLoader)):
            return None, "YAML aliases are not read"
        tree = yaml.load(block, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        return None, f"not YAML{f' (line {mark.line + 2})' if mark else ''}: quote the value"
    except (ValueError, RecursionError) as error:
        return None, f"not readable as YAML ({type(error).__name__})"
    if tree in (None, ""):
        return {}, ""
    if not isinstance(tree, dict) or not all(isinstance(key, str) for key in tree):
        return None, "not a block of `key: value` lines"
    return tree, ""


def _nested(plain: Mapping[str, str]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for key, value in plain.items():
        parent, dot, child = key.partition(".")
        if dot and isinstance(tree.setdefault(parent, {}), dict):
            tree[parent][child] = value
        elif not dot and value:
            tree[key] = value
    return tree


def dump(fields: Mapping[str, Any], body: str, newline: str = "\n") -> str:
    """The file's text: every scalar in double quotes, so that no value can be read as anything but text."""
    rows = [FENCE, *_rows(fields, ""), FENCE, ""]
    return newline.join(rows) + body


def _rows(fields: Mapping[str, Any], indent: str) -> list[str]:
    rows: list[str] = []
    for key, value in fields.items():
        label = key if _is_key(key) and key.isascii() else _quoted(key)
        if isinstance(value, dict):
            rows.append(f"{indent}{label}:" if value else f"{indent}{label}: {{}}")
            rows.extend(_rows(value, indent + "  "))
        elif isinstance(value, (list, tuple)):
            rows.append(f"{indent}{label}: [{', '.join(_quoted(str(item)) for item in value)}]")
        else:
            rows.append(f"{indent}{label}: {_quoted(str(value))}")
    return rows


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).translate(_ESCAPED)
