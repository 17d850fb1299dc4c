"""What of a source would become memories here: each with its reason; the texts keep their provenance. Req: A6."""

from __future__ import annotations

import datetime
import os
from dataclasses import dataclass

from lib.cli import sources
from lib.cli.place import Place, Trouble
from lib.cli.progress import counted
from lib.dream import likeness
from lib.extract import wording
from lib.extract.statement import STRONG, Statement, plain
from lib.memory import checks, files, frontmatter, secrets, store, transaction
from lib.memory.transaction import Change


@dataclass(frozen=True)
class Row:
    """`change` is None for what does not come (SKIP); `file` is its name there, or the new one here."""

    action: str
    file: str
    why: str
    change: Change | None = None


class _Known:
    """What there is already: names, and statements by their plain words; it grows with what comes."""

    def __init__(self, memory: str) -> None:
        self.names = [entry.file for entry in store.entries(memory)]
        self.said = {likeness.plain(m.statement): m.file for m in store.scan(memory, 100_000)}

    def take(self, file: str, statement: str) -> str:
        """The name for a new memory."""
        free = store.free_file(file.removesuffix(".md"), self.names)
        self.names.append(free)
        self.said[likeness.plain(statement)] = free
        return free


def of_folder(path: str, place: Place) -> list[Row]:
    """One row a memory of another folder: whole texts, their age kept."""
    known = _Known(place.memory)
    rows = []
    for entry in counted(sorted(store.entries(path), key=lambda entry: entry.file), "looked at"):
        text = transaction.current(path, entry.file)
        if text is None:
            rows.append(Row("SKIP", entry.file, "it cannot be read"))
            continue
        rows.append(_of_memory(entry, text, known))
    return rows


def _of_memory(entry: store.Entry, text: str, known: _Known) -> Row:
    memory = store.Memory(entry.file, text, entry.mtime_ns / 1e9)
    document = frontmatter.parse(text)
    why = files.unsafe_name(entry.file) or memory.problem or document.problem
    if not why and len(text.encode("utf-8", "replace")) > checks.TEXT_LIMIT:
        why = f"it is over {checks.TEXT_LIMIT} bytes"
    if not why and (found := secrets.scan(text)):
        why = f"line {found[0].line} holds what looks like a secret ({found[0].rule})"
    if not why and (twin := known.said.get(likeness.plain(memory.statement))):
        why = f"{twin} says it already"
    if why:
        return Row("SKIP", entry.file, why)
    file = known.take(entry.file, memory.statement)
    if file != entry.file and document.fields.get("name"):
        text = frontmatter.dump({**document.fields, "name": file[:-3]}, document.body, document.newline)
    renamed = "" if file == entry.file else f" (was {entry.file}: that name is taken)"
    return Row("CREATE", file, memory.statement[:150] + renamed, Change(file, text, None, mtime_ns=entry.mtime_ns))


def of_file(path: str, place: Place) -> list[Row]:
    """One row a section of an instruction file. Raises Trouble when it cannot be read."""
    try:
        found = sources.read(path)
    except OSError as error:
        raise Trouble(f"{path} cannot be read: {error.strerror}") from error
    known = _Known(place.memory)
    return [_of_section(heading, body, os.path.basename(path), known) for heading, body in found]


def _of_section(heading: str, body: str, source: str, known: _Known) -> Row:
    bullets = [line.strip(" -*+\t") for line in body.split("\n") if line.strip(" -*+\t")]
    first = plain(bullets[0])
    # What a section says is its text; of one with a single line the heading says nothing more.
    line = first if len(bullets) == 1 or not heading else f"{heading}: {first}"
    today = datetime.date.today()
    statement = Statement("feedback", "asked", line, STRONG, True)
    name = wording.name(statement, heading or line)
    text_of_body = f"{body}\n\n**Why:** it stands in {source}.\n**How to apply:** {wording.how(line, '', ())}"
    said = {"said_by": "user", "noted": today.isoformat(), "source": source}
    description = wording.description(line[:1].upper() + line[1:])
    if found := secrets.scan(body):
        return Row("SKIP", name, f"it holds what looks like a secret ({found[0].rule})")
    if twin := known.said.get(likeness.plain(description)):
        return Row("SKIP", name, f"{twin} says it already")
    text = store.text_of(name, "feedback", description, text_of_body, said, applies=wording.applies(line))
    if why := checks.check(f"{name}.md", text):
        return Row("SKIP", name, why.removeprefix(f"{name}.md").lstrip(": "))
    file = known.take(name, description)
    if file != f"{name}.md":
        text = store.text_of(file[:-3], "feedback", description, text_of_body, said, applies=wording.applies(line))
    return Row("CREATE", file, description, Change(file, text, None))
