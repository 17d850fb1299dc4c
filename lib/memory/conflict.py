"""A text that a merge left unfinished says two things at once: it is refused, never shown and never copied. Req: F2."""

from __future__ import annotations

_SIDES = ("<<<<<<<", ">>>>>>>")


def marked(text: str) -> bool:
    """Whether a line of the text is a conflict marker as a merge writes it; a heading's underline alone is none."""
    if "<<<<<<<" not in text and ">>>>>>>" not in text:
        return False
    return any(line.startswith(_SIDES) and line[7:8] in ("", " ", "\r", "\t") for line in text.split("\n"))
