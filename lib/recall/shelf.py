"""Memories held in the process, searchable: what a scan of a folder makes, and what a saved index lays over itself.

Req: C1.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lib.recall.card import Card
    from lib.recall.ranking import Posting


class Shelf:
    """An in-memory corpus; see `ranking.Corpus` for what each method answers."""

    def __init__(self, cards: Iterable[Card], first: int = 0, step: int = 1) -> None:
        self.cards = {first + step * place: card for place, card in enumerate(cards)}
        self.size = len(self.cards)
        self.length = sum(card.length for card in self.cards.values())
        self.average = self.length / self.size if self.size else 0.0
        self._postings: dict[str, list[Posting]] = {}
        self._names: dict[str, list[tuple[str, int]]] = {}
        self._slugs: dict[str, int] = {}
        self._words: dict[str, set[str]] = {}
        for memory, card in self.cards.items():
            self._add(memory, card)

    def _add(self, memory: int, card: Card) -> None:
        for term, (count, key) in card.counts.items():
            self._postings.setdefault(term, []).append((memory, count, card.length, key))
            if key and term.isalpha():
                self._words.setdefault(term[:2], set()).add(term)
        for phrase in card.names + card.aliases:
            self._names.setdefault(phrase.partition(" ")[0], []).append((phrase, memory))
        for slug in card.slugs:
            self._slugs.setdefault(slug, memory)

    def frequency(self, term: str) -> int:
        return len(self._postings.get(term, ()))

    def postings(self, term: str, among: Sequence[int] | None = None) -> list[Posting]:
        rows = self._postings.get(term, [])
        if among is None:
            return rows
        wanted = set(among)
        return [row for row in rows if row[0] in wanted]

    def names(self, stems: Iterable[str]) -> list[tuple[str, int]]:
        return [pair for stem in stems for pair in self._names.get(stem, ())]

    def triggered(self) -> list[tuple[int, list[str]]]:
        return [(memory, card.applies) for memory, card in self.cards.items() if card.applies]

    def vocabulary(self, prefix: str) -> list[str]:
        return sorted(self._words.get(prefix, ()))

    def card(self, memory: int) -> Card | None:
        return self.cards.get(memory)

    def resolve(self, slug: str) -> int | None:
        return self._slugs.get(slug)
