"""Speak up or stay silent: whether what was found is clear enough to put before the model unasked. Req: C1.

A pure decision over one memory's evidence; each "yes" names its reason.
"""

from __future__ import annotations

from lib.recall.ranking import specific
from lib.recall.terms import COMMON_WEIGHT, PLAIN_WEIGHT, is_compound, weight

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from lib.recall.card import Card
    from lib.recall.ranking import Asked, Evidence

NEAR_BEST = 0.45  # of the best score: what lies further behind was dragged along
MOST_TRIGGERED = 3
CLEAR = 1.0
BESIDE = 1.1  # for a memory that says when it applies, and this is no such time
DISTINCT = 1.3  # telling words that must be met
LOOKED = 6  # of what was left out, best first
SURE, FAR = 1.35, 0.6  # clarity beyond which a pick, and under which a "none", needs no second opinion
FEW_SENTENCES = 2
UNSPOKEN, UNSPOKEN_PAIR = 0.25, 0.1  # pairs of one dense word overlap


class Signals:
    """The numbers behind a decision, 0..1 except `mass`: summed strength; `distinct`: count of telling terms met."""

    __slots__ = ("cover", "distinct", "key_cover", "mass")

    def __init__(self, cover: float, key_cover: float, mass: float, distinct: float) -> None:
        self.cover = cover
        self.key_cover = key_cover
        self.mass = mass
        self.distinct = distinct


def signals(asked: Asked, evidence: Evidence, card: Card) -> Signals:
    """How much of a sentence of the prompt the memory meets, how much of the memory's key terms the prompt meets."""
    met = evidence.strengths
    cover = 0.0
    several = len(asked.query.sentences) > FEW_SENTENCES
    for sentence in asked.query.sentences:
        whole = sum(_weight_of(asked, term, met) for term in sentence)
        if whole >= 0.5:
            # One of many sentences is easily met by one word: there it takes two.
            focus = min(1.0, _telling(term for term in sentence if term in met) / 2) if several else 1.0
            cover = max(cover, focus * sum(met.get(term, 0.0) for term in sentence) / whole)
    key = sum(weight(term) for term in evidence.key if not is_compound(term))
    return Signals(cover, min(1.0, key / card.mass) if card.mass else 0.0, sum(met.values()), _telling(met))


def _telling(met: Iterable[str]) -> float:
    """How many telling terms these are; everyday ones count for a part."""
    return sum(1.0 if weight(term) > COMMON_WEIGHT else COMMON_WEIGHT for term in met if not is_compound(term))


def _weight_of(asked: Asked, term: str, met: dict[str, float]) -> float:
    """Words of a language or script that the memories do not speak cannot be met: they count for little."""
    strength = asked.strengths.get(term, 0.0)
    if term in met or not asked.query.foreign or term in asked.known:
        return strength
    return (UNSPOKEN if term.isascii() or len(term) > 2 else UNSPOKEN_PAIR) * strength


def reason(asked: Asked, evidence: Evidence, card: Card) -> str:
    """Why this memory is clear enough, or "" when it is not."""
    if not card.active:
        return ""
    seen = signals(asked, evidence, card)
    if evidence.name and _name_stands(asked, evidence, card, seen):
        return "name"
    if evidence.trigger:
        return "trigger"
    if seen.distinct >= DISTINCT and clarity(seen) >= (BESIDE if card.applies else CLEAR):
        return "words"
    if asked.query.foreign and seen.cover >= 0.4 and _names_it(evidence, card):
        return "proper name"
    if evidence.linked and evidence.strengths and seen.cover >= 0.12:
        return "link"
    return ""


def _name_stands(asked: Asked, evidence: Evidence, card: Card, seen: Signals) -> bool:
    """A name of everyday words ("code style") may be met by chance; an alias was given in order to be met."""
    name = evidence.name
    if specific(name):
        return seen.cover >= 0.2 or asked.forms.keys().isdisjoint(evidence.strengths)
    if name in card.aliases:
        return " " in name or seen.cover >= 0.12
    return " " in name and seen.cover >= 0.3


def _names_it(evidence: Evidence, card: Card) -> bool:
    """Whether the memory's name holds a telling word of the prompt: all that languages share is names."""
    words = {word for name in card.names + card.aliases for word in name.split()}
    return any(word in words and weight(word) >= PLAIN_WEIGHT and len(word) > 2 for word in evidence.key)


def clarity(seen: Signals) -> float:
    """One number for the evidence of words; 1 is the border."""
    return (0.9 * seen.cover + 0.9 * seen.key_cover + 0.25 * min(seen.mass, 2.0)) / 1.1


def chosen(asked: Asked, ranked: list[tuple[Evidence, Card]], limit: int) -> list[tuple[Evidence, Card, str]]:
    """The memories to show, best first: clear ones, none far behind the best, few by trigger alone."""
    return judged(asked, ranked, limit)[0]


def judged(
    asked: Asked, ranked: list[tuple[Evidence, Card]], limit: int
) -> tuple[list[tuple[Evidence, Card, str]], list[tuple[Evidence, Card, str]]]:
    """(chosen, left out), each best first: what was chosen with its reason, what was not with what stood against it.

    For many that is "": they were just not clear enough, and `lacking` says by how much when somebody wants to know.
    """
    kept: list[tuple[Evidence, Card, str]] = []
    left: list[tuple[Evidence, Card, str]] = []
    best = 0.0
    triggered = 0
    linked_from = set()
    for evidence, card in ranked:
        why = reason(asked, evidence, card)
        lacks = ""
        if why == "link" and evidence.linked not in linked_from:
            lacks = f"linked from {evidence.linked}, which was not recalled itself"
        if why == "words" and evidence.score < NEAR_BEST * best:
            lacks = f"far behind the best (score {evidence.score:.1f} of {best:.1f})"
        if why == "trigger":
            triggered += 1
            if triggered > MOST_TRIGGERED:
                lacks = f"{MOST_TRIGGERED} others already apply to this kind of work"
        if why and not lacks and len(kept) == limit:
            lacks = f"over the limit of {limit}"
        if lacks or not why:
            left.append((evidence, card, lacks))
            continue
        best = max(best, evidence.score)
        linked_from.add(card.file)
        kept.append((evidence, card, why))
    return kept, left


def lacking(asked: Asked, evidence: Evidence, card: Card) -> str:
    """What is missing for a clear case, for a person."""
    if not card.active:
        return "no longer holds by its own word"
    if not evidence.strengths:
        return "only a link or a name speaks for it"
    seen = signals(asked, evidence, card)
    if seen.distinct < DISTINCT:
        return "too few telling words in common"
    return f"clarity {clarity(seen):.2f} of {CLEAR:.0f}: {seen.cover:.0%} of the prompt, {seen.key_cover:.0%} of it"


def certain(asked: Asked, kept: list[tuple[Evidence, Card, str]], left: list[tuple[Evidence, Card, str]]) -> bool:
    """Whether nobody needs to be asked in addition. Pure.

    Certain is a pick by a whole name or far beyond the border (SURE), and a "none" where nothing came near it: the
    best of what was left out stays under FAR, and the prompt is no order and not in another language, in which relevant
    memories share no words.
    """
    for evidence, card, why in kept:
        if why == "name" or clarity(signals(asked, evidence, card)) >= SURE:
            return True
    if kept or asked.query.foreign or asked.query.orders:
        return False
    return all(clarity(signals(asked, evidence, card)) < FAR for evidence, card, _ in left[:LOOKED])
