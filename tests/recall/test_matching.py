"""What speaks for a memory, and how much: the score's properties on small shelves."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.recall.card import card_of
from lib.recall.matching import collect
from lib.recall.prompt import query
from lib.recall.ranking import Asked, Evidence, rank, rarity, specific
from lib.recall.shelf import Shelf
from tests.recall.folder import HARBOUR, memory


def shelf(texts: dict[str, str]) -> Shelf:
    return Shelf([card_of(f"{name}.md", text.encode()) for name, text in sorted(texts.items())])


def evidence(texts: dict[str, str], prompt: str) -> tuple[Asked, dict[str, Evidence]]:
    corpus = shelf(texts)
    asked, found = collect(corpus, query(prompt))
    return asked, {corpus.cards[memory].file[:-3]: one for memory, one in found.items()}


def order(texts: dict[str, str], prompt: str) -> list[str]:
    corpus = shelf(texts)
    _, found = collect(corpus, query(prompt))
    return [card.file[:-3] for _, card in rank(corpus, found, 20)]


def test_a_word_in_the_name_ranks_above_the_same_word_in_a_body() -> None:
    texts = {
        "aside": memory("other", "Nothing", "The relay is slow."),
        "about": memory("relay", "Nothing", "It is slow."),
    }
    assert order(texts, "why is the relay slow in production") == ["about", "aside"]


def test_rare_words_say_more_than_frequent_ones() -> None:
    texts = {f"n{n}": memory(f"n{n}", "relay") for n in range(9)} | {"rare": memory("x", "harbour")}
    assert order(texts, "the relay in the harbour")[0] == "rare"
    assert rarity(100, 1) > rarity(100, 10) > rarity(100, 90) > 0


def test_long_memories_do_not_win_by_length() -> None:
    texts = {
        "long": memory("long", "x", "relay " + "filler words everywhere " * 400),
        "short": memory("short", "x", "relay"),
    }
    assert order(texts, "relay troubles") == ["short", "long"]


def test_a_whole_name_adds_and_is_told() -> None:
    _, found = evidence(HARBOUR, "what is the secret store for?")
    assert found["vault"].name == "secret stor"
    _, apart = evidence(HARBOUR, "is there a secret in the store?")
    assert apart["vault"].name == ""
    assert found["vault"].score > apart["vault"].score


def test_a_slip_counts_less_than_the_word_and_finds_its_name() -> None:
    _, exact = evidence(HARBOUR, "typst problems")
    asked, slip = evidence(HARBOUR, "typsst problems")
    assert asked.forms == {"typsst": "typst"}
    assert 0 < slip["tickets"].score < exact["tickets"].score


def test_a_link_lends_some_of_the_score() -> None:
    texts = {"a": memory("reaper", "Restart it", "See [[holds]]."), "holds": memory("holds", "Expire after a while")}
    _, found = evidence(texts, "restart the reaper")
    assert found["holds"].linked == "a.md"
    assert 0 < found["holds"].score < found["a"].score


def test_a_trigger_adds_and_a_tool_only_adds_to_other_evidence() -> None:
    texts = {"t": memory("shell", "Quote paths", extra="applies: [bash]\n")}
    corpus = shelf(texts)
    plain = collect(corpus, query("quote the paths"))[1][0].score
    assert collect(corpus, query("quote the paths", ["Bash"]))[1][0].score > plain
    assert collect(corpus, query("nothing of that", ["Bash"]))[1] == {}
    assert evidence(HARBOUR, "add a dependency")[1]["pnpm"].trigger == "dependencies"


def test_equal_scores_come_in_the_order_of_files() -> None:
    texts = {name: memory("same", "relay") for name in ("b", "c", "a")}
    assert order(texts, "relay") == ["a", "b", "c"]


@pytest.mark.parametrize(("phrase", "alone"), [("pnpm on", True), ("run test", False), ("error", False), ("", False)])
def test_only_a_telling_name_stands_alone(phrase: str, alone: bool) -> None:
    assert specific(phrase) is alone


def test_frequent_terms_of_a_large_set_only_refine() -> None:
    texts = {f"n{n:04}": memory(f"n{n:04}", "relay " + ("harbour" if n < 40 else "")) for n in range(400)}
    corpus = shelf(texts)
    _, found = collect(corpus, query("relay in the harbour"))
    assert len(found) == 40
    assert len(collect(corpus, query("relay in the harbour"), thorough=True)[1]) == 400
    assert len(collect(corpus, query("the relay hangs"))[1]) == 400


@settings(max_examples=40)
@given(st.lists(st.text(alphabet="abc relay認[]:-\n", max_size=60), max_size=6), st.text(max_size=80))
def test_scores_are_finite_and_positive(bodies: list[str], prompt: str) -> None:
    texts = {f"m{n}": memory(f"m{n}", "d", body) for n, body in enumerate(bodies)}
    _, found = evidence(texts, prompt)
    assert all(0 < one.score < 1e6 for one in found.values())
