"""Word forms that belong together meet in one stem, and no others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.recall.stems import IRREGULAR, stem

FAMILIES = [
    "deploy deploys deployed deploying deployment deployments",
    "migrate migration migrations migrating migrated",
    "cache caches cached caching",
    "run runs ran running runner",
    "write writes wrote written writing writer",
    "format formats formatted formatting formatter",
    "dependency dependencies depend depends dependent",
    "policy policies",
    "retry retries retried retrying",
    "organise organize organisation organization organizing",
    "photograph photographer photography photographs",
    "auth authentication authenticate authenticated",
    "repo repos repository repositories",
    "child children",
    "colour colors color",
    "use uses used using",
]


@pytest.mark.parametrize("family", FAMILIES)
def test_the_forms_of_a_word_share_a_stem(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize("pair", ["test text", "port post", "mongo mango", "news new", "class clash", "log logic"])
def test_different_words_keep_apart(pair: str) -> None:
    left, right = pair.split()
    assert stem(left) != stem(right)


@pytest.mark.parametrize("word", ["", "a", "k8s", "v2", "naïve", "認証", "日", "2026", "x1y2"])
def test_what_is_no_english_word_comes_back_unchanged(word: str) -> None:
    assert stem(word) == word


def test_irregular_forms_come_in_pairs_of_plain_words() -> None:
    assert len(IRREGULAR) > 100
    assert all(word.isalpha() and word.islower() and base.isalpha() for word, base in IRREGULAR.items())


@given(st.text(alphabet=st.characters(min_codepoint=97, max_codepoint=122), min_size=1, max_size=40))
def test_no_word_loses_everything_or_fails(word: str) -> None:
    assert stem(word)
    assert stem(word).isalpha()


@given(st.text(max_size=30))
def test_any_text_has_a_stem(word: str) -> None:
    assert bool(stem(word)) == bool(word)
