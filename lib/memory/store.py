"""The memories of one directory: one file, one fact. Reading is cheap enough for a hook. Req: A1, A2, A7."""

from __future__ import annotations

import os

from lib.memory import files, frontmatter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

TYPES = ("user", "feedback", "project", "reference")
INDEX = "MEMORY.md"
_INDEX = INDEX.upper()
TEAM = "team"  # the folder below the directory with what the team shares
MANIFEST_LIMIT = 200  # memories
HEAD_LINES = 30
DEEPEST = 3  # folders below the team's


class Entry:
    """One topic file, unread: its name, its time in nanoseconds since the epoch, its size in bytes."""

    __slots__ = ("file", "mtime_ns", "size")

    def __init__(self, file: str, mtime_ns: int, size: int) -> None:
        self.file = file
        self.mtime_ns = mtime_ns
        self.size = size


class Memory:
    """One memory as read: `fields` as `frontmatter.head` gives them, `mtime` in seconds, `problem` or ""."""

    __slots__ = ("body", "description", "fields", "file", "mtime", "name", "problem", "type")

    def __init__(self, file: str, text: str, mtime: float) -> None:
        self.file = file
        self.mtime = mtime
        block, self.body = frontmatter.split(text)
        self.fields = frontmatter.head(text) if block is not None else {}
        self.name = self.fields.get("name") or file[:-3]
        self.description = self.fields.get("description", "")
        kind = self.fields.get("metadata.type") or self.fields.get("type", "")
        self.type = kind if kind in TYPES else ""
        self.problem = (
            "no frontmatter" if block is None else "" if self.type else f"type {kind!r} is none of {', '.join(TYPES)}"
        )

    @property
    def statement(self) -> str:
        """What the memory says in one line, whatever its frontmatter holds."""
        if self.description:
            return self.description
        return next((line.strip("#*> \t") for line in self.body.split("\n") if line.strip("#*> \t\r")), self.name)


def entries(directory: str) -> list[Entry]:
    """The topic files of a directory, unread and in no order; whatever is no regular `.md` file is passed over.

    What a team shares may lie in folders; it is named by its path below memory/team.
    """
    found: list[Entry] = []
    _list(directory, "", DEEPEST if os.path.basename(directory) == TEAM and _below_memories(directory) else 0, found)
    return found


def _below_memories(directory: str) -> bool:
    """Whether the folder around it is a memory directory: a person's own may be called like the team's."""
    from lib.memory import lock

    return os.path.exists(os.path.join(os.path.dirname(directory), lock.NAME))


def _list(directory: str, prefix: str, deeper: int, found: list[Entry]) -> None:
    try:
        with os.scandir(directory) as listing:
            for item in listing:
                name = item.name
                if deeper and not name.startswith(".") and item.is_dir(follow_symlinks=False):
                    _list(item.path, f"{prefix}{name}/", deeper - 1, found)
                    continue
                if not name.endswith(".md") or name.startswith(".") or name.upper() == _INDEX:
                    continue
                try:
                    if not item.is_file(follow_symlinks=False):
                        continue
                    status = item.stat(follow_symlinks=False)
                    if not name.isascii():
                        name.encode()
                except (OSError, UnicodeEncodeError):
                    continue
                found.append(Entry(prefix + name, status.st_mtime_ns, status.st_size))
    except OSError:
        return


def load(directory: str, file: str, *, limit: int = files.READ_LIMIT) -> Memory | None:
    """One memory, at most `limit` bytes of it; None when it cannot be read. Undecodable bytes become U+FFFD."""
    try:
        raw = files.read(directory, file, limit)
        mtime = os.stat(os.path.join(directory, file), follow_symlinks=False).st_mtime
    except OSError:
        return None
    return Memory(file, raw.decode("utf-8", "replace").removeprefix("\ufeff"), mtime)


def scan(directory: str, limit: int = MANIFEST_LIMIT) -> list[Memory]:
    """The newest `limit` memories, newest first, whole bodies within the read limit. Req: A7."""
    newest = sorted(entries(directory), key=lambda entry: (-entry.mtime_ns, entry.file))[:limit]
    return [memory for entry in newest if (memory := load(directory, entry.file))]


def free_file(name: str, taken: Iterable[str]) -> str:
    """A file name for a new memory that no existing one could be taken for on any file system."""
    folded = {fold(file) for file in taken} | {fold(INDEX)}
    candidate, n = f"{name}.md", 2
    while fold(candidate) in folded:
        candidate, n = f"{name}-{n}.md", n + 1
    return candidate


def fold(file: str) -> str:
    """What two names share when they are one file to somebody: case, composition, separators."""
    import unicodedata

    return unicodedata.normalize("NFKC", file).casefold().replace("_", "-").replace(" ", "-")


def text_of(
    name: str, kind: str, description: str, body: str, metadata: Mapping[str, str], *, applies: Iterable[str] = ()
) -> str:
    """A new memory's text, as the client writes its own: `name`, `description`, `metadata.type`. Raises ValueError."""
    if kind not in TYPES:
        raise ValueError(f"type {kind!r}: must be one of {', '.join(TYPES)}")
    fields: dict[str, object] = {"name": name, "description": description, "metadata": {"type": kind, **metadata}}
    if words := list(applies):
        fields["applies"] = words
    return frontmatter.dump(fields, "\n" + body.strip("\n") + "\n")


def rewritten(text: str, *, description: str, body: str, metadata: Mapping[str, object]) -> str:
    """An existing memory's text with a new statement; every other key of its frontmatter and its line ends stay.

    A key of `metadata` that is None is taken out.
    """
    document = frontmatter.parse(text)
    fields = dict(document.fields)
    fields["description"] = description
    inner = fields.get("metadata")
    merged = {**(inner if isinstance(inner, dict) else {}), **metadata}
    fields["metadata"] = {key: value for key, value in merged.items() if value is not None}
    lines = body.replace("\r\n", "\n").strip("\n")
    return frontmatter.dump(fields, f"\n{lines}\n".replace("\n", document.newline), document.newline)
