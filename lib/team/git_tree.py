"""A commit of the team's ref read and written without a working tree. What a hostile remote put into it is named."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from lib.team import git_program, keys, wire
from lib.team.problems import StoreProblem

TOTAL = 64_000_000  # bytes of all entries together
LISTING = 8_000_000  # bytes of the list of files: a tree can be made to unfold without end
_FILES = ("100644", "100755")
_COMMITS = 2_000  # looked at for who wrote what


@dataclass
class Tree:
    """key -> text, key -> checksum, key -> why it could not be read."""

    entries: dict[str, str] = field(default_factory=dict)
    checksums: dict[str, str] = field(default_factory=dict)
    damaged: dict[str, str] = field(default_factory=dict)

    def having(self, entries: Mapping[str, str]) -> Tree:
        """The same with these entries."""
        checksums = {key: wire.checksum(text) for key, text in entries.items()}
        damaged = {key: why for key, why in self.damaged.items() if key not in entries}
        return Tree({**self.entries, **entries}, {**self.checksums, **checksums}, damaged)


def read(folder: str, commit: str) -> Tree:
    """The entries of a commit: plain files within the limits; a size is known before anything is read."""
    tree = Tree()
    wanted: list[tuple[str, str]] = []
    total = 0
    listing = _git(folder, "ls-tree", "-r", "-z", "-l", "--full-tree", commit, limit=LISTING)
    for row in listing.split(b"\0"):
        about, tab, name = row.partition(b"\t")
        if not tab:
            continue
        mode, kind, blob, size = about.decode("ascii", "replace").split()
        key = name.decode("utf-8", "surrogateescape")
        total += int(size) if size.isdigit() else 0
        if why := _unreadable(mode, kind, size, key, total, len(wanted)):
            tree.damaged[key] = why
        else:
            wanted.append((key, blob))
    for (key, _), raw in zip(wanted, _blobs(folder, [blob for _, blob in wanted]), strict=True):
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            tree.damaged[key] = "it is not UTF-8 text"
            continue
        tree.entries[key] = text
        tree.checksums[key] = wire.checksum(text)
    return tree


def _unreadable(mode: str, kind: str, size: str, key: str, total: int, count: int) -> str:
    if kind != "blob" or mode not in _FILES:
        return "it is no regular file"
    if not size.isdigit() or int(size) > wire.ENTRY_BYTES:
        return f"it is over {wire.ENTRY_BYTES} bytes"
    if total > TOTAL or count >= keys.LIMIT:
        return f"more than {TOTAL} bytes or {keys.LIMIT} entries in all"
    return wire.unsafe_key(key)


def _blobs(folder: str, blobs: list[str]) -> list[bytes]:
    given = "".join(f"{blob}\n" for blob in blobs).encode()
    raw = _git(folder, "cat-file", "--batch", given=given, limit=2 * TOTAL) if blobs else b""
    found: list[bytes] = []
    at = 0
    for _ in blobs:
        end = raw.find(b"\n", at)
        head = raw[at : max(at, end)].split()
        if len(head) != 3 or not head[2].isdigit():
            raise StoreProblem("the team's ref names a file that the remote did not send")
        size = int(head[2])
        found.append(raw[end + 1 : end + 1 + size])
        at = end + size + 2
    return found


def authors(folder: str, commit: str) -> dict[str, str]:
    """key -> the author of the newest commit that touched it, as far back as is looked."""
    found: dict[str, str] = {}
    log = _git(
        folder, "log", "-z", f"--max-count={_COMMITS}", "--no-renames", "--name-only", "--format=%x01%an", commit
    )
    author = ""
    for part in log.decode("utf-8", "surrogateescape").split("\0"):
        # After a commit's own line its names follow; git sets a line end before the first of them.
        head, mark, name = part.partition("\x01")
        key = part
        if mark:
            author, _, key = name.partition("\n")
            author = author.strip()
        if key := key.strip("\n"):
            found.setdefault(key, author)
    return found


def commit(
    folder: str, ref: str, parent: str, entries: Mapping[str, str], author: str, committer: str
) -> str:
    """A commit that has these entries beside the parent's; `parent` "" begins a history. Its id."""
    now = int(time.time())
    name = "".join(c for c in author if c.isprintable() and c not in "<>\n")[:80].strip() or "somebody"
    message = f"{len(entries)} {'memory' if len(entries) == 1 else 'memories'}".encode()
    rows = [
        b"reset %s\n" % ref.encode() + (b"from %s\n\n" % parent.encode() if parent else b"\n"),
        b"commit %s\n" % ref.encode(),
        f"author {name} <memory-hooks@localhost> {now} +0000\n".encode("utf-8", "replace"),
        f"committer {committer} {now} +0000\n".encode(),
        b"data %d\n%s\n" % (len(message), message),
    ]
    if parent:
        rows.append(b"from %s^0\n" % parent.encode())
    for key, text in sorted(entries.items()):
        data = text.encode()
        rows.append(b'M 100644 inline "%s"\ndata %d\n%s\n' % (key.encode(), len(data), data))
    _git(folder, "fast-import", "--quiet", "--force", given=b"".join(rows))
    return _git(folder, "rev-parse", "--verify", "--quiet", ref).decode("ascii").strip()


def _git(folder: str, *arguments: str, given: bytes = b"", limit: int = git_program.OUTPUT) -> bytes:
    done = git_program.run(arguments, folder=folder, given=given, limit=limit)
    if done.status:
        raise StoreProblem(f"git {arguments[0]}: {done.said or f'exit {done.status}'}")
    return done.out
