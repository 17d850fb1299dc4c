"""The offline selector: at most five memories for a prompt, none when unsure, no network, no model. Req: C1, J2."""

from __future__ import annotations

import os

from lib.memory import store
from lib.recall import abstention, manifest, matching, ranking
from lib.recall import prompt as prompts
from lib.recall.prompt import quiet
from lib.recall.shelf import Shelf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from lib.recall.card import Card
    from lib.recall.library import Library
    from lib.recall.prompt import Query
    from lib.recall.ranking import Asked, Corpus, Evidence

__all__ = ["Hit", "Selection", "consider", "quiet", "select"]
LIMIT = 5
WHY = 300  # characters
NEAR = 6  # memories that were left out and are told of
ROUNDS = 3  # a hit that changed under the index is ranked again this often
FALLBACK_PATIENCE = 0.4  # seconds of reading, newest memories first, when the index cannot be used

ONCE = 500  # memories that are simply read again
_kept: dict[str, object] = {}


class Pick:
    """A memory that was chosen: for which query, on what evidence, and why in short."""

    __slots__ = ("asked", "card", "evidence", "why")

    def __init__(self, asked: Asked, evidence: Evidence, card: Card, why: str) -> None:
        self.asked = asked
        self.evidence = evidence
        self.card = card
        self.why = why


class Hit:
    """A memory for a prompt: `path` (absolute), `score` (higher is better, within one prompt), `why` (for a person)."""

    __slots__ = ("path", "score", "why")

    def __init__(self, path: str, score: float, why: str) -> None:
        self.path = path
        self.score = score
        self.why = why

    def __repr__(self) -> str:
        return f"Hit({self.path!r}, {self.score:.2f}, {self.why!r})"


class Selection:
    """`hits` to show, best first; `left`: the nearest others, whose `why` says what they lack; `certain`: no doubt.

    `behind`: not all memories were looked at, because the saved index does not hold them yet.
    """

    __slots__ = ("behind", "certain", "hits", "left")

    def __init__(self, hits: Sequence[Hit] = (), left: Sequence[Hit] = (), certain: bool = True) -> None:
        self.hits = list(hits)
        self.left = list(left)
        self.certain = certain
        self.behind = False


def select(
    memory_dir: str | os.PathLike[str],
    prompt: str,
    *,
    limit: int = LIMIT,
    recent_tools: Sequence[str] = (),
    recent_files: Sequence[str] = (),
    abstain: bool = True,
    index: str | os.PathLike[str] | None = None,
) -> list[Hit]:
    """The memories that answer a prompt, best first; with `abstain=False` a plain ranking of any depth.

    Never raises on what the folder, the index or the prompt hold. Req: C1.
    """
    found = consider(
        memory_dir, prompt, limit=limit, recent_tools=recent_tools, recent_files=recent_files, abstain=abstain,
        index=index,
    )  # fmt: skip
    return found.hits


def consider(
    memory_dir: str | os.PathLike[str],
    prompt: str,
    *,
    limit: int = LIMIT,
    recent_tools: Sequence[str] = (),
    recent_files: Sequence[str] = (),
    abstain: bool = True,
    index: str | os.PathLike[str] | None = None,
    project: str = "",
) -> Selection:
    """The same with what was left out and whether the answer is certain; `project` is the checkout. Req: C1, J2."""
    if limit <= 0 or (abstain and quiet(prompt)):
        return Selection()
    asked_for = prompts.query(prompt, recent_tools, recent_files, project)
    if not asked_for.terms:
        return Selection()
    directory = os.path.abspath(os.fspath(memory_dir))
    found = _from_index(directory, os.fspath(index), asked_for, limit, abstain) if index is not None else None
    if found is None:
        # Without an index the caller asked for a scan; with one that cannot be used a prompt must not wait for it.
        shelf = _scanned(directory) if index is None else Shelf(manifest.scan(directory, FALLBACK_PATIENCE))
        found = _picked(shelf, asked_for, limit, abstain)
    near = [_near(directory, pick) for pick in found.left]
    selection = Selection([_hit(directory, pick) for pick in found.kept], near, found.certain)
    selection.behind = found.behind
    return selection


