"""`memory.py search TEXT`: what a prompt would recall, and what else matches, with the reasons. Req: J2."""

from __future__ import annotations

import os

from lib.cli.place import Place, Trouble
from lib.recall import lexical
from lib.recall.escaping import visible

SHOWN = 10


def run(arguments: list[str], place: Place) -> int:
    """The ranking for a text; `recalled` marks what a prompt of these words would be given."""
    text = " ".join(arguments)
    if not text.strip():
        raise Trouble('search takes the words to look for, such as `memory.py search "package manager"`')
    certain = {hit.path for hit in lexical.select(place.memory, text, limit=place.settings.option("recall.max"))}
    ranked = lexical.select(place.memory, text, limit=SHOWN, abstain=False)
    for hit in ranked:
        mark = "recalled" if hit.path in certain else "not sure"
        print(visible(f"{mark}  {hit.score:7.2f}  {os.path.basename(hit.path)}  ({hit.why})"))
    if not ranked:
        print(f"No memory in {place.memory} shares a word with {text[:60]!r}.")
    return 0
