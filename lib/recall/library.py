"""A saved index with what has changed since laid over it: what a prompt is ranked against. Req: C1."""

from __future__ import annotations

from lib.recall.shelf import Shelf
from lib.recall.tables import Index
from lib.recall.transaction import Damaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lib.recall.card import Card
    from lib.recall.ranking import Posting

BATCH = 400  # memories a transaction: others wait no longer than one


class Library:
    """An index with what has changed since laid over it; a corpus for `ranking`."""

    def __init__(self, index: Index, directory: str) -> None:
        self.directory = directory
        self.index = index
        self.gone: set[int] = set()
        self.fresh: dict[str, Card] = {}
        self.notes: dict[str, str] = {}
        self._lay()

    def _lay(self) -> None:
        self._shelf = Shelf((self.fresh[file] for file in sorted(self.fresh)), first=-1, step=-1)
        lost = sum(card.length for memory in self.gone if (card := self.index.card(memory)))
        self.size = self.index.size - len(self.gone) + self._shelf.size
        self.average = (self.index.length - lost + self._shelf.length) / self.size if self.size else 0.0

    def lay(self, gone: Iterable[int], cards: Iterable[Card]) -> None:
        """Lay changes over the index: memories that are no more, and cards as they are now."""
        self.gone.update(memory for memory in gone if memory > 0)
        self.fresh.update((card.file, card) for card in cards)
        self._lay()

    def drop(self, memory: int, card: Card) -> None:
        """Take out a memory whose file is gone."""
        if memory < 0:
            self.fresh.pop(card.file, None)
        self.lay([memory], [])

    def save(self) -> None:
        """Write what was laid over into the index, unless it is busy: then the next prompt finds it again."""
        if not (self.gone or self.fresh or self.notes):
            return
        files = list(self.fresh)
        try:
            for start in range(0, max(1, len(files)), BATCH):
                with self.index.transaction():
                    known = self.index.known()
                    part = files[start : start + BATCH]
                    stale = [known[file][0] for file in part if file in known]
                    self.index.reload()
                    self.index.replace(
                        [*(self.gone if start == 0 else ()), *stale], [self.fresh[file] for file in part]
                    )
                    if start + BATCH >= len(files):
                        self.index.remember(self.notes)
        except Damaged:
            return
        self.gone, self.fresh, self.notes = set(), {}, {}
        self._lay()

    def frequency(self, term: str) -> int:
        if self.gone or self.fresh:
            return len(self.postings(term))
        return self.index.frequency(term)

    def postings(self, term: str, among: Sequence[int] | None = None) -> list[Posting]:
        rows = self.index.postings(term, among)
        if self.gone:
            rows = [row for row in rows if row[0] not in self.gone]
        return rows + self._shelf.postings(term, among) if self.fresh else rows

    def names(self, stems: Iterable[str]) -> list[tuple[str, int]]:
        stems = list(stems)
        return [pair for pair in self.index.names(stems) if pair[1] not in self.gone] + self._shelf.names(stems)

    def triggered(self) -> list[tuple[int, list[str]]]:
        return [pair for pair in self.index.triggered() if pair[0] not in self.gone] + self._shelf.triggered()

    def vocabulary(self, prefix: str) -> list[str]:
        words = set(self.index.vocabulary(prefix)) | set(self._shelf.vocabulary(prefix))
        return sorted(words)

    def card(self, memory: int) -> Card | None:
        return self._shelf.card(memory) if memory < 0 else self.index.card(memory)

    def resolve(self, slug: str) -> int | None:
        memory = self._shelf.resolve(slug)
        if memory is None:
            memory = self.index.resolve(slug)
        return None if memory in self.gone else memory
