"""`memory.py import [--from SLUG|PATH] [--yes] [--json]`: memories of a folder that was renamed, or CLAUDE.md sections.

Without --from it lists where something could come from. With it, it shows what would come; --yes takes it in, through
the checks, as one entry of the history. Nothing is taken away from where it comes. Req: A6, J1.
JSON: sources (each: path, count, modified, note, likely); with --from: from, rows (each: action, file, why), done.
"""

from __future__ import annotations

import os
import time
from dataclasses import asdict

from lib.cli import history as entries
from lib.cli import intake, mending, screen, sources
from lib.cli.arguments import given
from lib.cli.intake import Row
from lib.cli.place import Place, Trouble
from lib.memory import freshness

USAGE = "import [--from SLUG|PATH] [--yes] [--json]"
_STYLES = {"CREATE": "green", "SKIP": "dim"}


def run(arguments: list[str], place: Place) -> int:
    """1 when --yes was said and something could not be written."""
    asked = given(USAGE, arguments)
    if "--from" not in asked:
        return _list(place, asked.json)
    path = _meant(asked.options["--from"], place)
    rows = intake.of_folder(path, place) if os.path.isdir(path) else intake.of_file(path, place)
    new = [row for row in rows if row.change]
    done = bool(new) and "--yes" in asked
    left: dict[str, str] = {}
    if done:
        changes = [row.change for row in new if row.change]
        left = mending.apply(place, changes, f"{len(new)} memories from {path}")
    if asked.json:
        told = [{"action": row.action, "file": row.file, "why": left.get(row.file, row.why)} for row in rows]
        screen.emit({"from": path, "rows": told, "done": done})
    else:
        _show(rows, left, path, place, done)
    return 1 if left else 0


def _show(rows: list[Row], left: dict[str, str], path: str, place: Place, done: bool) -> None:
    for row in rows:
        action = "left" if row.file in left else row.action.lower()
        screen.say(f"{'':{8 - len(action)}}{row.file}: {left.get(row.file, row.why)}", action, _STYLES[row.action])
    count = sum(row.change is not None for row in rows) - len(left)
    if done:
        entry = entries.chosen(place, [], "undo")
        screen.say(f"{count} taken in from {path}\nUndo it: memory.py undo {entry.id[:8]}")
        if os.path.isfile(path):
            screen.say(f"{path} still says the same; what stands in both is in context twice.")
    else:
        screen.say(f"{count} of {len(rows)} would come into {place.memory}. Nothing was written; --yes takes them in.")


def _list(place: Place, as_json: bool) -> int:
    found = [*sources.folders(place), *sources.files(place)]
    if as_json:
        screen.emit({"sources": [asdict(source) for source in found]})
        return 0
    if not found:
        screen.say("There is nothing to take in: no memories of other folders, and no CLAUDE.md.")
        return 0
    now = time.time()
    for source in found:
        what = f"{source.count} {'sections' if source.note == 'sections' else 'memories'}"
        why = "" if source.note == "sections" else f"; {source.note}"
        name = _slug(source.path, place) or source.path
        screen.say(f"  {what}, {freshness.words(source.modified, now)}{why}", name, "cyan" if source.likely else "")
    screen.say("See what would come: memory.py import --from NAME, with one of these names")
    return 0


def _slug(path: str, place: Place) -> str:
    projects = os.path.join(place.config, "projects")
    outer = os.path.dirname(path)
    return os.path.basename(outer) if os.path.dirname(outer) == projects else ""


def _meant(name: str, place: Place) -> str:
    """The memory folder or file that a name means: a slug of the client, a project's folder, a path. Raises Trouble."""
    slug = os.path.join(place.config, "projects", name, "memory")
    if os.sep not in name and os.path.isdir(slug):
        path = slug
    else:
        path = os.path.realpath(os.path.expanduser(name))
        if os.path.isdir(path) and not any(file.endswith(".md") for file in os.listdir(path)):
            path = os.path.join(path, "memory")
        if not os.path.exists(path):
            raise Trouble(f"there is nothing at {name!r}; `memory.py import` lists what there is")
    if os.path.realpath(path) == os.path.realpath(place.memory):
        raise Trouble(f"{name!r} is this project's own memory")
    return path
