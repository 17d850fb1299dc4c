"""What a ranking works on and its order: a corpus that lends postings, evidence for a memory, best first. Req: C1."""

from __future__ import annotations

import math

from lib.recall.terms import PLAIN_WEIGHT, weight

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Protocol

    from lib.recall.card import Card
    from lib.recall.prompt import Query

    Posting = tuple[int, float, float, bool]  # memory, weighted count, memory length, in a key field

    class Corpus(Protocol):
        """What ranking needs to know of a set of memories, identified by integers."""

        size: int
        average: float

        def frequency(self, term: str) -> int: ...
        def postings(self, term: str, among: Sequence[int] | None = None) -> list[Posting]: ...
        def names(self, stems: Iterable[str]) -> list[tuple[str, int]]: ...
        def triggered(self) -> list[tuple[int, list[str]]]: ...
        def vocabulary(self, prefix: str) -> list[str]: ...
        def card(self, memory: int) -> Card | None: ...
        def resolve(self, slug: str) -> int | None: ...


PRIOR = 50  # a few dozen memories cannot tell rare words from common ones: count as if this many others held none
PERSONAL = ("user", "feedback")  # first when equal: what the person asked for goes before what is known
TIES = 200  # equal scores at the cut that are told apart by file name


class Evidence:
    """What speaks for one memory: score, matched terms with their strength (0..1), names met whole, triggers, links."""

    __slots__ = ("key", "linked", "memory", "name", "score", "strengths", "trigger")

    def __init__(self, memory: int) -> None:
        self.memory = memory
        self.score = 0.0
        self.strengths: dict[str, float] = {}
        self.key: set[str] = set()
        self.name = ""
        self.trigger = ""
        self.linked = ""


class Asked:
    """A query against one corpus: how strong each of its terms is here, and for which terms some were taken."""

    __slots__ = ("forms", "known", "query", "strengths")

    def __init__(self, query: Query) -> None:
        self.query = query
        self.strengths: dict[str, float] = {}
        self.known: set[str] = set()  # terms that some memory holds
        self.forms: dict[str, str] = {}  # prompt term -> the term it was taken for


def rarity(size: int, frequency: int) -> float:
    """How much a term says that `frequency` of `size` memories hold, in nats; falls with the frequency."""
    return math.log(1.0 + (size + PRIOR - frequency + 0.5) / (frequency + 0.5))


def rank(corpus: Corpus, found: dict[int, Evidence], limit: int) -> list[tuple[Evidence, Card]]:
    """Best first, of equal scores the person's own first, then by file name: a scan and an index agree."""
    order = sorted(found.values(), key=_by_score, reverse=True)
    if 0 < limit < len(order):
        least = order[limit - 1].score - 1e-9
        order = [evidence for evidence in order[: limit + TIES] if evidence.score >= least]
    known = [(evidence, card) for evidence in order if (card := corpus.card(evidence.memory))]
    known.sort(key=lambda pair: (-round(pair[0].score, 9), pair[1].type not in PERSONAL, pair[1].file))
    return known[:limit]


def _by_score(evidence: Evidence) -> float:
    return evidence.score


def specific(phrase: str) -> bool:
    """Whether a name can stand alone: it holds a word that is not in every developer's prompt."""
    return any(weight(word) >= PLAIN_WEIGHT for word in phrase.split())
