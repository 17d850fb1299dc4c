"""The offline selector: at most five memories for a prompt, none when unsure, no network, no model. Req: C1, J2."""
from __future__ import annotations

import os

from lib.recall import abstention, manifest, prompt as prompts, ranking
from lib.recall.prompt import quiet
from lib.recall.shelf import Shelf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from lib.recall.manifest import Card
    from lib.recall.ranking import Asked, Evidence

__all__ = ["Hit", "quiet", "select"]
LIMIT = 5


class Hit:
    """A memory for a prompt: `path` (absolute), `score` (higher is better, comparable within one prompt), `why` (for a person)."""

    __slots__ = ("path", "score", "why")

    def __init__(self, path: str, score: float, why: str) -> None:
        self.path = path
        self.score = score
        self.why = why

    def __repr__(self) -> str:
        return f"Hit({self.path!r}, {self.score:.2f}, {self.why!r})"


def select(memory_dir: str | os.PathLike[str], prompt: str, *, limit: int = LIMIT, recent_tools: Sequence[str] = (),
           abstain: bool = True, index: str | os.PathLike[str] | None = None) -> list[Hit]:
    """The memories that answer a prompt, best first; with `abstain=False` a plain ranking of any depth.

    Never raises on what the folder, the index or the prompt hold. Req: C1.
    """
    if limit <= 0 or (abstain and quiet(prompt)):
        return []
    asked_for = prompts.query(prompt, tuple(recent_tools))
    if not asked_for.terms:
        return []
    directory = os.fspath(memory_dir)
    corpus = Shelf(manifest.scan(directory))
    asked, found = ranking.collect(corpus, asked_for)
    if not abstain:
        ranked = ranking.rank(corpus, found, limit)
        return [_hit(directory, asked, evidence, card, "") for evidence, card in ranked]
    ranked = ranking.rank(corpus, found, max(4 * limit, 20))
    return [_hit(directory, asked, evidence, card, why) for evidence, card, why in abstention.chosen(asked, ranked, limit)]


def _hit(directory: str, asked: Asked, evidence: Evidence, card: Card, why: str) -> Hit:
    return Hit(manifest.path(directory, card.file), round(evidence.score, 6), _explained(asked, evidence, card, why))


def _explained(asked: Asked, evidence: Evidence, card: Card, why: str) -> str:
    parts = [f"by {why}"] if why else []
    if evidence.name:
        parts.append(f"name “{evidence.name}”")
    if evidence.trigger:
        parts.append(f"applies to “{evidence.trigger}”")
    if evidence.linked:
        parts.append(f"linked from {evidence.linked}")
    strong = sorted(evidence.strengths, key=lambda term: (-evidence.strengths[term], term))[:6]
    if strong:
        parts.append("words " + ", ".join(f"{term}→{asked.forms[term]}" if term in asked.forms else term for term in strong))
    seen = abstention.signals(asked, evidence, card)
    parts.append(f"score {evidence.score:.1f}, clarity {abstention.clarity(seen):.2f} "
                 f"({seen.cover:.0%} of the prompt, {seen.key_cover:.0%} of the memory)")
    return "; ".join(parts)
