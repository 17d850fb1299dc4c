from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.setup.json_spans import DEEPEST, Node, NotJson, parse

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)


def value_of(node: Node) -> object:
    if node.kind == "object":
        return {member.key: value_of(member.value) for member in node.members}
    if node.kind == "array":
        return [value_of(item) for item in node.items]
    return node.scalar


def each(node: Node) -> list[Node]:
    inner = [member.value for member in node.members] + node.items
    return [node, *(deeper for child in inner for deeper in each(child))]


@given(VALUES, st.sampled_from([None, 2, "\t"]), st.sampled_from([(",", ":"), (", ", ": ")]), st.booleans())
def test_every_node_s_span_is_its_own_json(
    value: object, indent: int | str | None, separators: tuple[str, str], ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, separators=separators, ensure_ascii=ascii_only)
    root = parse(f" \n{text}\r\n")
    assert value_of(root) == value
    for node in each(root):
        assert json.loads(f" \n{text}\r\n"[node.start : node.end]) == value_of(node)


@given(st.text(st.sampled_from('{}[]",:\\ntrue01.-e/#*\n '), max_size=30))
def test_it_takes_what_the_standard_reader_takes_and_nothing_else(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(NotJson):
            parse(text)
    else:
        assert value_of(parse(text)) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1,}', 'line 1, column 8: a comma before "}", which JSON does not allow'),
        ('{"a": [1,\n]}', 'line 1, column 9: a comma before "]", which JSON does not allow'),
        ("{\n  // mine\n}", "line 2, column 3: a comment, which JSON does not allow"),
        ('{"a": /* mine */ 1}', "line 1, column 7: a comment, which JSON does not allow"),
        ('{"a" 1}', "line 1, column 6: '1' where \":\" should be"),
        ('{"a": 1 "b": 2}', 'line 1, column 9: \'"\' where "," or "}" should be'),
        ("{'a': 1}", 'line 1, column 2: "\'" where a key in double quotes should be'),
        ('{"a": yes}', "line 1, column 7: 'y' where a value should be"),
        ('{"a": NaN}', "line 1, column 7: 'N' where a value should be"),
        ('{"a": 01}', 'line 1, column 8: \'1\' where "," or "}" should be'),
        ('{"a": "b\n"}', "line 1, column 9: Invalid control character"),
        ('{"a": "b', "line 1, column 7: Unterminated string starting"),
        ('{"a": "\\x"}', "line 1, column 8: Invalid \\escape"),
        ('{\r\n"ü": [}', "line 2, column 7: '}' where a value should be"),
        ("{} {}", "line 1, column 4: text goes on after the end of the JSON value"),
        ("", "line 1, column 1: the end of the file where a value should be"),
        ("[" * 100_000, f"line 1, column {DEEPEST + 2}: nested deeper than {DEEPEST} levels"),
    ],
)
def test_the_error_names_line_column_and_fault(text: str, said: str) -> None:
    with pytest.raises(NotJson) as caught:
        parse(text)
    assert str(caught.value) == said


def test_a_doubled_key_reads_as_its_last_value_and_both_are_seen() -> None:
    root = parse('{"a": 1, "a": "x"}')
    assert root.text("a") == "x"
    assert [member.value.scalar for member in root.members] == [1, "x"]


def test_a_number_too_long_for_int_is_still_a_number() -> None:
    assert parse("9" * 5000).kind == "number"


@pytest.mark.parametrize(
    ("text", "empty"), [("{}", True), ("[ ]", True), ("null", True), ("false", False), ('""', False), ("[null]", False)]
)
def test_empty_means_that_nothing_is_lost_with_it(text: str, empty: bool) -> None:
    assert parse(text).empty is empty
