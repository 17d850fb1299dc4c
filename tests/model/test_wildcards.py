"""Glob patterns, matched in bounded time."""

from __future__ import annotations

import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.model.wildcards import MAX_BRACES, PathPattern, braces, literal, part_matches, tokens


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*.py", "app.py", True),
        ("*.py", "src/app.py", True),
        ("src/*.py", "src/app.py", True),
        ("src/*.py", "src/deep/app.py", False),
        ("**/*.py", "app.py", True),
        ("**/*.py", "a/b/c/app.py", True),
        ("src/**", "src/a/b.md", True),
        ("src/**", "lib/a.md", False),
        ("src/**/x.md", "src/x.md", True),
        ("**/test/**/x.py", "a/test/b/c/x.py", True),
        ("./src/*.py", "src/a.py", True),
        ("*.{ts,tsx}", "a.tsx", True),
        ("*.{ts,tsx}", "a.js", False),
        ("{a,b}/{c,d}.md", "b/c.md", True),
        ("a?.md", "ab.md", True),
        ("a?.md", "a.md", False),
        ("[a-c]x", "bx", True),
        ("[!a-c]x", "bx", False),
        ("[^a-c]x", "zx", True),
        ("[[:digit:]]x", "5x", True),
        ("[[:digit:]]x", "ax", False),
        ("[]x]", "]", True),
        ("[a-]", "-", True),
        ("[", "[", True),
        ("[a", "[a", True),
        ("\\*", "*", True),
        ("\\*", "a", False),
        ("a{b", "a{b", True),
        ("a{b}", "a{b}", True),
    ],
)
def test_a_pattern_means_what_it_means_elsewhere(pattern: str, path: str, matches: bool) -> None:
    assert PathPattern(pattern).matches(path) is matches


@given(st.text(st.sampled_from("ab*?[]-!.")), st.text(st.sampled_from("ab[]-!."), max_size=8))
def test_one_part_agrees_with_the_standard_library(pattern: str, name: str) -> None:
    # `fnmatch` reads a reversed range such as [b-a] its own way; both then match nothing of it.
    assert part_matches(tokens(pattern), name) == fnmatch.fnmatchcase(name, pattern)


@given(st.text(max_size=10), st.text(max_size=10))
def test_literal_tokens_match_one_text_only(one: str, other: str) -> None:
    assert part_matches(literal(one), one)
    assert part_matches(literal(one), other) == (one == other)


def test_a_hostile_pattern_is_answered_at_once() -> None:
    assert not PathPattern("*a" * 400 + "b").matches("a" * 4000)
    assert not PathPattern("**/" * 300 + "b").matches("a/" * 300 + "c")


def test_braces_multiply_up_to_a_limit() -> None:
    assert sorted(braces("{a,b}{c,d}")) == ["ac", "ad", "bc", "bd"]
    assert len(braces("{a,b}" * 20)) <= MAX_BRACES
