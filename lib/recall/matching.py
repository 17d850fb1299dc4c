"""All that speaks for each memory: words weighed by field and rarity, names met whole, triggers, links.

One scoring for a scan and for a saved index: both only lend their postings (`ranking.Corpus`). Req: C1, J2.
"""

from __future__ import annotations

from lib.recall.fuzzy import SHORTEST, nearest
from lib.recall.ranking import Asked, Evidence, rank, rarity
from lib.recall.terms import PLAIN_WEIGHT, weight
from lib.recall.triggers import astray, matching_entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.recall.prompt import Query
    from lib.recall.ranking import Corpus, Posting

K1, B = 1.4, 0.55  # BM25: how soon repeats stop counting, how much length counts
FUZZY = 0.7
KNOWN_SHORTEST = 7  # letters of a word that some body holds and that may still be a slip for a name
NAME_BONUS, TRIGGER_BONUS, TOOL_BONUS = 1.5, 1.2, 0.2  # in units of the rarest term
LINK_SHARE = 0.25
FREQUENT, FREQUENT_SHARE = 150, 0.015  # memories from which a term only adds to what rarer terms found
SHORTLIST = 150


def collect(corpus: Corpus, query: Query, *, thorough: bool = False) -> tuple[Asked, dict[int, Evidence]]:
    """All evidence of a corpus for a query, unfiltered; the same from whoever lends the postings.

    In a large corpus frequent terms only add to the best candidates of the rarer ones, unless `thorough`: a prompt
    must not wait for them.
    """
    asked = Asked(query)
    found: dict[int, Evidence] = {}
    rarest = rarity(corpus.size, 1)
    frequent = max(FREQUENT, FREQUENT_SHARE * corpus.size)
    later: list[tuple[int, str]] = []
    for term in query.terms:
        frequency = corpus.frequency(term)
        if frequency > frequent and not thorough:
            later.append((frequency, term))
        else:
            _take(corpus, asked, found, term, corpus.postings(term) if frequency else [])
    among: list[int] | None = None
    for _, term in sorted(later):
        if among is None and len(found) >= SHORTLIST // 5:
            among = [evidence.memory for evidence, _ in rank(corpus, found, SHORTLIST)]
        _take(corpus, asked, found, term, corpus.postings(term, among), corpus.frequency(term))
    _names(corpus, asked, found, rarest)
    _triggers(corpus, asked, found, rarest)
    _links(corpus, found)
    return asked, found


def _take(
    corpus: Corpus, asked: Asked, found: dict[int, Evidence], term: str, postings: list[Posting], frequency: int = 0
) -> None:
    """Adds one term's part to the evidence, or that of the name it is a slip for."""
    postings, factor = _meant(corpus, asked, term, postings)
    asked_weight = asked.query.terms[term]
    telling = asked_weight * weight(term)
    if not postings:
        if term not in asked.query.wholes:
            asked.strengths[term] = telling
        return
    idf, rarest = rarity(corpus.size, frequency or len(postings)), rarity(corpus.size, 1)
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


def _triggers(corpus: Corpus, asked: Asked, found: dict[int, Evidence], rarest: float) -> None:
    """Standing memories say when they apply; few share words with the prompts that need them."""
    query = asked.query
    for memory, entries in sorted(corpus.triggered()):
        entry = matching_entry(entries, query)
        if entry and not astray(entry, query, asked.known, corpus.size):
            evidence = found.setdefault(memory, Evidence(memory))
            evidence.trigger = entry
            evidence.score += TRIGGER_BONUS * rarest
        if memory in found and not query.tools.isdisjoint(entries):
            found[memory].score += TOOL_BONUS * rarest


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
