"""`memory.py search TEXT`: what a prompt would recall, and what else matches, with the reasons. Req: J2."""

from __future__ import annotations

import os

from lib.cli.place import Place, Trouble
from lib.host import paths
from lib.memory import store
from lib.recall import evidence, lexical
from lib.recall.escaping import visible

SHOWN = 10
PATIENCE = 2.0  # seconds for what memories name in the project: nobody's prompt waits here


def run(arguments: list[str], place: Place) -> int:
    """The ranking for a text; `recalled` marks what a prompt of these words would be given, the others say why not."""
    text = " ".join(arguments)
    if not text.strip():
        raise Trouble('search takes the words to look for, such as `memory.py search "package manager"`')
    project = paths.checkout(os.getcwd())
    asked = lexical.consider(place.memory, text, limit=place.settings.option("recall.max"), project=project)
    certain = {hit.path: hit for hit in asked.hits}
    lacks = {hit.path: hit.why for hit in asked.left}
    ranked = lexical.select(place.memory, text, limit=SHOWN, abstain=False)
    listed = asked.hits + [hit for hit in ranked if hit.path not in certain][: max(0, SHOWN - len(asked.hits))]
    looked = _looked(place, project, [hit.path for hit in listed])
    for hit in listed:
        file, mark = os.path.basename(hit.path), "recalled" if hit.path in certain else "left out"
        print(visible(f"{mark}  {hit.score:7.2f}  {file}  ({hit.why})"))
        if hit.path not in certain:
            print(visible(f"{'':19}not recalled: {lacks.get(hit.path) or _quiet(text)}"))
        for note in looked[file].notes if file in looked else []:
            print(visible(f"{'':19}{note}"))
    if not listed:
        print(f"No memory in {place.memory} shares a word with {text[:60]!r}.")
    return 0


def _looked(place: Place, project: str, found: list[str]) -> dict[str, evidence.Finding]:
    memories = [memory for path in found if (memory := store.load(place.memory, os.path.basename(path)))]
    return evidence.findings(memories, project, place.state, PATIENCE)


def _quiet(text: str) -> str:
    return "a prompt of these words is small talk" if lexical.quiet(text) else "too far behind the others"
