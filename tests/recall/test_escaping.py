"""Plain text is made harmless without Unicode's tables, and comes out as it would with them."""
from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.recall import escaping

WIDE = "\u754c"  # a letter that nothing changes, but by which the whole text is no longer ASCII


@given(st.text(st.characters(max_codepoint=127), max_size=40))
@settings(max_examples=60)
def test_plain_text_comes_out_as_it_would_beside_a_letter_that_is_not_plain(text: str) -> None:
    assert escaping.visible(text) + WIDE == escaping.visible(text + WIDE)
    assert escaping.harmless(text) + WIDE == escaping.harmless(text + WIDE)


@pytest.mark.parametrize("code", range(128))
def test_each_plain_character_is_shown_or_dropped_by_its_category(code: int) -> None:
    instead = {"\n": "\n", "\t": "  "}.get(chr(code), "" if unicodedata.category(chr(code)) == "Cc" else chr(code))
    assert escaping.visible(f"a{chr(code)}b") == f"a{instead}b"


def test_what_is_no_plain_text_is_composed_and_loses_what_hides() -> None:
    assert escaping.visible("e\u0301\u200b\u202ex") == "\u00e9x"
    assert escaping.harmless("\uff1ctag\uff1e") == "&lt;tag&gt;"
