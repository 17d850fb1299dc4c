"""Stored text made harmless: what cannot be seen is gone, and no character of it can open or close a tag. Req: C3."""

from __future__ import annotations

from lib.host.reply import units
from lib.memory.names import BLANK

_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
_LONGEST_ENTITY = 31  # letters
# Of ASCII nothing composes, and what hides is a control character: no table of Unicode is loaded for plain text.
_PLAIN = {**dict.fromkeys((*range(32), 127)), 9: "  ", 10: "\n"}


def visible(text: str) -> str:
    """The text without what hides, reorders or moves a cursor: control, bidi, zero-width and tag characters."""
    if text.isascii():
        return text.translate(_PLAIN)
    import unicodedata

    text = unicodedata.normalize("NFC", text)
    # Judged once for each character that occurs, not for each place: a block holds tens of thousands of places.
    text = text.translate({ord(c): instead for c in set(text) if (instead := _seen(c)) != c})
    # Without what stood between them two characters may now be one.
    return unicodedata.normalize("NFC", text)


def _seen(c: str) -> str:
    if c in "\n\t":
        return "\n" if c == "\n" else "  "
    import unicodedata

    kind = unicodedata.category(c)
    if kind in _HIDDEN or c in BLANK:
        return " " if kind in ("Zl", "Zp") else ""
    return c


def harmless(text: str) -> str:
    """Visible text in which no character, nor what it normalises to, could open or close a tag. Req: C3.

    What is not seen goes first: it could keep an entity from being recognised as one.
    """
    text = _without_entities(visible(text))
    return text.translate({ord(c): instead for c in set(text) if (instead := _escaped(c)) != c})


def _without_entities(text: str) -> str:
    """What somebody could read as a character reference no longer is one; a lone ampersand stays."""
    head, *parts = text.split("&")
    return head + "".join(("&amp;" if _names_character(part) else "&") + part for part in parts)


def _names_character(part: str) -> bool:
    name, closed, _ = part[: _LONGEST_ENTITY + 2].partition(";")
    name = name.removeprefix("#")
    return bool(closed) and 0 < len(name) <= _LONGEST_ENTITY and name.isascii() and name.isalnum()


def _escaped(c: str) -> str:
    """A bracket, or a character that becomes one when somebody normalises the text, as an entity."""
    if c < "\x7f":
        plain = c
    else:
        import unicodedata

        plain = unicodedata.normalize("NFKC", c)
    return "&lt;" if "<" in plain else "&gt;" if ">" in plain else c


def quoted(text: str) -> str:
    """Each line of stored text behind a mark, so that it cannot pose as a line of ours."""
    return "\n".join(f"| {line}".rstrip() for line in harmless(text).strip("\n").split("\n"))


def inline(text: str, limit: int) -> str:
    """Stored text within one line of ours (a file, a session, a folder): at most `limit` units, the end of it."""
    line = " ".join(harmless(text).split())
    if units(line) <= limit:
        return line
    return "…" + line[-(limit - 1) // 2 if any(c > "\uffff" for c in line) else 1 - limit :]
