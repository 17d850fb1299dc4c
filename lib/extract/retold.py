"""A sub-agent's task is what another agent made of the person's words: whose is what in it. Pure. Req: F1, J9."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lib.extract import voice
from lib.extract.rules import Candidate
from lib.extract.sentences import prose
from lib.host.transcript import Turn

NOBODY = "no words of yours say this: the agent that started this run does"


def rested(candidate: Candidate, words: Sequence[str]) -> Candidate:
    """The candidate with the person's own words that it rests on as its quote, "" when there are none."""
    own = voice.rests_on(candidate.quote, words)
    return replace(candidate, quote=candidate.quote if own else voice.words_behind(candidate.description, words))


def told_apart(turns: Sequence[Turn], words: Sequence[str]) -> list[Turn]:
    """The turns for a model: of each task only what the person said counts as theirs, all of it as an agent's."""
    found = []
    for turn in turns:
        copy = Turn(turn.start, turn.prompt_id, turn.time)
        copy.end, copy.tools = turn.end, turn.tools
        copy.human = [(uuid, own) for uuid, task in turn.human for own in _own(task, words)]
        copy.assistant = [f"The task of this run, from the agent that started it:\n{task}" for _, task in turn.human]
        copy.assistant += turn.assistant
        found.append(copy)
    return found


def _own(task: str, words: Sequence[str]) -> list[str]:
    """The sentences of a task that the person said, in the person's words; each once."""
    found: dict[str, None] = {}
    for sentence in prose(task).sentences:
        own = sentence.text if voice.rests_on(sentence.text, words) else voice.words_behind(sentence.text, words)
        found[own] = None
    return [own for own in found if own]
