"""Bodies are understood strictly, tokens and addresses read tolerantly, and nothing that is refused leaks."""
from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.team import wire
from lib.team.server import body, tokens
from lib.team.server.answers import Refusal, written
from lib.team.server.limits import Limits, Rate
from lib.team.server.requestlog import line

LIMITS = Limits()
KEYS = st.text("abcXYZ09-_é", min_size=1, max_size=8).map(lambda stem: f"m{stem}.md")
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60)
@given(st.dictionaries(KEYS, TEXTS, min_size=1, max_size=5), st.booleans())
def test_what_is_accepted_is_what_was_sent(texts: dict[str, str], ascii_only: bool) -> None:
    twins = len({wire.folded(key) for key in texts}) < len(texts)
    raw = json.dumps({"entries": texts, "other": [1]}, ensure_ascii=ascii_only).encode()
    if twins:
        with pytest.raises(Refusal):
            body.entries(raw, LIMITS)
    else:
        assert body.entries(raw, LIMITS) == texts


@settings(max_examples=100)
@given(VALUES | st.fixed_dictionaries({"entries": st.dictionaries(st.text(max_size=6) | KEYS, VALUES, max_size=3)}))
def test_any_other_value_is_refused_or_holds_safe_keys_and_texts(value: Any) -> None:
    try:
        found = body.entries(json.dumps(value).encode(), LIMITS)
    except Refusal as refusal:
        assert refusal.status in (413, 422) and refusal.told["error"]
        assert json.loads(bytes(refusal.answer().body)) == json.loads(json.dumps(refusal.told))
    else:
        assert found and all(wire.unsafe_key(key) == "" and isinstance(text, str) for key, text in found.items())


@settings(max_examples=100)
@given(st.binary(max_size=60))
def test_any_bytes_are_refused_by_a_status(raw: bytes) -> None:
    with pytest.raises(Refusal) as caught:
        body.entries(raw, LIMITS)
    assert caught.value.status in (400, 422)


def test_ten_thousand_keys_are_refused_as_too_many() -> None:
    raw = json.dumps({"entries": {f"{n}.md": "" for n in range(10_000)}}).encode()
    with pytest.raises(Refusal, match="at most 2000") as caught:
        body.entries(raw, LIMITS)
    assert caught.value.status == 413


def test_keys_of_one_file_are_told_with_the_one_that_was_first() -> None:
    assert body.same_file(["a.md", "b.md", "A.md"]) == {"A.md": "a.md"}
    assert body.same_file(["A.md", "new.md"], ["a.md"]) == {"A.md": "a.md"}
    assert body.same_file(["a.md"], ["a.md", "b.md"]) == {}


def test_half_a_surrogate_pair_is_shown_as_an_escape() -> None:
    assert bytes(written('{"error":"\ud800"}').body) == b'{"error":"\\ud800"}'


@pytest.mark.parametrize(("given_name", "stored"), [
    ("acme/app", "acme/app"), ("Acme/App.JS", "acme/app.js"), ("group/sub/name", "group/sub/name"), ("acme", ""),
    ("acme/", ""), ("/app", ""), ("acme//app", ""), ("a/..", ""), ("./a", ""), ("acme/app\n", ""), ("acme/äpp", ""),
    ("acme/\u212a", ""), ("a b/c", ""), ("x" * 101 + "/a", ""), ("/".join(["x" * 100] * 3), ""), ("", ""),
])  # fmt: skip
def test_repositories_have_one_name_each(given_name: str, stored: str) -> None:
    assert tokens.repo_name(given_name) == stored


@pytest.mark.parametrize("name", ["", " ", "a" * 65, " alice", "alice ", "a\nb", "<b>", "a\u202eb", 'a"b', "a\0"])
def test_a_name_that_could_deceive_is_refused(name: str) -> None:
    assert tokens.wrong_person(name)


@pytest.mark.parametrize("name", ["alice", "Ana María O'Neil", "ana.maria@example.org", "李雷", "build-bot_2"])
def test_names_of_people_are_names(name: str) -> None:
    assert tokens.wrong_person(name) == ""


@settings(max_examples=40)
@given(st.text(max_size=80) | st.from_regex(tokens.FORM, fullmatch=True).map(lambda token: f"Bearer {token}"))
def test_an_authorization_is_a_token_or_nothing(header: str) -> None:
    id, secret = tokens.taken_apart(header)
    if id:
        assert header.split(None, 1)[1].strip() == f"mht_{id}_{secret}" and len(id) == 16 and len(secret) == 43
    else:
        assert secret == ""


def test_a_secret_is_stored_as_its_hash_only() -> None:
    stored = tokens.digest("secret")
    assert stored == "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b"
    assert tokens.matches("secret", stored) and not tokens.matches("Secret", stored) and not tokens.matches("", stored)


def test_a_bucket_empties_and_fills_again() -> None:
    now = [0.0]
    rate = Rate(Limits(rate=2, burst=3), lambda: now[0])
    assert [rate.wait("a") for _ in range(4)] == [0, 0, 0, 1]
    assert rate.wait("b") == 0
    now[0] = 0.5
    assert [rate.wait("a"), rate.wait("a")] == [0, 1]
    now[0] = 1_000
    assert [rate.wait("a") for _ in range(4)] == [0, 0, 0, 1]


def test_what_is_to_be_waited_is_enough() -> None:
    now = [0.0]
    rate = Rate(Limits(rate=0.1, burst=1), lambda: now[0])
    assert rate.wait("a") == 0
    now[0] += rate.wait("a")
    assert now[0] == 10 and rate.wait("a") == 0


def test_no_rate_is_no_limit() -> None:
    rate = Rate(Limits(rate=0, burst=1), lambda: 0.0)
    assert [rate.wait("a") for _ in range(5)] == [0] * 5


def test_a_log_line_has_no_place_for_a_strangers_words() -> None:
    assert line("GET", {"repo": "a/b", "who": "alice"}, 200, 5, 1.25).split(" ")[1:] == [
        "GET", "a/b", "200", "5B", "1.2ms", "alice\n"
    ]  # fmt: skip
    assert line("X\nY", {}, 400, 0, 0).split(" ")[1:] == ["-", "-", "400", "0B", "0.0ms", "-\n"]


def test_checksums_are_the_contracts() -> None:
    one, two = wire.checksum("x"), wire.checksum("é")
    assert one == "sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    expected = wire.checksum(f"a.md\0{one[7:]}\nb/c.md\0{two[7:]}\n")
    assert wire.overall({"b/c.md": two, "a.md": one}) == expected
    assert wire.overall({}) == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
