"""`memory.py memories [TEXT]`: what the client's `/memories` shows: how memory stands, or what is found for words."""

from __future__ import annotations

from lib.cli import listing, search, standing, status
from lib.cli.arguments import given
from lib.cli.dictation import words
from lib.cli.place import Place

USAGE = "memories [TEXT] [--until LINE]"


def run(arguments: list[str], place: Place) -> int:
    """The status and the list without words, else the search."""
    text = words(given(USAGE, arguments, most=-1))
    if text:
        return search.run(["--", text], place)
    status.show(standing.of(place))
    return listing.run([], place)
