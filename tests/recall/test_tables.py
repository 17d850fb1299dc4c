"""The saved index gives back what was put in, memory by memory, and refuses what is no index."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.recall.card import Card, card_of
from lib.recall.shelf import Shelf
from lib.recall.tables import Index
from lib.recall.transaction import Damaged
from tests.recall.folder import HARBOUR, memory


def cards(texts: dict[str, str]) -> list[Card]:
    return [card_of(f"{name}.md", text.encode()) for name, text in sorted(texts.items())]


def filled(path: Path, texts: dict[str, str]) -> Index:
    index = Index(str(path), "/m")
    with index.transaction():
        index.replace([], cards(texts))
    return index


def content(index: Index) -> list[list[tuple[object, ...]]]:
    tables = ("posting", "name", "slug", "applies")
    rows = [index._run(f"SELECT * FROM {table} ORDER BY 1, 2") for table in tables]
    return [*rows, index._run("SELECT term, memories, keys FROM word WHERE memories > 0 ORDER BY 1")]


def test_an_index_answers_as_a_shelf_of_the_same_cards_does(tmp_path: Path) -> None:
    index, shelf = filled(tmp_path / "i", HARBOUR), Shelf(cards(HARBOUR), first=1)
    assert (index.size, index.length) == (shelf.size, shelf.length)
    for term in ["relai", "pnpm", "typst", "none"]:
        assert index.frequency(term) == shelf.frequency(term)
        assert [tuple(row) for row in index.postings(term)] == shelf.postings(term)
        assert [tuple(row) for row in index.postings(term, [1, 2])] == shelf.postings(term, [1, 2])
    assert sorted(index.names(["pnpm", "secret"])) == sorted(shelf.names(["pnpm", "secret"]))
    assert index.triggered() == shelf.triggered()
    assert index.vocabulary("ty") == shelf.vocabulary("ty") == ["typeset", "typst"]
    assert index.resolve("pnpm-on") == shelf.resolve("pnpm-on")
    assert index.resolve("none") is None and index.card(99) is None
    index.close()


def test_taking_a_memory_out_leaves_no_trace(tmp_path: Path) -> None:
    index = filled(tmp_path / "i", {"a": HARBOUR["vault"]})
    before = content(index)
    other = {"b": memory("b-c", "secrets of typst", "see [[a]]", extra="applies: [tests]\naliases: [vault, x y]\n")}
    with index.transaction():
        index.replace([], cards(other))
    assert content(index) != before
    with index.transaction():
        index.replace([2], [])
    assert content(index) == before
    assert (index.size, index.length) == (1, Shelf(cards({"a": HARBOUR["vault"]})).length)
    with index.transaction():
        index.replace([2, 77], [])
    assert index.size == 1
    index.close()


def test_it_survives_being_closed_and_belongs_to_one_directory(tmp_path: Path) -> None:
    filled(tmp_path / "i", HARBOUR).close()
    again = Index(str(tmp_path / "i"), "/m")
    assert again.size == len(HARBOUR) == len(again.known())
    again.close()
    moved = Index(str(tmp_path / "i"), "/other")
    assert (moved.size, moved.known(), moved.note("folder")) == (0, {}, "")
    moved.close()


def test_another_version_empties_it(tmp_path: Path) -> None:
    index = filled(tmp_path / "i", HARBOUR)
    index.remember({"version": "0"})
    index.close()
    again = Index(str(tmp_path / "i"), "/m")
    assert again.size == 0
    again.close()


def test_what_raises_inside_a_transaction_is_undone(tmp_path: Path) -> None:
    index = filled(tmp_path / "i", HARBOUR)
    with pytest.raises(KeyError), index.transaction():
        index.remember({"folder": "x"})
        raise KeyError
    assert index.note("folder") == ""
    index.close()


def test_what_is_no_index_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "i").write_bytes(b"not a database, not even nearly" * 99)
    with pytest.raises(Damaged):
        Index(str(tmp_path / "i"), "/m")


def test_only_one_writes_at_a_time(tmp_path: Path) -> None:
    one, two = filled(tmp_path / "i", HARBOUR), Index(str(tmp_path / "i"), "/m")
    with one.transaction(), pytest.raises(Damaged, match="locked"), two.transaction():
        pass
    with two.transaction():
        two.remember({"folder": "x"})
    assert one.note("folder") == "x"
    one.close()
    two.close()


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 4), st.text(alphabet="ab relay 認[]-.\n", max_size=40)), max_size=12))
def test_any_order_of_changes_gives_the_index_of_the_last_state(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, str]]
) -> None:
    path = tmp_path_factory.mktemp("index")
    index = Index(str(path / "i"), "/m")
    state: dict[str, str] = {}
    for number, text in changes:
        name = f"n{number}"
        gone = [index.known()[f"{name}.md"][0]] if name in state else []
        state[name] = memory(name, text.replace("\n", " "), text)
        with index.transaction():
            index.replace(gone, cards({name: state[name]}))
    fresh = Shelf(cards(state))
    assert (index.size, index.length) == (fresh.size, fresh.length)
    for term in {term for card in cards(state) for term in card.counts}:
        assert index.frequency(term) == fresh.frequency(term) == len(index.postings(term))
    index.close()
