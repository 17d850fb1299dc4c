"""Lasting statements in what a person typed, found without a model: precision first."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lib.extract import asking, conventions, cues, reasons, refusals, shape, tongues, wording
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


def _read(cores: Sequence[str], talk: bool) -> list[Statement | None]:
    """The statement of each sentence by itself. Between people only coding conventions count: what else they tell each
    other is not about the assistant."""
    if talk:
        return [conventions.judge(core, " ".join(cores[max(0, at - 2) : at])) for at, core in enumerate(cores)]
    announced = next((at for at, core in enumerate(cores) if asking.announces(core)), len(cores))
    return [
        tongues.judge(core) or judge(core) or conventions.standing(core) or (_pointed_at(cores, at, announced))
        for at, core in enumerate(cores)
    ]


def _pointed_at(cores: Sequence[str], at: int, announced: int) -> Statement | None:
    """A sentence that "remember that" follows, or that follows "a few preferences": kept because the person said so."""
    core = cores[at]
    low = core.lower()
    if refusals.refusal(low) or refusals.derivable(low):
        return None
    if at + 1 < len(cores) and asking.back_reference(cores[at + 1]) and not asking.back_reference(core):
        kind = "user" if low.startswith(("i ", "i'm ", "my ")) else "feedback"
        return Statement(kind, "asked", core, STRONG, True)
    return asking.announced_rule(core) if at > announced else None


def _admits(text: Prose, orders: int, sentence: Sentence, place: int, found: Statement) -> bool:
    """True when a statement is heavy enough to stand beside the rest of its text. `place` counts from the nearer end:
    what stands in the middle of a long text is about its task."""
    crowded = text.characters > ALONE or text.pasted > 3 or (sentence.bullet and orders)
    needed = STRONG if crowded else FIRM if orders else WEAK
    if shape.of(text) == "long" and not (place < 2 and (found.kind == "standing" or found.explicit)):
        return False
    return found.weight >= needed


def _statements(text: Prose, talk: bool) -> Iterator[tuple[str, Statement, str]]:
    """(exact quote, statement, reason given in the next sentence) of one text."""
    if shape.of(text) == "specification" or (text.dialogue and not talk):
        return  # turns or entries under labels that are not people talking: pasted
    cores = [plain(sentence.text) for sentence in text.sentences]
    read = _read(cores, talk)
    orders = sum(found is None and cues.is_order(core.lower()) for core, found in zip(cores, read, strict=True))
    for at, (sentence, found) in enumerate(zip(text.sentences, read, strict=True)):
        if found is None or refusals.secret(sentence.text):
            continue
        following = cores[at + 1] if at + 1 < len(cores) else ""
        if asking.back_reference(following):
            found = replace(found, weight=STRONG, explicit=True)
        if talk or _admits(text, orders, sentence, min(at, len(cores) - 1 - at), found):
            yield sentence.text, found, reasons.after(following, found.core)


def _candidate(quote: str, statement: Statement, reason: str, today: datetime.date) -> Candidate:
    line = wording.fact(statement, today)
    why = dates.absolute(reason, today) or reasons.inside(line)
    words = wording.applies(line)
    return Candidate(
        statement.type,
        wording.name(statement, line),
        wording.description(line),
        wording.body(statement, line, why, words),
        quote,
        words,
        wording.advice(statement, line),
    )


def candidates(human_texts: Sequence[str], *, today: datetime.date) -> list[Candidate]:
    """The lasting statements of these prompts, each once, at most eight; `quote` is an exact part of a text. Never
    raises. Req: A1, A6, B9, J9."""
    texts = [prose(text) for text in human_texts if isinstance(text, str)]
    talk = shape.talk([text for text in texts if not text.dialogue])
    found: dict[str, Candidate] = {}
    for text in texts:
        for quote, statement, reason in _statements(text, shape.talk([text]) if text.dialogue else talk):
            candidate = _candidate(quote, statement, reason, today)
            # What is said again later in the same turn is the person's last word on it.
            found.pop(candidate.name, None)
            found[candidate.name] = candidate
    return list(found.values())[-MOST_CANDIDATES:]
