"""A text folded, joined and decoded still knows where each character came from."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.memory.secrets import entropy
from lib.memory.secrets import text as secret_text
from tests.memory.secrets_samples import made


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("plain text\n", "plain text\n"),
        ("a\u200bb\u00adc\0d\x7fe\ufeff", "abcde"),
        ("ＡＢ１：＝", "AB1:="),
        ("ﬁx ﷺ é 漢", "fix \x7f \x7f \x7f"),
        ("a\u2028b\x0bc\x85d", "a\nb\nc\nd"),
        ("e\u0301\u00a0x", "e x"),
        ("\ud800\U0010ffff\U0001f600", "\x7f\x7f\x7f"),
        ("пароль 密码 パスワード", "passwd pw pw\x7f\x7f\x7f"),
        ("\x1b[31mred", "\x1b[31mred"),
    ],
)
def test_folding_keeps_what_a_reader_sees(text: str, shape: str) -> None:
    assert secret_text.fold(text)[0] == shape


@given(st.text() | st.text("a\u200b\u00adﬁ①é\0漢ｇ", max_size=40))
def test_each_folded_character_comes_from_the_place_it_is_said_to(text: str) -> None:
    shape, uneven = secret_text.fold(text)
    offsets = secret_text.unfold(text, uneven)
    places = [offsets(index) for index in range(len(shape))]
    assert shape.isascii() and places == sorted(places)
    for char, place in zip(shape, places, strict=True):
        assert char in secret_text.fold(text[place])[0]


def test_very_many_kinds_of_characters_fold_as_few_do() -> None:
    text = "".join(chr(code) for code in range(0x80, 0x1FFFF) if not 0xD800 <= code < 0xE000) + "ｇ\u200bx"
    shape, uneven = secret_text.fold(text)
    assert shape.endswith("gx") and shape.isascii()
    assert secret_text.unfold(text, uneven)(len(shape) - 2) == len(text) - 3


@given(
    st.lists(st.sampled_from(["ab", '"', "'", " + ", "\n", "  ", ",", "\\\n", "\x1b[0m", "c-d"]), max_size=30).map(
        "".join
    )
)
def test_each_joined_character_comes_from_the_place_it_is_said_to(shape: str) -> None:
    joined, joints = secret_text.join(shape), secret_text.Joints(shape)
    assert [shape[joints.offset(index)] for index in range(len(joined))] == list(joined)
    assert joints.places() == sorted(joints.places())


def test_only_quoted_pieces_of_one_value_are_glued() -> None:
    for shape, glued in (('"ab" + "cd"', True), ('"ab", "cd"', False), ("ab\ncd", False), ('"ab"\n"cd"', True)):
        joints = secret_text.Joints(shape)
        place = joints.places()[0]
        assert joints.glues(place - 1, place + 1) is glued
        assert joints.glues(place - 1, place) is False


def test_base64_is_decoded_once_with_its_span() -> None:
    one, two = (
        base64.b64encode(b"first secret text!").decode(),
        base64.urlsafe_b64encode(b"?>?>second text here").decode(),
    )
    shape = f"a {one} b {two.rstrip('=')} shortZm9v"
    text, starts, spans = secret_text.decoded(shape)
    assert text == "first secret text!\n?>?>second text here"
    assert starts == [0, 19]
    assert [shape[start:end] for start, end in spans] == [one, two.rstrip("=")]


@given(st.text("AZaz09+/-_=", min_size=0, max_size=200))
def test_anything_of_that_alphabet_decodes_to_ascii(shape: str) -> None:
    text, starts, spans = secret_text.decoded(shape)
    assert text.isascii() and "\0" not in text and len(starts) == len(spans)


@pytest.mark.parametrize(
    "text", ["correct-horse-battery", "getUserToken2", "MY_API_KEY", "oauth2Client", "v2.example.word"]
)
def test_words_and_names_are_wordy(text: str) -> None:
    assert entropy.wordy(text)


@pytest.mark.parametrize("template", ["{A20}", "{h32}", "{l24}", "{W40}", "{B40}"])
def test_chance_is_not_wordy_and_has_more_entropy_than_a_word(template: str) -> None:
    for seed in range(50):
        value = made(template, seed)
        assert not entropy.wordy(value)
        assert entropy.bits(value) > entropy.bits("aaaabbbb") == 1.0


def test_placeholders_are_fake_and_chance_is_not() -> None:
    for text in (
        "x" * 20,
        "<token>",
        "your-key-here",
        "AKIA" + "EXAMPLE",
        "****",
        "0" * 32,
        "${KEY}",
        "abc...xyz",
        "-" * 9,
    ):
        assert entropy.fake(text)
    assert not any(entropy.fake(made("{A36}", seed)) for seed in range(50))


def test_a_documented_key_is_known_by_its_hash_alone() -> None:
    assert entropy.documented("AKIA" + "IOSFODNN7EXAMPLE")
    assert entropy.documented("ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a")
    assert not entropy.documented("AKIA" + "IOSFODNN7EXAMPLF")
