"""The four phases as one run of an agent in the sandbox; code judges each text, keeps provenance. Req: G3, J9."""

from __future__ import annotations

import datetime
import os
from collections.abc import Sequence

from lib.dream import prompt
from lib.dream.merging import LINK, target
from lib.dream.scene import Scene
from lib.dream.shelf import Shelf, index_text
from lib.host import paths, transcript
from lib.memory import checks, frontmatter, hygiene, manifest, store
from lib.memory.daily import Bullet
from lib.memory.store import Memory
from lib.model import thinkers
from lib.model.choice import Choice
from lib.model.task import Change as Staged
from lib.model.task import Outcome, Task
from lib.model.thinkers import Work

ROUNDS = 16
TOKENS = 16_000
SESSIONS = 10  # newest, whose words of the person are read
TAIL = 4_000_000  # bytes at the end of each transcript
PROVENANCE = ("originSessionId", "said_by", "noted", "quote")
ENDED_WELL = ("end_turn", "max_turns")


def run(scene: Scene, shelf: Shelf, bullets: Sequence[Bullet], last: float | None, chosen: Choice) -> Outcome:
    """Stage on the shelf what a model makes of it. Raises Unavailable when nobody could think or may spend."""
    project = paths.checkout(scene.launch)

    def objection(file: str, text: str) -> str:
        if _removal(text):
            return "" if file in shelf.before else f"{file} does not exist, so it cannot be removed."
        why = checks.check(file, text)
        if not why:
            why = hygiene.objection(text, Memory(file, text, 0.0).description, project)
            why = why and f"{file}: {why}. Leave it out."
        return why

    since = "never" if last is None else datetime.date.fromtimestamp(last).isoformat()
    task = Task(
        system=prompt.system(),
        prompt=prompt.user(
            index=index_text(scene.memory) or "",
            manifest=manifest.text(store.scan(scene.memory, 600)),
            log=[f"{bullet.at:%Y-%m-%d %H:%M} {bullet.name}: {bullet.statement}\n{bullet.body}" for bullet in bullets],
            said=said(scene, last),
            last=since,
            today=scene.today,
        ),
        memory_dir=scene.memory,
        # Not the project: what stands in its files is no word of the person's and must not become an instruction.
        read_roots=(scene.memory,),
        max_turns=ROUNDS,
        deadline=scene.seconds,
        max_output_tokens=TOKENS,
    )
    work = Work("dream", scene.launch, scene.settings, scene.env)
    outcome = thinkers.thinker(chosen, work).run_agent(task, check=objection)
    stage(shelf, outcome.changes, scene.today)
    return outcome


def stage(shelf: Shelf, changes: Sequence[Staged], today: datetime.date) -> None:
    """Put an agent's changes on the shelf: from what it read, provenance kept, removals tied to their holders."""
    written = [change.file for change in changes if change.text is not None and not _removal(change.text)]
    for change in changes:
        if "/" in change.file or change.file in shelf.fixed:
            continue
        if change.before is not None:
            shelf.before[change.file] = change.before
        why = "deleted" if change.text is None else _removal(change.text)
        if not why:
            text = _with_provenance(change.text or "", change.before, today)
            if text != change.before:
                shelf.stage(change.file, text, "", "UPDATE" if change.before is not None else "CREATE")
        elif change.before is not None:
            _remove(shelf, change.file, why, written)


def _remove(shelf: Shelf, file: str, why: str, written: Sequence[str]) -> None:
    """A removal waits for the file that it names; one that names none waits for all that was written."""
    named = {target(match[1]) for match in LINK.finditer(why)}
    holders = [other for other in {*shelf.before, *written} if store.fold(other) in named and other != file]
    shelf.now[file] = None
    shelf.needs[file] = set(holders or [other for other in written if other != file])
    shelf.rows.append(("REMOVE", file, why[:200]))


def _removal(text: str) -> str:
    """Why the text asks for its file to be removed, "" when it is a memory."""
    inner = frontmatter.parse(text).fields.get("metadata")
    why = inner.get("delete") if isinstance(inner, dict) else None
    return why.strip() if isinstance(why, str) else ""


def _with_provenance(text: str, before: str | None, today: datetime.date) -> str:
    """The new text with the old one's other keys; who said it, and when, is never a model's to drop or to claim."""
    new, old = frontmatter.parse(text), frontmatter.parse(before or "")
    was, now = (found if isinstance(found := each.fields.get("metadata"), dict) else {} for each in (old, new))
    said = was if before is not None else {"said_by": "model", "noted": today.isoformat()}
    told = {key: value for key, value in now.items() if key not in PROVENANCE}
    fields = {**old.fields, **new.fields}
    fields["metadata"] = {**was, **told, **{key: said[key] for key in PROVENANCE if key in said}}
    return text if fields == new.fields else frontmatter.dump(fields, new.body, new.newline)


def said(scene: Scene, last: float | None) -> list[str]:
    """The person's own words in the sessions that changed, oldest first; never a tool's output."""
    found: list[tuple[str, str]] = []
    for path in scene.transcripts[:SESSIONS]:
        try:
            span = transcript.span(path, max(0, os.stat(path).st_size - TAIL))
        except OSError:
            continue
        for turn in span.turns:
            if last is None or not turn.time or turn.time >= _stamp(last):
                found += [(turn.time, text) for _, text in turn.human]
    return [text for _, text in sorted(found, key=lambda pair: pair[0])]


def _stamp(at: float) -> str:
    return datetime.datetime.fromtimestamp(at, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
