"""Prompts of other projects against the memories of one: facts stay silent. Req: C1."""

from __future__ import annotations

from functools import cache

from lib.recall import lexical
from tests.bench import recall_sets as sets


@cache
def answered(unseen: bool) -> dict[str, frozenset[str]]:
    found = {}
    for prompt in sets.elsewhere(unseen):
        hits = lexical.select(sets.OURS / "memories", prompt)
        found[prompt] = frozenset(hit.path.rpartition("/")[2].removesuffix(".md") for hit in hits)
    return found


def test_of_a_hundred_prompts_of_another_project_two_at_most_get_anything() -> None:
    assert sum(map(bool, answered(False).values())) <= 0.02 * len(answered(False))


def test_prompts_that_nothing_was_tuned_on_get_no_facts_either() -> None:
    standing = sets.standing()
    assert sum(bool(found - standing) for found in answered(True).values()) <= 0.02 * len(answered(True))


def test_the_same_memories_speak_up_in_their_own_project() -> None:
    cases = [case for case in sets.ours() if case.expect][:40]
    heard = [case for case in cases if lexical.select(case.folder, case.prompt)]
    assert len(heard) >= 0.8 * len(cases)
