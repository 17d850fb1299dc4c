"""The turns of one extraction read by a model in the sandbox; code judges each text. Req: B3, B5, J9."""

from __future__ import annotations

from lib.extract import decision, delegation, retold, voice
from lib.extract.delegation import Reading
from lib.extract.source import Report, Source, day_of
from lib.host import paths
from lib.host.transcript import Turn
from lib.journal import State
from lib.memory import checks, frontmatter, held, hygiene, manifest, noting, store, transaction
from lib.memory.store import Memory
from lib.memory.transaction import Change
from lib.model.choice import Choice
from lib.model.task import Change as Staged

HELD = "no words of yours say this: it waits for `memory.py review`"


def propose(source: Source, state: State, turns: list[Turn], report: Report, chosen: Choice) -> list[Change]:
    """The checked changes that a model staged for these turns. Raises Unavailable when nobody could think."""
    if source.words is not None:
        turns = retold.told_apart(turns, source.words)
    judge = _Judge(source, turns)
    reading = Reading(_with_last_words(turns, state), manifest.text(store.scan(source.memory)), judge.today)
    outcome, plan = delegation.read(source, state, reading, chosen, judge.objection)
    if plan.mode:
        report.details["mode"] = f"{plan.mode}: {plan.reason}"
    report.reason = outcome.stopped
    report.details["usage"] = vars(outcome.usage)
    report.details["rounds"] = outcome.turns
    if outcome.refusals:
        report.details["refused"] = list(outcome.refusals)[:8]
    changes = [change for staged in outcome.changes if (change := judge.change(staged, report))]
    for file, text in judge.unspoken.items():
        held.hold(source.state, file, text, reason="it rests on no words of the person", session=source.session)
        report.changes.append(("HOLD", file, HELD))
    return changes


class _Judge:
    """One run's judgement of texts: what the model is told at once, and what of its work becomes a change."""

    def __init__(self, source: Source, turns: list[Turn]) -> None:
        self.today = day_of(turns[-1].time)
        self.unspoken: dict[str, str] = {}  # proposals that fail only for want of the person's words
        self._source = source
        self._project = paths.checkout(source.launch)
        self._said = list(source.words or ()) or [text for turn in turns for _, text in turn.human]
        self._existing = store.scan(source.memory, 2_000)

    def objection(self, file: str, text: str) -> str:
        """Why the model may not save this text, as a sentence it can act on, or ""."""
        why = checks.check(file, text)
        if not why:
            memory = Memory(file, text, 0.0)
            why = hygiene.objection(text, memory.description, self._project)
            why = why and f"{file}: {why}. Leave it out."
        if not why and not self._spoken(file, memory):
            self.unspoken[file] = text
            return (
                f"{file}: a {memory.type} memory must rest on the person's own words: put them into metadata.quote, "
                "letter by letter as they stand in a `P|` line; if there are none, do not save it."
            )
        self.unspoken.pop(file, None)
        return why

    def _spoken(self, file: str, memory: Memory) -> bool:
        quote = memory.fields.get("metadata.quote", "")
        if not voice.needs_words(memory.type) or self._words(memory):
            return True
        # A memory that rested on the person's words already may be put better; its words must stay.
        before = next((known for known in self._existing if known.file == file), None)
        return before is not None and bool(quote) and before.fields.get("metadata.quote") == quote

    def _words(self, memory: Memory) -> str:
        """The person's words that a memory rests on: the ones it quotes, or, when it quotes none, those code finds."""
        quote = memory.fields.get("metadata.quote", "")
        if voice.rests_on(quote, self._said) and voice.bears_on(quote, memory.statement):
            return quote
        return "" if quote else voice.words_behind(memory.statement, self._said)

    def change(self, staged: Staged, report: Report) -> Change | None:
        """The staged text as a change, provenance set by code; None when it was dropped (the report says why)."""
        if staged.text is None:
            report.changes.append(("SKIP", staged.file, "an extraction may not delete"))
            return None
        document = frontmatter.parse(hygiene.dated(staged.text, self.today))
        description = str(document.fields.get("description", ""))
        memory = Memory(staged.file, staged.text, 0.0)
        # Who said it is set by code: a model's text never passes for the person's own words.
        spoken = self._words(memory)
        quote = spoken or memory.fields.get("metadata.quote", "")
        noted = {
            "originSessionId": self._source.session, "said_by": "user" if spoken else "model",
            "noted": self.today.isoformat(), "quote": quote[:500] or None,
        }  # fmt: skip
        verdict = decision.decide(memory, self._existing) if staged.before is None else None
        if verdict and verdict.action == "SKIP":
            report.changes.append(("SKIP", verdict.file, f"{verdict.reason}, proposed as {staged.file}"))
            return None
        if verdict and verdict.action == "UPDATE":
            return self._merged(memory, verdict, noted, report)
        text = store.rewritten(staged.text, description=description, body=document.body, metadata=noted)
        report.changes.append(("UPDATE" if staged.before is not None else "CREATE", staged.file, ""))
        return Change(staged.file, text, staged.before)

    def _merged(
        self, memory: Memory, verdict: decision.Decision, noted: dict[str, str | None], report: Report
    ) -> Change:
        """A new file about a known subject becomes a change of the file that exists: never two about one fact."""
        before = transaction.current(self._source.memory, verdict.file) or ""
        description, body = decision.merge(memory, Memory(verdict.file, before, 0.0), self.today)
        report.changes.append(("UPDATE", verdict.file, f"{verdict.reason}, proposed as {memory.file}"))
        return Change(verdict.file, store.rewritten(before, description=description, body=body, metadata=noted), before)


def _with_last_words(turns: list[Turn], state: State) -> list[Turn]:
    """The transcript may lack the turn's last reply when the turn ends; the hook has heard it."""
    begins = noting.opening(state.last_said, 200)
    if state.last_said and not any(text.startswith(begins) for text in turns[-1].assistant):
        turns[-1].assistant.append(state.last_said)
    return turns
