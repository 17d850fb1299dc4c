"""Clear evidence speaks up, everything else is silent; each yes names its reason."""

from __future__ import annotations

import pytest

from lib.recall import abstention
from lib.recall.abstention import Signals, chosen, clarity
from lib.recall.card import card_of
from lib.recall.matching import collect
from lib.recall.prompt import query
from lib.recall.ranking import rank
from lib.recall.shelf import Shelf
from tests.recall.folder import HARBOUR, memory


def picked(texts: dict[str, str], prompt: str, limit: int = 5) -> list[tuple[str, str]]:
    corpus = Shelf([card_of(f"{name}.md", text.encode()) for name, text in sorted(texts.items())])
    asked, found = collect(corpus, query(prompt))
    return [(card.file[:-3], why) for _, card, why in chosen(asked, rank(corpus, found, 20), limit)]


REASONS = [
    ("when does the high season start?", [("season", "words")]),
    ("which solver does the berth allocation use?", [("berth-allocation", "name")]),
    ("what is in the secret store?", [("vault", "name")]),
    ("add a dependency", [("pnpm", "trigger")]),
    ("warum setzen wir Typst für die Tickets ein?", [("tickets", "words")]),
    ("Vault 里的密钥路径是什么？", [("vault", "proper name")]),
    ("write a haiku about the sea", []),
    ("set up a calendar for the school holidays", []),
    ("how do I leave the pager of git log?", []),
    ("the table is too wide on phones", []),
    ("why is my laptop so slow during builds", []),
]


@pytest.mark.parametrize(("prompt", "expected"), REASONS)
def test_a_prompt_gets_what_it_needs_and_why(prompt: str, expected: list[tuple[str, str]]) -> None:
    assert picked(HARBOUR, prompt) == expected


def test_a_name_of_everyday_words_needs_a_short_prompt() -> None:
    texts = {"style": memory("run tests", "Use the make target")}
    assert picked(texts, "how do we run tests here?") == [("style", "name")]
    long = "the harbour master wants the invoice of the ferry printed on green paper before we run tests of the siren"
    assert picked(texts, long) == []


def test_a_memory_that_no_longer_holds_is_never_recalled() -> None:
    texts = {"old": memory("tslint", "We lint with TSLint", extra="status: superseded\n")}
    assert picked(texts, "how is tslint set up?") == []
    assert picked({"old": memory("tslint", "We lint with TSLint")}, "how is tslint set up?") == [("old", "name")]


def test_what_lies_far_behind_the_best_is_left_out() -> None:
    texts = {
        "best": memory("ferry-invoice-siren", "Ferry invoices and the siren of the harbour"),
        "dragged": memory("other", "siren", "the harbour"),
    }
    assert [file for file, _ in picked(texts, "ferry invoice siren harbour")] == ["best"]


def test_a_linked_memory_comes_only_with_the_one_that_links_to_it() -> None:
    texts = {
        "reaper": memory("hold-reaper", "Restart it twice", "See [[booking-states]]."),
        "booking-states": memory("booking-states", "Draft, paid, boarded", "A hold expires."),
    }
    assert picked(texts, "restart the hold reaper") == [("reaper", "name"), ("booking-states", "link")]
    assert picked(texts, "hold the line") == []


def test_one_word_in_one_of_many_sentences_is_not_enough() -> None:
    texts = {"n": memory("harbour-rules", "The siren sounds at dawn, before a ferry leaves the northern pier")}
    assert picked(texts, "does the siren sound before the ferry leaves?") == [("n", "words")]
    many = "Paint the door green. The siren is loud. Then polish the brass lamps of the ferry. Buy bread for the crew."
    assert picked(texts, many) == []


def test_few_by_trigger_alone_and_never_more_than_asked_for() -> None:
    texts = {f"p{n}": memory(f"preference-{n}", f"Rule {n}", extra="applies: [tests]\n") for n in range(8)}
    assert len(picked(texts, "write tests for the siren")) == abstention.MOST_TRIGGERED
    assert len(picked(texts, "write tests for the siren", limit=1)) == 1
    assert picked({}, "write tests for the siren") == []


def test_clarity_grows_with_every_signal() -> None:
    low = clarity(Signals(0.2, 0.2, 0.5, 1))
    assert clarity(Signals(0.4, 0.2, 0.5, 1)) > low
    assert clarity(Signals(0.2, 0.4, 0.5, 1)) > low
    assert clarity(Signals(0.2, 0.2, 0.9, 1)) > low
    assert clarity(Signals(0.2, 0.2, 90.0, 1)) == clarity(Signals(0.2, 0.2, 2.0, 1))
