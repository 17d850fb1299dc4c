from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.setup import json_edit
from lib.setup.json_edit import Style, style_of
from lib.setup.json_spans import parse

NEW = {"hooks": [{"type": "command"}]}


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ('{\n  "a": 1\n}', Style("\n", "  ")),
        ('{\n\t"a": 1\n}', Style("\n", "\t")),
        ('{\r\n    "a":1\r\n}', Style("\r\n", "    ", colon=":")),
        ('{\n"a": 1\n}', Style("\n", "")),
        ('{"a":1}', Style("", "", ",", ":")),
        ('{"a": 1}', Style("", "", ", ", ": ")),
        ("{}", Style("\n", "  ")),
        ("{}\r\n", Style("\r\n", "  ")),
    ],
)
def test_the_owner_s_layout_is_seen(text: str, style: Style) -> None:
    assert style_of(text) == style


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '{\n  "a": 1\n}\n',
            '{\n  "a": 1,\n  "n": {\n    "hooks": [\n      {\n        "type": "command"\n      }\n    ]\n  }\n}\n',
        ),
        (
            '{\r\n\t"a": 1\r\n}',
            '{\r\n\t"a": 1,\r\n\t"n": {\r\n\t\t"hooks": [\r\n\t\t\t{\r\n\t\t\t\t"type": "command"\r\n'
            "\t\t\t}\r\n\t\t]\r\n\t}\r\n}",
        ),
        ('{"a":1}', '{"a":1,"n":{"hooks":[{"type":"command"}]}}'),
        ('{ "a": 1 }', '{ "a": 1, "n": {"hooks": [{"type": "command"}]} }'),
        ('{"a": 1,\n "b": 2}', '{"a": 1,\n "b": 2,\n "n": {"hooks": [{"type": "command"}]}}'),
    ],
)
def test_a_member_is_appended_in_the_owner_s_layout(text: str, expected: str) -> None:
    assert json_edit.appended(text, parse(text), "n", NEW) == expected


def test_an_element_takes_the_indentation_of_its_neighbour() -> None:
    text = '{\n  "a": [\n    1,\n\n    2\n  ]\n}'
    array = parse(text).get("a")
    assert array is not None
    assert json_edit.appended(text, array, "", [3]) == '{\n  "a": [\n    1,\n\n    2,\n    [\n      3\n    ]\n  ]\n}'


def test_an_empty_container_is_replaced_at_its_own_indentation() -> None:
    text = '{\n  "a": { },\n  "b": 1\n}'
    node = parse(text).get("a")
    assert node is not None
    assert json_edit.replaced(text, node, {"x": [1]}) == '{\n  "a": {\n    "x": [\n      1\n    ]\n  },\n  "b": 1\n}'


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        ("[1, 2 , 3]", 0, "[2 , 3]"),
        ("[1, 2 , 3]", 1, "[1 , 3]"),
        ("[1, 2 , 3]", 2, "[1, 2]"),
        ("[ 1 ]", 0, "[]"),
        ('{\n "a": 1,\n "b": 2\n}', 1, '{\n "a": 1\n}'),
        ('{\n "a": 1,\n "b": 2\n}', 0, '{\n "b": 2\n}'),
    ],
)
def test_a_child_goes_with_its_comma(text: str, at: int, expected: str) -> None:
    assert json_edit.without(text, parse(text), at) == expected


SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=6)
SPACE = st.text(st.sampled_from(" \t\n\r"), max_size=4)


@st.composite
def loose_container(draw: st.DrawFn) -> str:
    """An object or array with at least one child, blanks thrown in wherever JSON allows them."""
    children = [draw(SPACE) + json.dumps(draw(SCALARS)) + draw(SPACE) for _ in range(draw(st.integers(1, 4)))]
    if draw(st.booleans()):
        return "[" + ",".join(children) + "]"
    return "{" + ",".join(f'{draw(SPACE)}"{i}"{draw(SPACE)}:{child}' for i, child in enumerate(children)) + "}"


@given(loose_container(), st.integers(1, 3))
def test_children_appended_and_removed_leave_the_same_text(text: str, count: int) -> None:
    outer = f'{{ "outer" :{text}\n}}\n'
    longer = outer
    for number in range(count):
        node = parse(longer).get("outer")
        assert node is not None
        longer = json_edit.appended(longer, node, f"new{number}", {"n": [number]})
    had = json.loads(outer)["outer"]
    has = json.loads(longer)["outer"]
    added = [{"n": [number]} for number in range(count)]
    assert has == ([*had, *added] if isinstance(had, list) else {**had, **{f"new{i}": v for i, v in enumerate(added)}})
    for _ in range(count):
        node = parse(longer).get("outer")
        assert node is not None
        longer = json_edit.without(longer, node, len(had))
    assert longer == outer


@given(
    st.recursive(
        SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    st.sampled_from([Style(), Style("\r\n", "\t"), Style("", "", ",", ":"), Style("\n", "")]),
)
def test_rendered_text_reads_back_as_the_value(value: object, style: Style) -> None:
    assert json.loads(json_edit.rendered(value, style, "  ")) == value


def test_default_layout_is_that_of_the_standard_writer() -> None:
    value = {"a": [1, {"b": None}], "c": {}, "d": []}
    assert json_edit.rendered(value, Style()) == json.dumps(value, indent=2)
