"""Less text at the ends of sentences: what is left is whole, what is left out is counted. Pure. Req: D3."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lib.session import tokens

# A blank line, or a line that begins an item, a heading, a quotation or a row.
_BLOCK = re.compile(r"\n[ \t]*(?=\n|[-*•#>|]|\d{1,3}[.)][ \t])")
_ENDS = ".!?…。！？"
_CLOSERS = "\"')]}»”’"
_ABBREVIATED = ("e.g.", "i.e.", "etc.", "vs.", "cf.", "Mr.", "Mrs.", "Dr.", "No.", "z.B.", "d.h.", "bzw.")


def sentences(text: str) -> list[str]:
    """The sentences of a text, spaces squeezed; an item of a list and a heading are sentences of their own."""
    return [sentence for block in _BLOCK.split(text) for sentence in _of_block(block)]


def _of_block(block: str) -> list[str]:
    words = block.split()
    found: list[str] = []
    begun: list[str] = []
    for place, word in enumerate(words):
        begun.append(word)
        bare = word.rstrip(_CLOSERS)
        after = words[place + 1][:1] if place + 1 < len(words) else ""
        ended = bare.endswith(tuple(_ENDS)) and bare not in _ABBREVIATED and not after.islower()
        if ended:
            found.append(" ".join(begun))
            begun = []
    return [*found, " ".join(begun)] if begun else found


def first(text: str, limit: int) -> str:
    """The first whole sentences of a text within `limit` tokens, "" when the first alone is longer."""
    kept: list[str] = []
    for sentence in sentences(text):
        if tokens.of_text(" ".join([*kept, sentence])) > limit:
            break
        kept.append(sentence)
    return " ".join(kept)


def points(text: str) -> list[str]:
    """A section's points: its list items, or its paragraphs where it has none."""
    found: list[str] = []
    for line in text.split("\n"):
        bare = line.strip()
        if bare.startswith(("- ", "* ", "• ")):
            found.append(bare[2:].strip())
        elif bare and found and line.startswith(("  ", "\t")):
            found[-1] += " " + bare
        elif bare:
            found.append(bare)
    return found


def listed(items: Sequence[str], left_out: int = 0) -> str:
    rows = [f"- {item}" for item in items]
    return "\n".join([*rows, *([f"- ({left_out} more left out)"] if left_out else [])])


def within(items: Sequence[str], limit: int, *, point: int = 200) -> str:
    """The points as a list of at most `limit` tokens.

    Each is first cut to its leading sentences of `point` tokens, a point whose first sentence is longer is left out;
    then the middle goes: the first point (what it began with) and the newest stay.
    """
    text = listed(items)
    if tokens.of_text(text) <= limit and all(tokens.of_text(item) <= limit for item in items):
        return text
    short = [item if tokens.of_text(item) <= point else first(item, point) for item in items]
    kept = [item for item in short if item]
    left_out = len(items) - len(kept)
    while kept and tokens.of_text(listed(kept, left_out)) > limit:
        del kept[1 if len(kept) > 1 else 0]
        left_out += 1
    return listed(kept, left_out) if kept or left_out else ""
