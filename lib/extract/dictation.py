"""One statement that the person dictates: read by the rules where they can, else kept in its own words. Req: A6, B9."""

from __future__ import annotations

import datetime
from dataclasses import replace

from lib.extract import reasons, refusals, rules, wording
from lib.extract.rules import Candidate
from lib.extract.statement import STRONG, Statement, plain

LONGEST = 2_000  # characters; more is no statement
_REFUSED = {
    "question": "it is a question",
    "memory_talk": "it is about remembering itself",
    "derivable": "the repository says that itself, and a memory of it would go stale",
    "in_progress": "it is about the work at hand, which is over before the next session",
}
_SELF = ("i ", "i'm ", "i've ", "my ", "me ")


def candidates(text: str, today: datetime.date) -> tuple[list[Candidate], str]:
    """(what to keep, "") or ([], why nothing is kept, as the end of a sentence)."""
    said = " ".join(text.split())
    if not said:
        return [], "nothing was said"
    if len(said) > LONGEST:
        return [], f"{len(said)} characters are more than one fact"
    if refusals.secret(said):
        return [], "it holds what looks like a secret"
    for cue in ("", "Remember: "):
        if found := rules.candidates([cue + said], today=today):
            return [replace(candidate, quote=candidate.quote.removeprefix(cue)) for candidate in found], ""
    core = plain(said)
    low = core.lower()
    if reason := refusals.derivable(low) or (low.endswith(("?", "？")) and "question") or "":
        return [], _REFUSED.get(reason, reason)
    if core.isascii() and len(core.split()) < 2:
        return [], "one word states nothing"
    return [_verbatim(core, said, today)], ""


def _verbatim(core: str, said: str, today: datetime.date) -> Candidate:
    statement = Statement("user" if core.lower().startswith(_SELF) else "project", "asked", core, STRONG, True)
    line = wording.fact(statement, today)
    words = wording.applies(line)
    body = wording.body(statement, line, reasons.inside(line), words)
    name = wording.name(statement, line)
    advice = wording.advice(statement, line)
    return Candidate(statement.type, name, wording.description(line), body, said, words, advice)
