"""Prompts of other projects against the memories of one: facts stay silent. Req: C1."""

from __future__ import annotations

from pathlib import Path

import pytest

from lib.recall import lexical
from tests.bench import recall_sets as sets


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("index") / "recall.sqlite"


def answered(unseen: bool, index: Path) -> list[frozenset[str]]:
    """What each prompt of another project gets, as file stems."""
    found = []
    for prompt in sets.elsewhere(unseen):
        hits = lexical.select(sets.OURS / "memories", prompt, index=index)
        found.append(frozenset(hit.path.rpartition("/")[2].removesuffix(".md") for hit in hits))
    return found


def test_of_a_hundred_prompts_of_another_project_two_at_most_get_anything(index: Path) -> None:
    found = answered(False, index)
    assert sum(map(bool, found)) <= 0.02 * len(found)


def test_prompts_that_nothing_was_tuned_on_get_no_facts_either(index: Path) -> None:
    found, standing = answered(True, index), sets.standing()
    assert sum(bool(stems - standing) for stems in found) <= 0.02 * len(found)


def test_the_same_memories_speak_up_in_their_own_project(index: Path) -> None:
    cases = [case for case in sets.ours() if case.expect][:40]
    heard = [case for case in cases if lexical.select(case.folder, case.prompt, index=index)]
    assert len(heard) >= 0.8 * len(cases)
