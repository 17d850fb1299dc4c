"""The word lists hold what is looked up in them: stems where stems are looked up, folded words elsewhere."""

from __future__ import annotations

import pytest

from lib.recall.stems import stem
from lib.recall.words import CHAT, COMMON, COURTESIES, FACT_WORDS, FOREIGN, GENERIC_VERBS, MONTHS, ORDERS, STOP


@pytest.mark.parametrize(
    "word", "key short fix test build code file error settings library refactoring server commenting".split()
)
def test_everyday_words_of_developers_are_common(word: str) -> None:
    assert stem(word) in COMMON


@pytest.mark.parametrize("word", "kubernetes invoice outage lockfile migration harbour dependency webhook".split())
def test_words_that_tell_projects_apart_are_not(word: str) -> None:
    assert stem(word) not in COMMON


@pytest.mark.parametrize(
    "word", "add write deploy commit rebase release install migrate explain reformat translate".split()
)
def test_verbs_of_work_begin_orders(word: str) -> None:
    assert stem(word) in ORDERS


@pytest.mark.parametrize("word", "what where does did is was has had".split())
def test_questions_for_facts_begin_with_these(word: str) -> None:
    assert stem(word) in FACT_WORDS


def test_generic_verbs_are_verbs_of_orders() -> None:
    assert GENERIC_VERBS <= ORDERS


def test_every_month_has_its_number() -> None:
    assert set(MONTHS.values()) == set(range(1, 13))
    assert all(stem(name) in MONTHS for name in ("january", "september", "december"))


def test_lists_are_folded_and_the_courtesies_order_nothing() -> None:
    assert all(word == word.casefold() for word in STOP | CHAT | FOREIGN)
    assert COURTESIES.isdisjoint(ORDERS - {"go", "try"})
