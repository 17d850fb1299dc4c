"""One update of a session's summary: the turns since its own cursor, by a model or by the rules. Req: D1, D3, B9."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from lib.host.settings import Settings
from lib.host.transcript import Turn
from lib.host.turns import turns as read_turns
from lib.memory import files, noting, secrets
from lib.model import choice, thinkers
from lib.model.task import Request, Unavailable
from lib.model.thinkers import Work
from lib.session import condense, place, prompt, rules, summary
from lib.session.summary import Sections

HISTORY = 64_000_000  # bytes before what is due that are read for a first summary
READ = 1_000_000  # bytes of a summary's file
DEADLINE = 120.0  # seconds for a model
SAID = 1_200  # characters of the last reply that a hook keeps; so long a one was cut
SAME = 200  # characters by which it is known in the transcript
OUTPUT = 8_000  # tokens of its answer


@dataclass(frozen=True)
class Source:
    """Whose summary: one session; `transcript` and `launch` as its hooks named them.

    `last_said` is the reply with which the turn ended, "" when that is not known: the client may write it down later.
    """

    session: str
    transcript: str
    launch: str
    settings: Settings
    env: Mapping[str, str]
    last_said: str = ""

    @property
    def folder(self) -> str:
        return place.folder(self.transcript, self.session)


@dataclass
class Report:
    """What an update did, in the form the journal keeps."""

    backend: str = "none"
    reason: str = ""
    turns: int = 0


def read(folder: str) -> str:
    """The summary's file, "" when there is none or the client keeps one of its own there."""
    try:
        text = files.read(folder, place.FILE, READ).decode("utf-8", "replace")
    except OSError:
        return ""
    return text if summary.ours(text) else ""


def update(source: Source, start: int, stop: int) -> Report:
    """Bring the summary up to byte `stop`; what it says of before `start` stays. OSError passes through."""
    folder = source.folder
    before_text = read(folder)
    if not before_text and os.path.lexists(os.path.join(folder, place.FILE)):
        return Report(reason="the client keeps a summary of its own")
    # Without a file there is nothing that stays: it was deleted, or this is the first.
    start = max(0, start) if before_text else max(0, stop - HISTORY)
    turns = list(read_turns(source.transcript, start, stop=stop, session=source.session))
    report = Report(turns=sum(bool(turn.human) for turn in turns))
    if not turns:
        report.reason = "nothing was said since"
        return report
    _end(turns[-1], source.last_said)
    sections = _thought(source, summary.parse(before_text), turns, report)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    text = secrets.redact(summary.dump(sections))
    inner = os.path.dirname(os.path.join(folder, place.FILE))
    if os.path.isdir(inner) and not os.path.islink(inner):
        files.sweep(inner)  # what a killed worker left; nobody else writes there
    files.write(folder, place.FILE, text.encode("utf-8", "replace"))
    return report


def _end(turn: Turn, said: str) -> None:
    """Add the reply that the turn ended with, where the transcript did not have it yet; a torn sentence is none."""
    whole = " ".join(condense.sentences(said)[:-1]) if len(said) >= SAID else said
    if whole and not any(noting.opening(said, SAME) in text for text in turn.assistant):
        turn.assistant.append(whole)


def _thought(source: Source, before: Sections, turns: list[Turn], report: Report) -> Sections:
    chosen = choice.choose(source.settings, source.env)
    report.backend, report.reason = chosen.backend, chosen.reason
    if chosen.backend != "rules":
        work = Work("summary", source.launch, source.settings, source.env)
        request = Request(prompt.system(), prompt.user(before, turns), DEADLINE, OUTPUT)
        try:
            answer = thinkers.thinker(chosen, work).complete(request)
        except Unavailable as error:
            why = f"{chosen.backend} was not available ({error.reason})"
        else:
            sections = summary.parse(answer.text)
            if any(sections.values()) and answer.stopped != "max_tokens":
                # A section that the answer does not have at all was forgotten, not emptied.
                return {**before, **sections}
            why = f"the answer of {chosen.backend} is no summary"
        report.backend, report.reason = "rules", f"{why}; rules used instead"
    return rules.update(before, turns)
