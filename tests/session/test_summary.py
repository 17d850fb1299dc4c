"""The summary's file has its sections in order, each and all of them within their limits."""
from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lib.session import summary, tokens
from lib.session.summary import SECTION_TOKENS, SECTIONS, TOTAL_TOKENS

POINT = st.sampled_from(["Fix the parser. It fails on old files.", "src/a.py: changed", "日本語の文。", "x" * 900,
                         "One sentence here. " * 40, "- odd", "## Decisions", "(nothing)"])


def sections_of(text: str) -> dict[str, str]:
    parts = text.split("\n## ")
    return {part.partition("\n")[0]: part.partition("\n")[2] for part in parts[1:]}


@settings(max_examples=60)
@given(st.dictionaries(st.sampled_from(SECTIONS), st.lists(POINT, max_size=200)))
def test_every_section_is_there_in_order_and_within_the_limits(sections: dict[str, list[str]]) -> None:
    text = summary.dump(sections)
    assert summary.ours(text)
    found = [line[3:] for line in text.split("\n") if line.startswith("## ")]
    assert found == list(SECTIONS)
    assert tokens.of_text(text) <= TOTAL_TOKENS
    assert all(tokens.of_text(part) <= SECTION_TOKENS for part in sections_of(text).values())


def test_a_full_summary_of_all_sections_is_held_within_the_whole() -> None:
    full = {name: [f"Number {n} of many sentences that say a little." for n in range(400)] for name in SECTIONS}
    text = summary.dump(full)
    assert TOTAL_TOKENS - 1_000 < tokens.of_text(text) <= TOTAL_TOKENS
    assert text.count("more left out)") == len(SECTIONS)


def test_what_was_written_reads_back() -> None:
    sections = {"What was asked": ["Fix it.", "Then test it."], "Files touched": ["a.py: changed"]}
    read = summary.parse(summary.dump(sections))
    assert {name: points for name, points in read.items() if points} == sections


def test_an_answer_in_other_clothes_is_read() -> None:
    answer = "Here it is:\n\n# what was ASKED:\n* Fix it.\n\n### Unknown\n- no\n\n## Decisions\nWe keep tabs.\n"
    assert summary.parse(answer) == {"What was asked": ["Fix it."], "Decisions": ["We keep tabs."]}
    assert summary.parse("I cannot do that.") == {}


def test_the_body_is_the_file_without_its_mark() -> None:
    assert summary.body(summary.dump({})).startswith("## What was asked\n- (nothing)")
