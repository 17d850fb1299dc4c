"""Which memories answer a prompt, how well, and whether the evidence is clear enough to speak up.

One scoring for a scan and for a saved index: both only lend their postings (`Corpus`). Req: C1, J2.
"""
from __future__ import annotations

import math

from lib.recall.fuzzy import SHORTEST, nearest
from lib.recall.terms import PLAIN_WEIGHT, weight
from lib.recall.triggers import matching_entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Protocol

    from lib.recall.manifest import Card
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


K1, B = 1.4, 0.55
PRIOR = 50  # a few dozen memories cannot tell rare words from common ones: count as if this many others held none
FUZZY = 0.7
KNOWN_SHORTEST = 7  # letters of a word that some body holds and that may still be a slip for a name
NAME_BONUS = 1.5
TRIGGER_BONUS = 1.2
LINK_SHARE = 0.25
TIES = 200  # equal scores at the cut that are told apart by file name
FREQUENT, FREQUENT_SHARE = 150, 0.01  # memories from which a term only adds to what rarer terms found
SHORTLIST = 100


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
    """A query against one corpus: strength of each of its terms here, and how much of each sentence could be matched."""

    __slots__ = ("forms", "known", "query", "strengths")

    def __init__(self, query: Query) -> None:
        self.query = query
        self.strengths: dict[str, float] = {}
        self.known: set[str] = set()  # terms that some memory holds
        self.forms: dict[str, str] = {}  # prompt term -> the term it was taken for


def collect(corpus: Corpus, query: Query) -> tuple[Asked, dict[int, Evidence]]:
    """All evidence of a corpus for a query, unfiltered; the score of a memory does not depend on who lends the postings.

    In a large corpus frequent terms only add to the best candidates of the rarer ones: a prompt must not wait for them.
    """
    asked = Asked(query)
    found: dict[int, Evidence] = {}
    rarest = _idf(corpus.size, 1)
    frequent = max(FREQUENT, FREQUENT_SHARE * corpus.size)
    later: list[tuple[int, str]] = []
    for term in query.terms:
        frequency = corpus.frequency(term)
        if frequency > frequent:
            later.append((frequency, term))
        else:
            _take(corpus, asked, found, term, corpus.postings(term) if frequency else [])
    among: list[int] | None = None
    for _, term in sorted(later):
        if among is None and len(found) >= SHORTLIST // 5:
            among = [evidence.memory for evidence, _ in rank(corpus, found, SHORTLIST)]
        _take(corpus, asked, found, term, corpus.postings(term, among), corpus.frequency(term))
    _names(corpus, asked, found, rarest)
    _triggers(corpus, query, found, rarest)
    _links(corpus, found)
    return asked, found


def _take(corpus: Corpus, asked: Asked, found: dict[int, Evidence], term: str, postings: list[Posting],
          frequency: int = 0) -> None:
    """Adds one term's part to the evidence, or that of the name it is a slip for."""
    postings, factor = _meant(corpus, asked, term, postings)
    asked_weight = asked.query.terms[term]
    telling = asked_weight * weight(term)
    if not postings:
        if term not in asked.query.wholes:
            asked.strengths[term] = telling
        return
    idf, rarest = _idf(corpus.size, frequency or len(postings)), _idf(corpus.size, 1)
    asked.strengths[term] = telling * idf / rarest
    asked.known.add(term)
    gain, strength = asked_weight * factor * idf * (K1 + 1), telling * factor * idf / rarest
    flat, slope = K1 * (1 - B), K1 * B / corpus.average if corpus.average else 0.0
    form = asked.forms.get(term, term)
    for memory, count, length, key in postings:
        evidence = found.get(memory)
        if evidence is None:
            evidence = found[memory] = Evidence(memory)
        evidence.score += gain * count / (count + flat + slope * length)
        evidence.strengths[term] = strength
        if key:
            evidence.key.add(form)


def _meant(corpus: Corpus, asked: Asked, term: str, postings: list[Posting]) -> tuple[list[Posting], float]:
    """The postings of a term, or of the one it is a slip for when no memory is about the term itself."""
    shortest = KNOWN_SHORTEST if postings else SHORTEST - 1
    if len(term) < shortest or not (term.isascii() and term.isalpha()) or any(key for *_, key in postings):
        return postings, 1.0
    if weight(term) < PLAIN_WEIGHT:
        return postings, 1.0
    close = nearest(term, corpus.vocabulary(term[:2]))
    if not close:
        return postings, 1.0
    asked.forms[term] = close
    return corpus.postings(close), FUZZY


def _idf(size: int, frequency: int) -> float:
    return math.log(1.0 + (size + PRIOR - frequency + 0.5) / (frequency + 0.5))


def _names(corpus: Corpus, asked: Asked, found: dict[int, Evidence], rarest: float) -> None:
    """A whole name or alias inside the prompt, word for word."""
    words_asked = [asked.forms.get(word, word) for word in asked.query.stems]
    text = f" {' '.join(words_asked)} "
    for phrase, memory in sorted(corpus.names(dict.fromkeys(words_asked))):
        if f" {phrase} " not in text:
            continue
        evidence = found.setdefault(memory, Evidence(memory))
        words = phrase.split()
        if not evidence.name:
            evidence.score += NAME_BONUS * rarest * max(weight(word) for word in words)
        if (len(words), phrase) > (len(evidence.name.split()), evidence.name):
            evidence.name = phrase


def _triggers(corpus: Corpus, query: Query, found: dict[int, Evidence], rarest: float) -> None:
    """Standing memories say when they apply; few share words with the prompts that need them."""
    for memory, entries in sorted(corpus.triggered()):
        entry = matching_entry(entries, query)
        if entry:
            evidence = found.setdefault(memory, Evidence(memory))
            evidence.trigger = entry
            evidence.score += TRIGGER_BONUS * rarest


def _links(corpus: Corpus, found: dict[int, Evidence]) -> None:
    """A link is the only synonym: what a memory points at is about the same thing."""
    gains: dict[int, tuple[float, str]] = {}
    for evidence, card in rank(corpus, found, 8):
        for slug in card.links[:8]:
            target = corpus.resolve(slug)
            if target is not None and target != evidence.memory:
                gains[target] = max(gains.get(target, (0.0, "")), (LINK_SHARE * evidence.score, card.file))
    for target, (gain, source) in gains.items():
        evidence = found.setdefault(target, Evidence(target))
        evidence.score += gain
        evidence.linked = source


def rank(corpus: Corpus, found: dict[int, Evidence], limit: int) -> list[tuple[Evidence, Card]]:
    """Best first, equal scores in the order of their file names: a scan and an index, whatever their numbering, agree."""
    order = sorted(found.values(), key=_by_score, reverse=True)
    if 0 < limit < len(order):
        least = order[limit - 1].score - 1e-9
        order = [evidence for evidence in order[:limit + TIES] if evidence.score >= least]
    known = [(evidence, card) for evidence in order if (card := corpus.card(evidence.memory))]
    known.sort(key=lambda pair: (-round(pair[0].score, 9), pair[1].file))
    return known[:limit]


def _by_score(evidence: Evidence) -> float:
    return evidence.score


def specific(phrase: str) -> bool:
    """Whether a name can stand alone: it holds a word that is not in every developer's prompt."""
    return any(weight(word) >= PLAIN_WEIGHT for word in phrase.split())
