"""JSON by the interpreter's C parts alone: the json package imports re, which costs a hook more than all its own work.

The same values and the same text as json's own `loads` and `dumps`; where the C parts are not there, json itself.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_c: Any = None
try:
    import _json

    _c = _json
except ImportError:
    pass  # another interpreter than CPython

_SPACE = " \t\n\r"


class _Context:
    """What the C scanner reads its options from; the defaults of json."""

    def __init__(self, strict: bool) -> None:
        self.strict = strict
        self.object_hook = None
        self.object_pairs_hook = None
        self.parse_float = float
        self.parse_int = int
        self.parse_constant = float
        self.memo: dict[str, str] = {}


_STRICT: Any = _c and _c.make_scanner(_Context(True))
_LOOSE: Any = _c and _c.make_scanner(_Context(False))


def decode(text: str, at: int = 0, *, strict: bool = True) -> tuple[Any, int]:
    """(the value that starts at `at`, the offset behind it); ValueError when there is none, RecursionError if too deep.

    `strict=False` allows control characters inside strings.
    """
    if _c is None:
        import json

        return json.JSONDecoder(strict=strict).raw_decode(text, at)
    try:
        value, end = (_STRICT if strict else _LOOSE)(text, at)
    except StopIteration as stop:
        raise ValueError(f"no JSON value at character {stop.value}") from None
    except SystemError:
        # Up to Python 3.12 the scanner can name a fault only when json is loaded; with it, it raises the ValueError.
        import json

        return json.JSONDecoder(strict=strict).raw_decode(text, at)
    return value, end


def loads(text: str | bytes, *, strict: bool = True) -> Any:
    """The one value that a text holds; UTF-8 when it is bytes. ValueError, RecursionError as in `decode`."""
    if isinstance(text, bytes):
        text = text.decode()
    start = len(text) - len(text.lstrip(_SPACE))
    value, end = decode(text, start, strict=strict)
    if text[end:].strip(_SPACE):
        raise ValueError(f"more than one JSON value: text goes on at character {end}")
    return value


def dumps(value: object, *, ascii_only: bool = True, compact: bool = True) -> str:
    """The value on one line, without spaces when `compact`; TypeError for what JSON does not have."""
    between, behind = (",", ":") if compact else (", ", ": ")
    if _c is None:
        import json

        return json.dumps(value, ensure_ascii=ascii_only, separators=(between, behind))
    quote = _c.encode_basestring_ascii if ascii_only else _c.encode_basestring
    if isinstance(value, str):
        return str(quote(value))
    encoder = _c.make_encoder({}, _unknown, quote, None, behind, between, False, False, True)
    return "".join(encoder(value, 0))


def _unknown(value: object) -> object:
    raise TypeError(f"{type(value).__name__} is no JSON value")
