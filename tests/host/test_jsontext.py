"""The same values and the same text as the json package, with and without its C parts."""
from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.host import jsontext

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@pytest.fixture(params=["with the C parts", "without them"], autouse=True)
def parts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "without them":
        monkeypatch.setattr(jsontext, "_c", None)


@given(VALUES, st.booleans(), st.booleans())
def test_values_are_written_as_json_writes_them(value: object, ascii_only: bool, compact: bool) -> None:
    separators = (",", ":") if compact else (", ", ": ")
    expected = json.dumps(value, ensure_ascii=ascii_only, separators=separators)
    assert jsontext.dumps(value, ascii_only=ascii_only, compact=compact) == expected


@given(VALUES, st.sampled_from(["", " ", "\n\t\r "]))
def test_what_json_wrote_is_read_back(value: object, space: str) -> None:
    text = space + json.dumps(value) + space
    assert jsontext.loads(text) == value
    assert jsontext.loads(text.encode()) == value


@given(st.text(alphabet='{}[]",:0123456789.eE+-truefalsn \\u', max_size=20))
def test_what_json_refuses_is_a_value_error(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(ValueError):
            jsontext.loads(text)
    else:
        assert jsontext.loads(text) == expected


@pytest.mark.parametrize("text", ["", " ", "{", "{} {}", "[1,]", "nul", '{"a":}', '"\x01"', "9" * 5000, "\u00a0{}"])
def test_damage_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):
        jsontext.loads(text)


def test_nesting_that_is_too_deep_is_a_recursion_error() -> None:
    with pytest.raises(RecursionError):
        jsontext.loads("[" * 100_000)


def test_values_on_one_line_are_read_one_by_one() -> None:
    assert jsontext.decode('{"a": 1}[2]', 0) == ({"a": 1}, 8)
    assert jsontext.decode('{"a": 1}[2]', 8) == ([2], 11)


def test_control_characters_are_read_when_asked_for() -> None:
    assert jsontext.loads('"a\tb"', strict=False) == "a\tb"
    with pytest.raises(ValueError):
        jsontext.loads('"a\tb"')


def test_what_json_does_not_have_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        jsontext.dumps({"a": {1, 2}})
