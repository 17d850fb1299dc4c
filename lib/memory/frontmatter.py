"""The YAML block at the top of a memory: strings only, every file readable, the body kept byte for byte. Req: A2."""

from __future__ import annotations

from lib.host import jsontext
from lib.host.payload import whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

LIMIT = 16_384  # characters of frontmatter; more is nobody's memory
DEPTH = 16  # levels of nesting; reading thousands of them takes YAML seconds
FENCE = "---"
_BLOCK_SCALAR = ("|", ">")
# Line ends to YAML but not to us, and what a terminal or a reader may not see: written as escapes.
_ESCAPED = {c: f"\\u{c:04x}" for c in (*range(0x7F, 0xA0), 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF)}


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
    literal = -1  # the indent of the key whose block scalar is being read
    for raw in block.split("\n"):
        line = raw.rstrip("\r \t")
        text = line.lstrip(" ")
        indent = len(line) - len(text)
        if literal >= 0 and indent > literal and text:
            found[key] = f"{found[key]} {text}".strip()
            continue
        if not text or (text.startswith("#") and not found.get(key)):
            continue
        literal = -1
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
        value = value.strip()
        if value.startswith(_BLOCK_SCALAR) and not value.partition(" #")[0].rstrip()[1:].strip("+-123456789"):
            literal, value = indent, ""
        pairs = _flow_fields(value) if indent == 0 and value.startswith("{") and name != "description" else {}
        found[key] = "" if pairs else _scalar(value if name == "description" else _without_comment(value))
        found.update({f"{name}.{inside}": said for inside, said in pairs.items()})
    return {k: v for k, v in found.items() if v or "." in k or k in ("name", "description", "type")}


def _flow_fields(value: str) -> dict[str, str]:
    """The pairs of `{type: user, said_by: "x"}`; none of what is nested, torn, or has commas inside quotation marks."""
    inner = value.partition("} #")[0].removesuffix("}")[1:]
    pairs = [pair.partition(":") for pair in inner.split(",")]
    odd = any("".join(pair).count(quote) % 2 for pair in pairs for quote in "'\"")
    if odd or not {"{", "}", "[", "]"}.isdisjoint(inner) or "}" not in value:
        return {}
    named = [(_scalar(name.strip()), said) for name, colon, said in pairs if colon and said[:1] in ("", " ")]
    return {name: _scalar(said.strip()) for name, said in named if _is_key(name)}


def _without_comment(value: str) -> str:
    """A value of one word: what stands behind a hash is a comment. (In a description it may be part of the fact.)"""
    return "" if value.startswith("#") else value if value[:1] in ("'", '"') else value.partition(" #")[0].rstrip()


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
    quote = value[:1]
    if len(value) < 2 or quote not in ("'", '"'):
        return value
    end = value.rfind(quote, 1)
    while end > 0 and value[end + 1 :].strip() and not value[end + 1 :].lstrip().startswith("#"):
        return value  # text that only begins with a quotation mark
    inside = value[1:end]
    if quote == "'":
        return inside.replace("''", "'")
    try:
        return whole(str(jsontext.loads(f'"{inside}"', strict=False)))
    except ValueError:
        return inside


def parse(text: str) -> Document:
    """Every field as text, lists or mappings of text; unknown keys kept. Never raises: `problem` says what is wrong."""
    block, body = split(text)
    newline = "\r\n" if text[:6].removeprefix("\ufeff").startswith("---\r\n") else "\n"
    if block is None:
        return Document({}, body, "no frontmatter: the first line is not ---, or the block is never closed", newline)
    tree, problem = _tree(block)
    plain = _lines(block)
    if tree is None:
        return Document(_nested(plain), body, problem, newline)
    said, meant = tree.get("description"), plain.get("description", "")
    if isinstance(said, str) and " #" in f" {meant}" and meant.startswith(said):
        tree["description"] = meant  # on one line it means what it says: YAML would cut it at " #"
    return Document(tree, body, "", newline)


def _tree(block: str) -> tuple[dict[str, Any] | None, str]:
    try:
        import yaml
    except ImportError:
        return None, "read line by line: PyYAML is not installed"
    try:
        if why := _refused(block, yaml):
            return None, why
        tree = _whole(yaml.load(block, Loader=yaml.BaseLoader))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        return None, f"not YAML{f' (line {mark.line + 2})' if mark else ''}: quote the value"
    except (ValueError, OverflowError, RecursionError) as error:
        return None, f"not readable as YAML ({type(error).__name__})"
    if tree in (None, ""):
        return {}, ""
    if not isinstance(tree, dict):
        return None, "not a block of `key: value` lines"
    return tree, ""


def _refused(block: str, yaml: Any) -> str:
    """What no memory needs and an attacker does: aliases that grow, tags that make objects, nesting without end."""
    depth = 0
    for event in yaml.parse(block, Loader=yaml.BaseLoader):
        if isinstance(event, yaml.AliasEvent):
            return "YAML aliases are not read"
        if getattr(event, "tag", None):
            return f"YAML tags are not read ({event.tag[:40]})"
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEPTH:
            return f"nested more than {DEPTH} levels deep"
    return ""


def _whole(tree: Any) -> Any:
    """The tree with lone surrogates replaced, which only an escape can have made: any text read can be stored."""
    if isinstance(tree, dict):
        return {_whole(key): _whole(value) for key, value in tree.items()}
    return [_whole(value) for value in tree] if isinstance(tree, list) else whole(str(tree or ""))


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
        else:
            rows.append(f"{indent}{label}: {_flow(value)}")
    return rows


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_quoted(key)}: {_flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_flow(item) for item in value)}]"
    return _quoted(str(value))


def _quoted(text: str) -> str:
    return jsontext.dumps(text, ascii_only=False).translate(_ESCAPED)
