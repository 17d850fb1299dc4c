"""What is wrong with memories and their index, and what of it can be mended without a loss. Reads only. Req: A3, A6."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lib.cli import examination, standing
from lib.cli.place import Place
from lib.cli.progress import counted
from lib.dream import ageing, merging, shelf, tidying
from lib.dream.shelf import Shelf
from lib.host import paths
from lib.memory import checks, derivable, files, index, secrets, store
from lib.memory.store import Memory
from lib.memory.transaction import Change
from lib.recall import evidence

PATIENCE = 5.0  # seconds for what memories name in the project
NOTE = "note"  # worth knowing, and no fault


@dataclass(frozen=True)
class Finding:
    """One thing about one file; `kind` is stable: unreadable, name, frontmatter, long, secret, index, date, duplicate,
    derivable, stale, note. `safe`: --fix mends it."""

    file: str
    kind: str
    said: str
    safe: bool = False


@dataclass
class Result:
    """The findings by file, how many memories were looked at, and the changes that mend what is safe."""

    looked: int = 0
    findings: list[Finding] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    index: bool = False  # mending the index is part of it

    @property
    def problems(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.kind != NOTE]


def lint(place: Place, launch: str) -> Result:
    """Look at every memory of the place, with the project around the folder `launch`."""
    there = shelf.read(place.memory)
    entries = store.entries(place.memory)
    result = Result(len(entries))
    project = paths.checkout(launch)
    for entry in counted(entries, "looked at"):
        if entry.file not in there.before:
            result.findings.append(Finding(entry.file, "unreadable", "it cannot be read, or is over 1 MB"))
        else:
            result.findings += _one(there.memory(entry.file), there.before[entry.file], project)
    result.findings += [*_duplicates(place), *_stale(there, project, place), *_links(there), *_index(place)]
    result.index = any(finding.kind == "index" and finding.safe for finding in result.findings)
    ageing.make_dates_absolute(there)
    result.findings += [Finding(file, "date", why, True) for _, file, why in there.rows]
    result.changes = there.changes()
    result.findings.sort(key=lambda finding: (finding.file, finding.kind))
    return result


def _one(memory: Memory, text: str, project: str) -> Iterator[Finding]:
    """What one memory's own text shows."""
    if why := files.unsafe_name(memory.file):
        yield Finding(memory.file, "name", why)
    if any("\udc80" <= c <= "\udcff" for c in text):
        yield Finding(memory.file, "unreadable", "it holds bytes that are no UTF-8 text")
    size = len(text.encode("utf-8", "replace"))
    lines = sum(bool(line.strip()) for line in memory.body.split("\n"))
    if size > checks.TEXT_LIMIT or lines > checks.LINES:
        yield Finding(memory.file, "long", f"{size} bytes, {lines} lines: a memory states one fact "
                      f"({checks.TEXT_LIMIT} bytes, {checks.LINES} lines at most)")  # fmt: skip
    elif why := checks.check(memory.file, text):
        yield Finding(memory.file, "frontmatter", why.removeprefix(f"{memory.file}: ").removeprefix(f"{memory.file} "))
    if found := secrets.scan(text[: files.READ_LIMIT]):
        yield Finding(memory.file, "secret", f"line {found[0].line} holds what looks like a secret ({found[0].rule})")
    if why := derivable.derivable(memory.statement, project):
        yield Finding(memory.file, "derivable", why)


def _duplicates(place: Place) -> Iterator[Finding]:
    """Memories that a consolidation would merge; it keeps all words, so that is left to it."""
    trial = shelf.read(place.memory)
    merging.merge_duplicates(trial)
    for action, file, why in trial.rows:
        if action == "REMOVE":
            yield Finding(file, "duplicate", f"{why}; memory.py dream merges them")


def _stale(there: Shelf, project: str, place: Place) -> Iterator[Finding]:
    memories = [there.memory(file) for file in there.there()]
    for file, found in evidence.findings(memories, project, place.state, PATIENCE).items():
        for note in found.notes:
            yield Finding(file, "stale", note)


def _links(there: Shelf) -> Iterator[Finding]:
    """A link to what is not there is something worth writing, and no fault."""
    for said in tidying.dangling(there):
        name, _, file = said.removesuffix(")").rpartition(" (in ")
        yield Finding(file, NOTE, f"[[{name}]] is worth writing: it is linked and not there")


def _index(place: Place) -> Iterator[Finding]:
    text = examination.index_text(place.memory)
    if differs := examination.stale(place.memory):
        yield Finding(store.INDEX, "index", differs, True)
    if over := standing.over_limits(place.memory):
        yield Finding(store.INDEX, "index", f"{over}; memory.py dream shortens it")
    rows = text.split("\n")
    targets = [index.target(row) for row in rows if index.target(row)]
    if doubled := sorted({file for file in targets if targets.count(file) > 1}):
        yield Finding(store.INDEX, "index", f"{len(doubled)} files have more than one line ({doubled[0]})", True)
    long = [row for row in rows if index.target(row) and len(row) >= index.LINE_LIMIT]
    if long:
        yield Finding(store.INDEX, "index", f"{len(long)} lines have {index.LINE_LIMIT} characters or more; "
                      "memory.py dream shortens them")  # fmt: skip


