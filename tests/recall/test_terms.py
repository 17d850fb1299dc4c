"""Text to terms: exact terms for each kind of word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.recall.terms import chunks, is_compound, stems, terms, weight

CASES = [
    ("Always use pnpm here, npm corrupts the lockfile", ["use", "pnpm", "npm", "corrupt", "lockfil"]),
    ("src/auth/login.ts:42:7", ["src/auth/login.ts", "src", "authent", "login", "ts", "42", "7"]),
    ("useLoginForm", ["useloginform", "use", "login", "form"]),
    ("HTTPServer2", ["httpserver2", "http", "serv"]),
    ("snake_case_name", ["snake_case_name", "snak", "case", "name"]),
    ("C++ C# foo++ #123", ["c++", "c", "c#", "c", "foo", "123"]),
    ("2026-01-05", ["2026-01-05", "2026", "januari", "01-05"]),
    ("on Jan 5th", ["jan", "5th", "01-05"]),
    ("5 January", ["5", "januari", "01-05"]),
    ("8 May, and it may rain", ["8", "may", "rain", "05-08"]),
    ("v2.1.3 3.12 10:30", ["v2.1.3", "v2", "1", "3", "3.12", "10:30"]),
    ("the user's don't", ["user"]),
    ("認証方式", ["認証", "証方", "方式"]),
    ("ＡＰＩの鍵", ["api", "の鍵"]),
    ("鍵", ["鍵"]),
    ("Straße café", ["strass", "cafe"]),
    ("the of and", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_a_text_has_exactly_these_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use the pnpm-only rule", ["use", "the", "pnpm", "on", "rule"]),
        ("TypeScript", ["typescript"]),
        ("認証方式", ["認証", "証方", "方式"]),
        ("a(b[c*", ["a", "b", "c"]),
    ],
)
def test_stems_keep_every_word_in_order(text: str, expected: list[str]) -> None:
    assert stems(text) == expected


@pytest.mark.parametrize(
    ("term", "expected"),
    [("test", 0.3), ("7", 0.3), ("x", 0.3), ("した", 0.3), ("認証", 1.0), ("pnpm", 1.0), ("2026", 1.0)],
)
def test_everyday_terms_weigh_less(term: str, expected: float) -> None:
    assert weight(term) == expected


@pytest.mark.parametrize(
    ("term", "expected"), [("a/b", True), ("a_b", True), ("3.12", True), ("word", False), ("認証", False)]
)
def test_whole_identifiers_are_known(term: str, expected: bool) -> None:
    assert is_compound(term) is expected


def test_blobs_and_long_texts_are_bounded() -> None:
    assert max(len(chunk) for chunk in chunks("x" * 5_000 + "/" + "y" * 5_000)) <= 120
    assert len(terms("word " * 50_000, limit=100)) == 100
    assert len(stems("word " * 50_000, limit=100)) == 100


@given(st.text(max_size=400))
def test_no_text_is_refused_and_no_term_is_empty(text: str) -> None:
    assert all(terms(text))
    assert all(" " not in term for term in terms(text))


@given(st.text(alphabet="ab1.-/:_'A認ー\u200b#+ ", max_size=60))
def test_terms_do_not_depend_on_what_was_read_before(text: str) -> None:
    assert terms(text) == terms(text + " ")[: len(terms(text))] or "-" in text or "'" in text
