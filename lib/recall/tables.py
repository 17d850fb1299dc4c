"""The saved index: every card of a folder in one SQLite file, changed memory by memory; losing it loses nothing.

Own tables and not FTS5: the ranking needs weighted counts by field and has to score exactly as a scan does. Req: C1.
"""

from __future__ import annotations

import os

from lib.recall.card import Card, joined, parted, unpacked
from lib.recall.transaction import Transaction, sqlite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lib.recall.ranking import Posting

VERSION = "2"  # of the tables and of how terms are made: another number empties the file
WAIT = 0.15  # seconds for another process' commit
PATIENT = 20_000  # milliseconds for it in the worker
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE memory (id INTEGER PRIMARY KEY AUTOINCREMENT, file TEXT UNIQUE, mtime_ns INTEGER, size INTEGER,
    hook INTEGER, length REAL, card TEXT, terms TEXT);
CREATE INDEX newest ON memory (mtime_ns);
CREATE TABLE posting (term TEXT, memory INTEGER, count REAL, length REAL, is_key INTEGER, PRIMARY KEY (term, memory))
    WITHOUT ROWID;
CREATE TABLE name (first TEXT, phrase TEXT, memory INTEGER, PRIMARY KEY (first, phrase, memory)) WITHOUT ROWID;
CREATE TABLE slug (slug TEXT, memory INTEGER, PRIMARY KEY (slug, memory)) WITHOUT ROWID;
CREATE TABLE applies (memory INTEGER PRIMARY KEY, entries TEXT);
CREATE TABLE word (term TEXT PRIMARY KEY, memories INTEGER, keys INTEGER) WITHOUT ROWID;
"""


class Index:
    """One open index file; also a corpus, see `ranking.Corpus`. Methods raise `Damaged`; when busy too."""

    def __init__(self, path: str, directory: str) -> None:
        os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
        self._base = sqlite.connect(path, timeout=WAIT, isolation_level=None)
        # Within one state: each read by itself would take and give back the file's lock.
        with self.reading():
            sound = self._tables() == (VERSION, directory)
            if sound:
                self.reload()
        if not sound:
            self._create(directory)
            self.reload()

    def _run(self, statement: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        return list(self._base.execute(statement, values))

    def _tables(self) -> tuple[str, ...] | None:
        if not self._run("SELECT 1 FROM sqlite_master WHERE name = 'meta'"):
            return None
        return self._noted("version", "directory")

    def _noted(self, *keys: str) -> tuple[str, ...]:
        found = dict(self._base.execute(f"SELECT key, value FROM meta WHERE key IN ({_marks(keys)})", keys))
        return tuple(str(found.get(key, "")) for key in keys)

    def _create(self, directory: str) -> None:
        with self.transaction():
            for (table,) in self._run(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
            ):
                self._run(f"DROP TABLE {table}")
            for statement in _SCHEMA.strip().split(";\n"):
                self._run(statement)
            self.remember({"version": VERSION, "directory": directory})

    def reload(self) -> None:
        """Read the totals again: another process may have written."""
        size, length = self._noted("memories", "length")
        self.size, self.length = int(size or 0), float(length or 0)

    def transaction(self) -> Transaction:
        """All or nothing, against other processes too; raises `Damaged` when another one writes for too long."""
        self._run("PRAGMA synchronous=OFF")  # what is lost with the power is made again from the files
        return Transaction(self._base, "BEGIN IMMEDIATE")

    def reading(self) -> Transaction:
        """One state for all reads, whatever other processes write meanwhile."""
        return Transaction(self._base, "BEGIN")

    def widen(self) -> None:
        """Room for many changes (32 MB), and patience with the prompts that write meanwhile, where nobody waits."""
        self._run("PRAGMA cache_size=-32768")
        self._run(f"PRAGMA busy_timeout={PATIENT}")

    def close(self) -> None:
        self._base.close()

    def note(self, key: str) -> str:
        return self._noted(key)[0]

    def remember(self, notes: dict[str, str]) -> None:
        for pair in notes.items():
            self._run("INSERT OR REPLACE INTO meta VALUES (?, ?)", pair)

    def known(self) -> dict[str, tuple[int, int, int, int]]:
        """file -> (id, mtime in ns, size, checksum of its index line)."""
        return {row[0]: row[1:] for row in self._base.execute("SELECT file, id, mtime_ns, size, hook FROM memory")}

    def sample(self, newest: int, start: int, count: int) -> list[tuple[str, int, int, int]]:
        """(file, id, mtime in ns, size) of the newest memories and of `count` others from a moving place on."""
        columns = "SELECT file, id, mtime_ns, size FROM memory"
        rows = self._base.execute(f"{columns} ORDER BY mtime_ns DESC LIMIT ?", (newest,)).fetchall()
        rows += self._base.execute(f"{columns} WHERE id >= ? ORDER BY id LIMIT ?", (start, count)).fetchall()
        return rows

    def replace(self, gone: Iterable[int], cards: Iterable[Card]) -> None:
        """Take memories out and put cards in; inside the caller's transaction."""
        for memory in gone:
            self._remove(memory)
        for card in cards:
            self._insert(card)
        self.remember({"memories": str(self.size), "length": repr(self.length)})

    def _remove(self, memory: int) -> None:
        found = self._run("SELECT card, terms, length FROM memory WHERE id = ?", (memory,))
        if not found:
            return
        card, terms = unpacked("", str(found[0][0])), str(found[0][1]).split("\n")
        many = self._base.executemany
        rows = [(int(term[0]), term[1:]) for term in terms if term]
        many("UPDATE word SET memories = memories - 1, keys = keys - ? WHERE term = ?", rows)
        many("DELETE FROM posting WHERE term = ? AND memory = ?", [(term, memory) for _, term in rows])
        many("DELETE FROM name WHERE first = ? AND phrase = ? AND memory = ?", _name_rows(card, memory))
        many("DELETE FROM slug WHERE slug = ? AND memory = ?", [(slug, memory) for slug in card.slugs])
        self._run("DELETE FROM applies WHERE memory = ?", (memory,))
        self._run("DELETE FROM memory WHERE id = ?", (memory,))
        self.size -= 1
        self.length -= float(str(found[0][2]))

    def _insert(self, card: Card) -> None:
        many = self._base.executemany
        terms = "\n".join(f"{int(key)}{term}" for term, (_, key) in card.counts.items())
        row = (card.file, card.mtime_ns, card.size, card.hook, card.length, card.packed(), terms)
        cursor = self._base.execute("INSERT INTO memory VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", row)
        memory = int(cursor.lastrowid or 0)
        many(
            "INSERT INTO posting VALUES (?, ?, ?, ?, ?)",
            [(term, memory, count, card.length, int(key)) for term, (count, key) in card.counts.items()],
        )
        many(
            "INSERT INTO word VALUES (?, 1, ?) ON CONFLICT (term) DO UPDATE SET memories = memories + 1, "
            "keys = keys + excluded.keys",
            [(term, int(key)) for term, (_, key) in card.counts.items()],
        )
        many("INSERT OR IGNORE INTO name VALUES (?, ?, ?)", _name_rows(card, memory))
        many("INSERT OR IGNORE INTO slug VALUES (?, ?)", [(slug, memory) for slug in card.slugs])
        if card.applies:
            self._run("INSERT INTO applies VALUES (?, ?)", (memory, joined(card.applies)))
        self.size += 1
        self.length += card.length

    def frequency(self, term: str) -> int:
        row = self._base.execute("SELECT memories FROM word WHERE term = ?", (term,)).fetchone()
        return int(row[0]) if row else 0

    def postings(self, term: str, among: Sequence[int] | None = None) -> list[Posting]:
        query = "SELECT memory, count, length, is_key FROM posting WHERE term = ?"
        if among is None:
            return self._base.execute(query, (term,)).fetchall()
        return self._base.execute(f"{query} AND memory IN ({_marks(among)})", (term, *among)).fetchall()

    def names(self, stems: Iterable[str]) -> list[tuple[str, int]]:
        firsts = list(stems)[:900]
        return self._base.execute(
            f"SELECT phrase, memory FROM name WHERE first IN ({_marks(firsts)})", firsts
        ).fetchall()

    def triggered(self) -> list[tuple[int, list[str]]]:
        rows = self._base.execute("SELECT memory, entries FROM applies ORDER BY memory")
        return [(memory, parted(entries)) for memory, entries in rows]

    def vocabulary(self, prefix: str) -> list[str]:
        rows = self._base.execute(
            "SELECT term FROM word WHERE term >= ? AND term < ? AND keys > 0",
            (prefix, prefix[:-1] + chr(ord(prefix[-1]) + 1)),
        )
        return [term for (term,) in rows]

    def card(self, memory: int) -> Card | None:
        row = self._base.execute(
            "SELECT file, mtime_ns, size, hook, length, card FROM memory WHERE id = ?", (memory,)
        ).fetchone()
        if row is None:
            return None
        card = unpacked(row[0], row[5])
        card.mtime_ns, card.size, card.hook, card.length = row[1:5]
        return card

    def resolve(self, slug: str) -> int | None:
        row = self._base.execute(
            "SELECT id FROM slug JOIN memory ON id = memory WHERE slug = ? ORDER BY file LIMIT 1", (slug,)
        ).fetchone()
        return None if row is None else int(row[0])


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


def _name_rows(card: Card, memory: int) -> list[tuple[str, str, int]]:
    return [(phrase.partition(" ")[0], phrase, memory) for phrase in card.names + card.aliases]
