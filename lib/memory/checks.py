"""What a memory must be before an agent of ours may save it; a refusal is a sentence that can be acted on."""

from __future__ import annotations

from lib.memory import files, frontmatter, store

TEXT_LIMIT = 16_000  # bytes; a memory states one fact
DESCRIPTION_LIMIT = 300  # characters
LINES = 60  # of text in a body; more is not one fact
_PARTS = ("**Why:**", "**How to apply:**")


def check(file: str, text: str) -> str:
    """Why this text may not be saved under this name, or "". Req: A1, A2."""
    if why := files.unsafe_name(file):
        return f"{file}: {why}."
    if "/" in file or store.fold(file) == store.fold(store.INDEX):
        return f"{file}: write one memory file directly in the memory directory; the index is kept by the program."
    if len(text.encode("utf-8", "replace")) > TEXT_LIMIT:
        return f"{file} is over {TEXT_LIMIT} bytes: state one fact and leave out the rest."
    document = frontmatter.parse(text)
    if document.problem:
        return f"{file}: {document.problem}."
    return _fields(file, document) or _two_readings(file, text, document)


def _fields(file: str, document: frontmatter.Document) -> str:
    name, description = document.fields.get("name"), document.fields.get("description")
    metadata = document.fields.get("metadata")
    kind = (metadata.get("type") if isinstance(metadata, dict) else None) or document.fields.get("type")
    if not isinstance(name, str) or not name.strip():
        return f"{file}: the frontmatter needs `name`, a short kebab-case slug."
    if store.fold(name.strip() + ".md") != store.fold(file):
        return f"{file}: `name` is {name.strip()!r}; name and file name must be the same slug."
    if not isinstance(description, str) or not description.strip():
        return f"{file}: the frontmatter needs `description`, one line that states the fact."
    if "\n" in description.strip() or len(description) > DESCRIPTION_LIMIT:
        return f"{file}: `description` must be one line of at most {DESCRIPTION_LIMIT} characters."
    if kind not in store.TYPES:
        return f"{file}: `metadata.type` is {kind!r}; it must be one of {', '.join(store.TYPES)}."
    titles = [line for line in document.body.split("\n") if line.startswith("# ")]
    if len(titles) > 1 or sum(bool(line.strip()) for line in document.body.split("\n")) > LINES:
        return f"{file} states more than one fact: split it, one memory a fact, each of at most {LINES} lines."
    if kind in ("feedback", "project") and (missing := [part for part in _PARTS if not _has(document.body, part)]):
        return f"{file}: a {kind} memory needs {' and '.join(missing)} in its body."
    return ""


def _two_readings(file: str, text: str, document: frontmatter.Document) -> str:
    """A text that says one thing to YAML and another to the hooks, which read line by line, is no memory."""
    metadata = document.fields.get("metadata")
    inner = metadata if isinstance(metadata, dict) else {}
    plain = frontmatter.head(text)
    pairs = {
        "name": (document.fields.get("name"), plain.get("name")),
        "description": (document.fields.get("description"), plain.get("description")),
        "metadata.type": (inner.get("type"), plain.get("metadata.type")),
        "type": (document.fields.get("type"), plain.get("type")),
        **{f"metadata.{key}": (inner.get(key), plain.get(f"metadata.{key}")) for key in ("quote", "said_by")},
    }
    for key, (whole, line) in pairs.items():
        if " ".join(str(whole or "").split()) != " ".join((line or "").split()):
            return f"{file}: `{key}` can be read in two ways: write `{key.rpartition('.')[2]}: \"text\"` on one line."
    return ""


def _has(body: str, part: str) -> bool:
    """The bold form or a heading of that name; both are in use."""
    plain = part.strip("*:").lower()
    return part.lower() in body.lower() or any(line.strip("# *:\r").lower() == plain for line in body.split("\n"))