def _scanned(directory: str) -> Shelf:
    """The whole folder, read; a large one that has not changed is not read twice by one process (a bench, a search)."""
    seen = {entry.file: (entry.mtime_ns, entry.size) for entry in store.entries(directory)}
    lines = manifest.index_lines(directory)
    if len(seen) <= ONCE:
        return Shelf(manifest.scan(directory))
    if _kept.get("seen") != (directory, seen, lines):
        _kept.update(seen=(directory, seen, lines), shelf=Shelf(manifest.scan(directory)))
    shelf = _kept["shelf"]
    assert isinstance(shelf, Shelf)
    return shelf


class _Found:
    """One pass over a corpus."""

    __slots__ = ("behind", "certain", "kept", "left")

    def __init__(self, kept: list[Pick], left: Sequence[Pick] = (), certain: bool = True) -> None:
        self.kept = kept
        self.left = left
        self.certain = certain
        self.behind = False


def _picked(corpus: Corpus, query: Query, limit: int, abstain: bool) -> _Found:
    asked, found = matching.collect(corpus, query, thorough=not abstain)
    if not abstain:
        return _Found([Pick(asked, evidence, card, "") for evidence, card in ranking.rank(corpus, found, limit)])
    ranked = ranking.rank(corpus, found, max(4 * limit, 20))
    kept, left = abstention.judged(asked, ranked, limit)
    sure = abstention.certain(asked, kept, left)
    near = [(evidence, card, why or abstention.lacking(asked, evidence, card)) for evidence, card, why in left[:NEAR]]
    return _Found([Pick(asked, *one) for one in kept], [Pick(asked, *one) for one in near], sure)


def _from_index(directory: str, path: str, query: Query, limit: int, abstain: bool) -> _Found | None:
    """What the saved index finds, each pick checked against its file; None when the index cannot be used."""
    try:
        from lib.recall import library, postings, tables, transaction
    except ImportError:  # a Python built without SQLite
        return None
    index = None
    try:
        index = tables.Index(path, directory)
        with index.reading():
            index.reload()
            shelf = library.Library(index, directory)
            behind = postings.catch_up(shelf, postings.PATIENCE, postings.AT_ONCE)
            found = _verified(shelf, directory, query, limit, abstain)
            found.behind = bool(behind)
        shelf.save()
        return found
    except transaction.Damaged as error:
        if not transaction.is_busy(error):
            transaction.discard(path)
        return None
    except (OSError, ValueError):  # no folder for it; a card that is no JSON
        return None
    finally:
        if index is not None:
            index.close()


def _verified(shelf: Library, directory: str, query: Query, limit: int, abstain: bool) -> _Found:
    """Picks whose files still hold the bytes that were ranked: a changed one is read and everything ranked again."""
    found = _Found([])
    for _ in range(ROUNDS):
        found = _picked(shelf, query, limit, abstain)
        stale = False
        for pick in found.kept:
            now = manifest.reread(directory, pick.card)
            if now is not pick.card:
                stale = True
                shelf.lay([pick.evidence.memory], [now] if now else [])
                if now is None:
                    shelf.fresh.pop(pick.card.file, None)
        if not stale:
            return found
    found.kept = [pick for pick in found.kept if manifest.reread(directory, pick.card) is pick.card]
    return found


def _hit(directory: str, pick: Pick) -> Hit:
    return Hit(manifest.path(directory, pick.card.file), round(pick.evidence.score, 6), _explained(pick))


def _near(directory: str, pick: Pick) -> Hit:
    return Hit(manifest.path(directory, pick.card.file), round(pick.evidence.score, 6), pick.why[:WHY])


def _explained(pick: Pick) -> str:
    asked, evidence = pick.asked, pick.evidence
    parts = [f"by {pick.why}"] if pick.why else []
    if evidence.name:
        parts.append(f"name “{evidence.name}”")
    if evidence.trigger:
        parts.append(f"applies to “{evidence.trigger}”")
    if evidence.linked:
        parts.append(f"linked from {evidence.linked}")
    strong = sorted(evidence.strengths, key=lambda term: (-evidence.strengths[term], term))[:6]
    if strong:
        parts.append(
            "words " + ", ".join(f"{term}→{asked.forms[term]}" if term in asked.forms else term for term in strong)
        )
    seen = abstention.signals(asked, evidence, pick.card)
    parts.append(
        f"score {evidence.score:.1f}, clarity {abstention.clarity(seen):.2f} "
        f"({seen.cover:.0%} of the prompt, {seen.key_cover:.0%} of the memory)"
    )
    return "".join(letter if letter.isprintable() else " " for letter in "; ".join(parts))[:WHY]
