"""A card is what its file's bytes say, whatever they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.recall.card import Card, card_of, checksum, items, unpacked
from tests.recall.folder import memory


def card(text: str, file: str = "note.md", hook: str = "") -> Card:
    return card_of(file, text.encode(), hook)


def test_words_weigh_by_the_field_they_stand_in() -> None:
    found = card(
        memory("relay-outbox", "The relay empties it", "# Rescue\nThe relay hangs."), hook="never restart harbour"
    )
    assert found.counts["relai"] == (3.0 + 2.5 + 1.0, True)
    assert found.counts["outbox"] == (3.0, True)
    assert found.counts["rescu"] == (1.5 + 1.0, False)
    assert found.counts["hang"] == (1.0, False)
    assert found.counts["harbour"] == (1.0, False)
    assert found.length == sum(count for count, _ in found.counts.values())


def test_names_slugs_and_aliases_are_kept_whole() -> None:
    found = card(memory("use_pnpm", "d", extra="aliases: [package manager, 'PNPM']\n"), file="pnpm-only.md")
    assert found.names == ["use pnpm", "pnpm on"]
    assert found.aliases == ["packag manag", "pnpm"]
    assert found.slugs == ["pnpm-on", "use-pnpm"]


def test_a_plain_file_is_named_by_its_heading_or_its_file() -> None:
    assert card("# The relay\n\nIt hangs.").names == ["the relai"]
    assert card("It hangs.").names == ["note"]
    assert card(memory("the-relay", "d")).names == ["the relai"]
    assert card("It hangs.").type == ""


LISTS = [
    ({"applies": "[tests, 'python']"}, ["tests", "python"]),
    ({"applies": "tests, python"}, ["tests", "python"]),
    ({"metadata.applies": "tests; python"}, ["tests", "python"]),
    ({"applies.tools": "Bash", "applies.languages": "[go]"}, ["Bash", "go"]),
    ({"applies": ""}, []),
    ({"appliesto": "x"}, []),
]


@pytest.mark.parametrize(("fields", "expected"), LISTS)
def test_lists_are_read_in_every_form(fields: dict[str, str], expected: list[str]) -> None:
    assert items(fields, "applies") == expected


def test_block_lists_are_read_too() -> None:
    assert card(memory("a", "d", extra="applies:\n  - tests\n  - '*.py'\n")).applies == ["tests", "*.py"]


def test_links_are_read_in_every_form_and_broken_ones_are_not() -> None:
    found = card("See [[season-calendar]], [[outbox|the outbox]], [[berth#limit]], [[open and [single].")
    assert found.links == ["season-calendar", "outbox", "berth"]


@pytest.mark.parametrize(
    ("extra", "active"),
    [
        ("status: superseded\n", False),
        ("superseded_by: new-one\n", False),
        ("superseded-by: null\n", True),
        ("status: resolved\n", True),
        ("status: active\n", True),
        ("", True),
    ],
)
def test_a_memory_that_no_longer_holds_says_so(extra: str, active: bool) -> None:
    assert card(memory("a", "d", extra=extra)).active is active


def test_packing_keeps_what_a_candidate_needs() -> None:
    before = card(memory("a-b", "d", "See [[c]].", extra="applies: [tests]\naliases: [x y]\n"), hook="h")
    after = unpacked(before.file, before.packed())
    for slot in ("type", "check", "mass", "names", "aliases", "slugs", "applies", "links", "active"):
        assert getattr(after, slot) == getattr(before, slot)
    assert before.check == checksum(
        memory("a-b", "d", "See [[c]].", extra="applies: [tests]\naliases: [x y]\n").encode()
    )


@given(st.binary(max_size=400), st.text(max_size=40))
def test_any_bytes_make_a_card(raw: bytes, hook: str) -> None:
    found = card_of("x.md", raw, hook)
    assert found.length == sum(count for count, _ in found.counts.values())
    assert unpacked("x.md", found.packed()).names == found.names


@given(st.text(max_size=300))
def test_lengths_are_multiples_of_one_half_so_that_sums_are_exact(text: str) -> None:
    assert (card(memory("n", "d", text.replace("\x00", ""))).length * 2).is_integer()


def test_entries_with_separators_in_them_cannot_shift_the_others() -> None:
    before = card(memory("a", "d", extra='applies: ["x\x1fy", "z\x1e"]\n'))
    assert unpacked("a.md", before.packed()).applies == ["xy", "z"]


@pytest.mark.parametrize("text", ["", "x", "[]", "\x1e" * 3, "\x1e" * 20])
def test_what_was_not_packed_is_no_card(text: str) -> None:
    with pytest.raises(ValueError):
        unpacked("a.md", text)
