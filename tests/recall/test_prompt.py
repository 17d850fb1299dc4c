"""A prompt as a query: bounded, pastes set apart, orders and questions told apart, small talk quiet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.recall import prompt as prompts
from lib.recall.prompt import query, quiet

QUIET = [
    "", "   ", "thanks", "Thanks!", "continue", "yes", "commit this", "ok go ahead", "looks good, please continue",
    "run the tests", "why?", "/compact", "/model opus", "🙏", "hello!", "danke, weiter so", "はい",
    "谢谢", "no", "...",
]  # fmt: skip
LOUD = [
    "k8s?", "fastify?", "add a dependency", "how do we run the tests?", "認証方式を変えた",
    "/home/me/x.py is broken",
    "why does the relay hang", "thanks, now deploy the relay", "a" * 500,
]  # fmt: skip


@pytest.mark.parametrize("text", QUIET)
def test_small_talk_and_everyday_orders_are_quiet(text: str) -> None:
    assert quiet(text)


@pytest.mark.parametrize("text", LOUD)
def test_whatever_holds_a_telling_word_is_not(text: str) -> None:
    assert not quiet(text)


def test_a_question_after_a_paste_counts_fully_and_the_paste_little() -> None:
    asked = query("```\npanic: kaboom in reaper\n```\nis there a runbook for holds?")
    assert asked.terms["runbook"] == 1.0
    assert asked.terms["kaboom"] == prompts.PASTED_WEIGHT
    assert asked.sentences == [["runbook", "hold"]]


PASTED_LINES = [
    "2026-02-01T10:00:01Z INFO zebra started",
    "[12:03:44] zebra started",
    "ERROR zebra not found",
    "    at zebra.run (x.js:3:1)",
    "const zebra = 1;",
    "def zebra(x):",
    "diff --git a/zebra b/zebra",
]


@pytest.mark.parametrize("line", PASTED_LINES)
def test_log_and_code_lines_are_pastes(line: str) -> None:
    asked = query(f"what is wrong with the giraffe?\n{line}")
    assert 0 < asked.terms["zebra"] <= prompts.PASTED_WEIGHT
    assert asked.terms["giraff"] == 1.0


def test_a_prompt_that_is_only_a_paste_still_asks() -> None:
    asked = query("```\nnetex: unexpected element ServiceFrame\n```")
    assert asked.terms["netex"] == 1.0
    assert asked.sentences == [list(asked.terms)]


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("please add a button", [["add", "a", "button"]]),
        ("Can you fix it? Then write tests.", [["fix", "it"], ["write", "test"]]),
        ("what is a button?", []),
        ("the button is broken", []),
    ],
)
def test_orders_begin_with_a_verb_of_work(text: str, orders: list[list[str]]) -> None:
    found = query(text).orders
    assert [order[0][:4] for order in found] == [order[0][:4] for order in orders]
    assert [order[1:] for order in found] == [order[1:] for order in orders]


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        ("what library draws the charts?", False),
        ("where are the charts", False),
        ("how long do the charts take?", False),
        ("how do I write charts?", True),
        ("which colours should the charts have?", True),
        ("what should the charts look like?", True),
        ("the charts are ugly", True),
    ],
)
def test_questions_for_facts_are_closed(text: str, is_open: bool) -> None:
    assert (" chart " in query(text).open) is is_open


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("wie lange ist ein Hold gültig und wer löscht ihn?", True),
        ("¿por qué usamos WebGL en el mapa?", True),
        ("Почему мы используем Typst?", True),
        ("認証方式を変えた理由は", True),
        ("why do we use WebGL on the naïve map?", False),
        ("deploy on μservice", True),
    ],
)
def test_other_languages_are_noticed(text: str, foreign: bool) -> None:
    assert query(text).foreign is foreign


def test_function_words_of_another_language_are_no_terms() -> None:
    assert "wir" not in query("warum benutzen wir das nicht mit dem Meilisearch").terms
    assert "die" in query("the processes die at night").terms


def test_identifiers_and_their_parts_are_one_thing_said_once() -> None:
    asked = query("look at tariff_rule")
    assert asked.wholes == {"tariff_rule"}
    assert asked.terms["tariff_rule"] + asked.terms["tariff"] + asked.terms["rule"] <= 1.0


BOUNDS = ["x" * 1_000_000, "a(b[c*" * 200_000, "<abc>" * 200_000, "```" * 300_000, "wort " * 200_000, "認" * 300_000]


@pytest.mark.parametrize("text", BOUNDS, ids=lambda text: text[:6])
def test_a_prompt_of_a_megabyte_is_bounded(text: str) -> None:
    asked = query(text)
    assert len(asked.terms) <= prompts.MAX_TERMS
    assert len(asked.stems) <= 4_000
    assert not quiet(text)


def test_the_end_of_a_long_prompt_is_read_and_a_paste_leaves_room_for_it() -> None:
    log = "\n".join(f"2026-01-01 10:00:00 INFO word{n} other{n}" for n in range(6_000))
    asked = query(f"{log}\nwho owns the lighthouse?")
    assert asked.terms["lighthous"] == 1.0
    assert len(asked.terms) <= 1 + 1 + prompts.MAX_PASTED_TERMS


@given(st.text(max_size=600))
def test_any_text_makes_a_query(text: str) -> None:
    asked = query(text)
    assert all(0 < weight <= 1 for weight in asked.terms.values())
    assert {term for sentence in asked.sentences for term in sentence} <= set(asked.terms)
    assert quiet(text) in (True, False)
