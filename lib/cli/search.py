"""`memory.py search TEXT [--json]`: what a prompt would recall, and what else matches, with the reasons. Req: J2.

JSON: text, hits (each: file, recalled, score, why, lacks, notes).
"""

from __future__ import annotations

import os
from typing import TypedDict

from lib.cli import screen
from lib.cli.arguments import given
from lib.cli.place import Place, Usage
from lib.host import paths
from lib.memory import store
from lib.recall import evidence, lexical, shared

USAGE = "search TEXT [--json]"
SHOWN = 10
PATIENCE = 2.0  # seconds for what memories name in the project: nobody's prompt waits here


def run(arguments: list[str], place: Place) -> int:
    """The ranking for a text; `recalled` marks what a prompt of these words would be given, the others say why not."""
    asked = given(USAGE, arguments, most=-1)
    text = " ".join(asked.names)
    if not text.strip():
        raise Usage('search takes the words to look for, such as `memory.py search "package manager"`')
    rows = found(place, text)
    if asked.json:
        screen.emit({"text": text, "hits": rows})
        return 0
    for row in rows:
        mark = "recalled" if row["recalled"] else "left out"
        screen.say(f"  {row['score']:7.2f}  {row['file']}  ({row['why']})", mark, "green" if row["recalled"] else "dim")
        for note in row["notes"] if row["recalled"] else [f"not recalled: {row['lacks']}", *row["notes"]]:
            screen.say(f"{'':19}{note}")
    if not rows:
        screen.say(f"No memory in {place.memory} shares a word with {text[:60]!r}.")
    return 0


class Row(TypedDict):
    file: str
    recalled: bool
    score: float
    why: str
    lacks: str
    notes: list[str]


def found(place: Place, text: str) -> list[Row]:
    """The ranking, best first; `lacks` says why a memory would not be recalled."""
    project = paths.checkout(os.getcwd())
    most = place.settings.option("recall.max")
    asked = lexical.consider(place.memory, text, limit=most, project=project)
    certain = {hit.path: hit for hit in asked.hits}
    lacks = {hit.path: hit.why for hit in asked.left}
    ranked = lexical.select(place.memory, text, limit=SHOWN, abstain=False)
    listed = asked.hits + [hit for hit in ranked if hit.path not in certain][: max(0, SHOWN - len(asked.hits))]
    looked = _looked(place, project, [hit.path for hit in listed])
    rows: list[Row] = []
    for hit in listed:
        file = os.path.basename(hit.path)
        lack = "" if hit.path in certain else lacks.get(hit.path) or _quiet(text)
        notes = looked[file].notes if file in looked else []
        rows.append({"file": file, "recalled": not lack, "score": round(hit.score, 2), "why": hit.why, "lacks": lack,
                     "notes": notes})  # fmt: skip
    teams = shared.hits(place.memory, text, place.state, room=most - len(asked.hits), project=project)
    at = len(asked.hits)
    rows[at:at] = [{"file": shared.name(place.memory, hit.path), "recalled": True, "score": round(hit.score, 2),
                    "why": hit.why, "lacks": "", "notes": []} for hit in teams]  # fmt: skip
    return rows


def _looked(place: Place, project: str, paths_: list[str]) -> dict[str, evidence.Finding]:
    memories = [memory for path in paths_ if (memory := store.load(place.memory, os.path.basename(path)))]
    return evidence.findings(memories, project, place.state, PATIENCE)


def _quiet(text: str) -> str:
    return "a prompt of these words is small talk" if lexical.quiet(text) else "too far behind the others"
