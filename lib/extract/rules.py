"""Lasting statements in what a person typed, found without a model: precision first."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lib.extract import asking, conventions, cues, refusals, shape, tongues, wording
from lib.extract.judgement import judge
from lib.extract.sentences import Prose, Sentence, prose
from lib.extract.statement import FIRM, STRONG, WEAK, Statement, plain
from lib.memory import dates

MOST_CANDIDATES = 8
# A text of more characters is about something; a bare rule in it belongs to that.
ALONE = 400


@dataclass(frozen=True)
class Candidate:
    """One fact worth keeping: type, kebab-case name, one line under 150 characters, Markdown body, and the
    person's exact words; `applies` are words
    that recall may match, `advice` says where it would belong better ("CLAUDE.md", "skill" or "")."""

    type: str
    name: str
    description: str
    body: str
    quote: str
    applies: tuple[str, ...] = ()
    advice: str = ""


def _read(items: list[tuple[Sentence, str]], at: int, talk: bool) -> Statement | None:
    """The statement of one sentence. Between people only coding conventions count: what else they tell each other
    is not about the assistant."""
    core = items[at][1]
    if talk:
        return conventions.judge(core, " ".join(text for _, text in items[max(0, at - 2) : at]))
    return tongues.judge(core) or judge(core) or conventions.standing(core)


def _at_an_end(at: int, count: int) -> bool:
    """True for the sentences with which a long text opens or closes: what stands between is about its task."""
    return at < 2 or at >= count - 3


def _needed(text: Prose, orders: int) -> int:
    """The weight a statement needs to stand beside the rest of its text."""
    if text.characters > ALONE or text.pasted > 3:
        return STRONG
    return FIRM if orders else WEAK


def _statements(text: Prose, talk: bool) -> Iterator[tuple[str, Statement, str]]:
    """(exact quote, statement, reason given in the next sentence) of one text."""
    kind = shape.of(text)
    if kind == "specification":
        return
    items = [(s, plain(s.text)) for s in text.sentences]
    read = [_read(items, at, talk) for at in range(len(items))]
    orders = sum(
        1 for (_, core), found in zip(items, read, strict=True) if found is None and cues.is_order(core.lower())
    )
    for at, ((sentence, core), found) in enumerate(zip(items, read, strict=True)):
        promoted = at + 1 < len(items) and asking.back_reference(items[at + 1][1])
        if found is None and promoted and not refusals.refusal(core.lower()) and not refusals.derivable(core.lower()):
            found = Statement(
                "user" if core.lower().startswith(("i ", "i'm", "my ")) else "feedback", "asked", core, STRONG, True
            )
        if found is None or refusals.secret(sentence.text):
            continue
        weight = STRONG if promoted else found.weight
        if weight < max(_needed(text, orders), STRONG if sentence.bullet and orders else WEAK):
            continue
        if kind == "long" and not (
            promoted or (_at_an_end(at, len(items)) and (found.kind == "standing" or found.explicit))
        ):
            continue
        following = items[at + 1][1] if at + 1 < len(items) else ""
        yield (
            sentence.text,
            found,
            following if following.lower().startswith(("because", "otherwise", "the reason", "reason:")) else "",
        )


def _candidate(quote: str, statement: Statement, following: str, today: datetime.date) -> Candidate:
    line = wording.fact(statement, today)
    _, reason = wording.why(line if not following else f"{line}. {following}")
    words = wording.applies(line)
    return Candidate(
        statement.type,
        wording.name(statement, line),
        wording.description(line),
        wording.body(statement, line, dates.absolute(reason, today), words),
        quote,
        words,
        wording.advice(statement, line),
    )


def candidates(human_texts: Sequence[str], *, today: datetime.date) -> list[Candidate]:
    """The lasting statements of these prompts, each once, at most eight; `quote` is an exact part of a text. Never
    raises. Req: A1, A6, B9, J9."""
    texts = [prose(text) for text in human_texts if isinstance(text, str)]
    talk = shape.talk(texts)
    found: dict[str, Candidate] = {}
    for text in texts:
        for quote, statement, following in _statements(text, talk):
            candidate = _candidate(quote, statement, following, today)
            # What is said again later in the same turn is the person's last word on it.
            found.pop(candidate.name, None)
            found[candidate.name] = candidate
    return list(found.values())[-MOST_CANDIDATES:]
