"""Our own invented prompts, by class: what states something is kept, and nothing else is."""

from __future__ import annotations

import datetime

import pytest

from lib.extract.rules import candidates
from tests.bench import extraction_sets as sets
from tests.bench.extraction_sets import Lasting, Talk

TODAY = datetime.date(2026, 11, 30)


@pytest.mark.parametrize("case", sets.lasting(), ids=lambda case: case.text[:50])
def test_statement_becomes_a_memory_of_its_type_that_holds_its_words(case: Lasting) -> None:
    right = [found for found in candidates([case.text], today=TODAY) if found.type == case.type]
    assert right
    said = " ".join(found.description for found in right).lower()
    assert [word for word in case.words if word.lower() not in said] == []


@pytest.mark.parametrize(("kind", "prompt"), sets.nothing(), ids=lambda text: text[:40])
def test_prompt_that_states_nothing_lasting_gives_nothing(kind: str, prompt: str) -> None:
    assert [found.quote for found in candidates([prompt], today=TODAY)] == []


def test_all_quiet_prompts_of_one_session_give_nothing_together() -> None:
    prompts = [prompt for _, prompt in sets.nothing()]
    assert [found.quote for found in candidates(prompts, today=TODAY)] == []


@pytest.mark.parametrize("case", sets.own_talk(), ids=lambda case: case.text[:40])
@pytest.mark.parametrize("whole", [True, False], ids=["whole", "turns"])
def test_talk_between_people_keeps_the_conventions_taught_and_nothing_else(case: Talk, whole: bool) -> None:
    texts = [case.text] if whole else sets.teacher(case.text)
    found = candidates(texts, today=TODAY)
    assert bool(found) == case.taught
    assert {one.type for one in found} <= {"feedback"}
