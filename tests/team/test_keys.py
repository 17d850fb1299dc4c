"""A bad key costs that entry only, and says why; of two that are one file somewhere one stands, the known one."""
from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.memory import files
from lib.team import keys, wire

GOOD = ["a.md", "a.b.md", "api/b.md", "a/b/c.md", "user_role.md", "$HOME/x.md", "a∕b.md", "ключ.md", "a b.md"]
BAD = [
    "", ".", "..", "/etc/passwd", "/a.md", "a.md/b.md", "a.txt", "settings.json", "a.md/", "team/", "../x.md",
    "x/../../y.md", "x//y.md", "./a.md", "~/x.md", "~root/x.md", ".hidden.md", ".git/config.md", "-rf.md", " a.md",
    "a .md/b.md/c", "a\\..\\b.md", "C:/x.md", "C:x.md", "//server/share/x.md", "\\\\?\\x.md", "a.md:ads", "NUL.md",
    "con.md", "com1.x.md", "a\x00.md", "a\x1b[2J.md", "a\u202e.md", "a\u200b.md", "a\ud800.md", "..%2fx.md",
    "\uff0e\uff0e/x.md", "\u2025/x.md", "a\uff0fb.md", "a/b/c/d.md", "a/" * 300 + "x.md", "a" * 200 + ".md",
    ".consolidate-lock", "MEMORY.md", "memory.MD", "api/MEMORY.md", "a\n.md",
]  # fmt: skip


@pytest.mark.parametrize("key", GOOD)
def test_a_good_key_stands(key: str) -> None:
    assert keys.judged([key]) == ([key], {})


@pytest.mark.parametrize("key", BAD)
def test_a_bad_key_is_named_and_costs_nothing_else(key: str) -> None:
    good, bad = keys.judged(["a-good-one.md", key])
    assert good == ["a-good-one.md"]
    assert list(bad) == [key] and bad[key]


@pytest.mark.parametrize("value", [None, 5, ["a.md"], b"a.md", {"bytes": "a.md"}])
def test_what_is_no_text_is_no_key(value: object) -> None:
    assert keys.judged([value, "a.md"]) == (["a.md"], {})


@pytest.mark.parametrize(
    ("one", "other"),
    [("A.md", "a.md"), ("Straße.md", "STRASSE.md"), ("api/B.md", "API/b.md"),
     (unicodedata.normalize("NFC", "é.md"), unicodedata.normalize("NFD", "é.md"))],
)  # fmt: skip
def test_of_two_names_for_one_file_the_known_one_stands(one: str, other: str) -> None:
    for known, left in ((one, other), (other, one)):
        good, bad = keys.judged([one, other], [known])
        assert good == [known] and list(bad) == [left]
        assert known in bad[left]
    assert len(keys.judged([one, other])[0]) == 1


def test_ten_thousand_keys_stand_and_the_next_is_named() -> None:
    good, bad = keys.judged([f"k{number:05}.md" for number in range(keys.LIMIT + 2)])
    assert len(good) == keys.LIMIT
    assert sorted(bad) == ["k10000.md", "k10001.md"]


def test_of_many_bad_keys_the_first_are_kept_and_the_rest_counted() -> None:
    told = keys.told({f"{number:03}" + "x" * 300: "why" for number in range(150)})
    assert len(told) == keys.NAMED + 1
    assert told[keys.REST] == "50 more"
    assert max(map(len, told)) == keys.SHOWN


@given(st.lists(st.text(max_size=30) | st.sampled_from(GOOD + BAD), max_size=20))
def test_what_stands_can_be_written_and_no_two_are_one_file(given_keys: list[str]) -> None:
    good, bad = keys.judged(given_keys)
    assert set(good) | set(bad) == set(given_keys) and not set(good) & set(bad)
    assert all(files.unsafe_name(f"team/{key}") == "" for key in good)
    assert len({wire.folded(key) for key in good}) == len(good)
