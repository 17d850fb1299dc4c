"""Frontmatter: every file readable, every value text, the body never touched, the two readers of one mind."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.memory import frontmatter
from lib.memory.frontmatter import dump, head, parse, split

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("text", "block", "body"),
    [
        ("---\nname: a\n---\nbody\n", "name: a\n", "body\n"),
        ("---\nname: a\n---", "name: a\n", ""),
        ("---\r\nname: a\r\n---\r\nbody\r\n", "name: a\r\n", "body\r\n"),
        ("\ufeff---\r\nname: a\r\n---\r\nbody", "name: a\r\n", "body"),
        ("---\n---\n", "", ""),
        ("---\n---", "", ""),
        ("---\nname: a\n---\none\n---\ntwo\n", "name: a\n", "one\n---\ntwo\n"),
        ("---\nname: a\n---\n---\nname: b\n---\n", "name: a\n", "---\nname: b\n---\n"),
        ("---\ndescription: x --- y\n---\n", "description: x --- y\n", ""),
        ("---\nnote: |\n  ---\n---\n", "note: |\n  ---\n", ""),
        ("---\nname: a\n----\n--- \n---\n", "name: a\n----\n--- \n", ""),
        ("---\nname: a\u2028---\u2028\n---\nb", "name: a\u2028---\u2028\n", "b"),
    ],
)
def test_a_fence_is_a_line_of_exactly_three_dashes(text: str, block: str, body: str) -> None:
    assert split(text) == (block, body)


@pytest.mark.parametrize(
    "text",
    ["", "---", "---\n", "----\nname: a\n---\n", "---\nname: a\n", "--- \nname: a\n---\n", "\n---\nname: a\n---\n",
     "# A heading\n\n---\n\ntext", " ---\nname: a\n---\n", "---\nname: a\n--- #\n",
     "---\n" + "a: b\n" * 5_000 + "---\n"],
)  # fmt: skip
def test_without_a_closed_block_at_the_top_all_is_body(text: str) -> None:
    assert split(text) == (None, text)
    assert (parse(text).fields, parse(text).body, head(text)) == ({}, text, {})
    assert parse(text).problem.startswith("no frontmatter")


@pytest.mark.parametrize(
    ("block", "fields"),
    [
        ("name: a\ndescription: Use tabs: never spaces\n", {"name": "a", "description": "Use tabs: never spaces"}),
        ("description: @team decides\n", {"description": "@team decides"}),
        ("description: `make` builds it\n", {"description": "`make` builds it"}),
        ("description: %x is a format\n", {"description": "%x is a format"}),
        ("description: *x is a pointer\n", {"description": "*x is a pointer"}),
        ("description: [draft\n", {"description": "[draft"}),
        ("description: x #y\n", {"description": "x #y"}),
        ("description: use #!/bin/sh\n", {"description": "use #!/bin/sh"}),
        ("description: -x: y: z\n", {"description": "-x: y: z"}),
        ("description: & and | and >\n", {"description": "& and | and >"}),
        ("description: '[a]' and \"b\"\n", {"description": "'[a]' and \"b\""}),
        (
            "name: a\nmetadata:\n  type: user\n  note: one: two\n",
            {"name": "a", "metadata.type": "user", "metadata.note": "one: two"},
        ),
    ],
)
def test_a_plain_value_that_yaml_refuses_means_what_it_says(block: str, fields: dict[str, str]) -> None:
    text = f"---\n{block}---\nbody\n"
    assert head(text) == fields
    document = parse(text)
    for key, value in fields.items():
        outer, _, inner = key.partition(".")
        assert (document.fields[outer][inner] if inner else document.fields[outer]) == value
    assert document.body == "body\n"


@pytest.mark.parametrize(
    "block",
    [
        "description: a: b\n",
        "description: @x\n",
        "a: [\n",
        "\tx: y\n",
        "a: b\n c: d\n",
        "- a\n- b\n",
        "only text\n",
        '"a\n',
    ],
)
def test_a_block_that_yaml_refuses_is_reported(block: str) -> None:
    assert parse(f"---\n{block}---\n").problem


def test_the_report_names_the_line_in_the_file() -> None:
    assert parse("---\nname: a\ndescription: b: c\n---\n").problem == "not YAML (line 3): quote the value"


@pytest.mark.parametrize(
    ("value", "text"),
    [("2026-05-18", None), ("2026-99-99", None), ("no", None), ("12:30:45", None), ("017", None), ("~", None),
     ("null", None), ("0x1F", None),
     ("1e3", None), (".inf", None), ("yes", None), ("''", ""), ('""', ""), ("'it''s'", "it's"),
     ('"a\\tb\\u00e9"', "a\tb\u00e9"), ('"a" # why', "a"), ("'a' # why", "a"), ("<<", None), ("=", None)],
)  # fmt: skip
def test_every_scalar_is_text(value: str, text: str | None) -> None:
    expected = value if text is None else text
    document = parse(f"---\nname: {value}\nmetadata:\n  type: {value}\n---\n")
    assert (document.fields, document.problem) == ({"name": expected, "metadata": {"type": expected}}, "")
    found = head(f"---\nname: {value}\nmetadata:\n  type: {value}\n---\n")
    assert (found["name"], found.get("metadata.type", "")) == (expected, expected)


@pytest.mark.parametrize(
    "line", ["type: user # which", "type: user   # one of four", "type: user #", "type: 'user' # x"]
)
def test_a_comment_behind_a_word_is_a_comment(line: str) -> None:
    for text in (f"---\n{line}\n---\n", f"---\nmetadata: # ours\n  {line}\n---\n"):
        found, document = head(text), parse(text).fields
        assert found.get("type", found.get("metadata.type")) == "user"
        assert document.get("type", document.get("metadata", {}).get("type")) == "user"


@pytest.mark.parametrize("style", ["|", ">", "|-", ">-", "|+", ">+", "|2", "> # folded"])
def test_a_block_scalar_is_one_value_whatever_its_lines_look_like(style: str) -> None:
    lines = "  Note: use tabs\n  # not a comment\n  - never spaces\n\n  type: user\n"
    text = f"---\nname: a\ndescription: {style}\n{lines}type: user\n---\n"
    whole = "Note: use tabs # not a comment - never spaces type: user"
    assert head(text) == {"name": "a", "description": whole, "type": "user"}
    assert " ".join(parse(text).fields["description"].split()) == whole


def test_a_value_over_several_lines_is_joined() -> None:
    text = "---\ndescription: use tabs\n  and never spaces\nname: a\n---\n"
    assert head(text) == {"description": "use tabs and never spaces", "name": "a"} == parse(text).fields


def test_lists_and_deeper_levels_do_not_become_fields_of_their_own() -> None:
    inner = "metadata:\n  source:\n    type: project\n    name: b\n  type: user\n"
    text = f"---\nname: a\ntags:\n  - x: y\n  - z\n{inner}---\n"
    found = head(text)
    assert (found["name"], found["metadata.type"]) == ("a", "user")
    assert "type" not in found
    assert parse(text).fields["tags"] == [{"x": "y"}, "z"]


def test_of_a_key_that_stands_twice_both_readers_take_the_last() -> None:
    text = "---\nname: a\ntype: user\nname: b\ntype: project\n---\n"
    assert head(text) == {"name": "b", "type": "project"} == parse(text).fields


def alias_bomb() -> str:
    rows = ['a: &a ["x"]']
    for name, before in zip("bcdefghij", "abcdefghi", strict=True):
        rows.append(f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]")
    return "\n".join(rows) + "\n"


HOSTILE = {
    "alias bomb": alias_bomb(),
    "recursive alias": "a: &a [*a]\n",
    "merge": "a: &a {b: c}\nd:\n  <<: *a\n",
    "python object": '!!python/object/apply:os.system ["touch harmed"]\n',
    "python value": 'a: !!python/object/apply:os.system ["touch harmed"]\n',
    "own tag": "a: !x y\n",
    "tag on a key": "!!str a: b\n",
    "deep lists": "a: " + "[" * 3_000 + "\n",
    "deep closed lists": "a: " + "[" * 3_000 + "]" * 3_000 + "\n",
    "deep mappings": "a: " + "{a: " * 3_000 + "}" * 3_000 + "\n",
    "deep indentation": "".join(" " * n + "a:\n" for n in range(150)),
    "half deep": "a: " + "[" * 200 + "]" * 200 + "\n",
    "many questions": "? " * 5_000 + "\n",
    "list as key": "[a]: b\n",
    "mapping as key": "a:\n  ? {b: c}\n  : d\n",
    "two documents": "a: b\n...\nc: d\n",
    "directive": "%YAML 9.9\n",
    "control characters": "a: \x00\x1b[2J\n",
    "surrogate": "a: \ud800\n",
    "unclosed quote": 'a: "' + "x" * 10_000 + "\n",
    "bad escape": 'a: "\\q"\nb: "\\ud800"\n',
    "tabs": "a:\n\t- b\n",
    "a character beyond all": 'a: "\\U00110000"\n',
    "a character beyond every number": 'a: "\\UFFFFFFFF"\n',
    "a version of 5,000 digits": "%YAML " + "9" * 5_000 + ".1\n",
}


@pytest.mark.parametrize("block", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_block_is_reported_and_harms_nothing(block: str, tmp_path: Path) -> None:
    text = f"---\n{block}---\nthe body\n"
    document = parse(text)
    assert document.problem
    assert document.body == "the body\n"
    assert all(isinstance(value, (str, dict)) for value in document.fields.values())
    assert parse(dump(document.fields, document.body)).body == "the body\n"
    assert all(isinstance(value, str) for value in head(text).values())
    assert not (tmp_path / "harmed").exists()


def test_an_anchor_that_nobody_uses_is_no_fault_of_the_reader() -> None:
    assert parse("---\na: &x b\n---\n").fields == {"a": "b"}


def test_a_surrogate_written_as_an_escape_can_still_be_stored() -> None:
    text = '---\nname: "\\ud83d"\nmetadata:\n  type: "\\udc00"\ntags: ["\\ud800"]\n---\n'
    assert head(text)["name"] == "\ufffd"
    assert parse(text).fields == {"name": "\ufffd", "metadata": {"type": "\ufffd"}, "tags": ["\ufffd"]}


def test_without_a_yaml_library_the_plain_fields_are_read_and_the_lack_is_named() -> None:
    code = (
        "from lib.memory.frontmatter import parse\n"
        "d = parse('---\\nname: a\\nmetadata:\\n  type: user\\n---\\nb')\n"
        "print(d.fields, d.body, d.problem)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"],
        capture_output=True, text=True, timeout=30,
    )  # fmt: skip
    expected = "{'name': 'a', 'metadata': {'type': 'user'}} b read line by line: PyYAML is not installed\n"
    assert (done.stdout, done.stderr) == (expected, "")


def test_the_writer_quotes_every_scalar() -> None:
    fields = {
        "name": "no",
        "description": 'a "b": #c\n',
        "metadata": {"type": "user", "n": "1"},
        "tags": ["x", "y"],
        "e": {},
        "l": [],
    }
    assert dump(fields, "\nbody\n") == (
        '---\nname: "no"\ndescription: "a \\"b\\": #c\\n"\nmetadata:\n  type: "user"\n  n: "1"\n'
        'tags: ["x", "y"]\ne: {}\nl: []\n---\n\nbody\n'
    )


def test_the_writer_keeps_the_files_line_ends() -> None:
    assert dump({"name": "a"}, "one\r\n", "\r\n") == '---\r\nname: "a"\r\n---\r\none\r\n'
    for text in (
        "---\r\nname: a\r\n---\r\nb",
        "\ufeff---\r\nname: a\r\n---\r\nb",
        "---\r\n---\r\n",
        "\ufeff---\r\n---\r\n",
    ):
        assert parse(text).newline == "\r\n"
    assert parse("---\nname: a\n---\nb\r\n").newline == "\n"


def test_unknown_keys_of_any_shape_survive_a_rewrite() -> None:
    hooks = "hooks:\n  - name: x\n    on: [a, {b: c}]\n  - plain\n"
    text = f"---\n{hooks}metadata:\n  type: user\n  deep: {{a: [1, 2]}}\n---\nbody"
    document = parse(text)
    assert document.fields["hooks"] == [{"name": "x", "on": ["a", {"b": "c"}]}, "plain"]
    again = parse(dump(document.fields, document.body, document.newline))
    assert (again.fields, again.body, again.problem) == (document.fields, document.body, "")


KEY = st.text(st.characters(codec="utf-8"), min_size=1, max_size=10) | st.sampled_from(
    ["name", "a_b", "-", "---", "on", "1"]
)
VALUE = st.text(st.characters(codec="utf-8"), max_size=20) | st.sampled_from(
    ["---", "a: b", "\x85", "\ufeff", "#", "'", "\\", "\x80"]
)
FIELDS: st.SearchStrategy[dict[str, Any]] = st.dictionaries(
    KEY,
    st.recursive(
        VALUE, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEY, inner, max_size=3), max_leaves=6
    ),
    max_size=5,
)
BODY = st.text(st.characters(codec="utf-8") | st.sampled_from("\r\n-# "), max_size=40)


@given(FIELDS, BODY, st.sampled_from(["\n", "\r\n"]))
def test_what_was_written_is_read_back_and_the_body_is_the_same(
    fields: dict[str, Any], body: str, newline: str
) -> None:
    text = dump(fields, body, newline)
    document = parse(text)
    assert (document.fields, document.body, document.problem, document.newline) == (fields, body, "", newline)
    assert split(text)[1] == body
    assert dump(document.fields, document.body, document.newline) == text


@given(
    st.fixed_dictionaries({"name": VALUE, "description": VALUE, "type": VALUE}),
    st.dictionaries(st.sampled_from("abc"), VALUE),
)
def test_the_cheap_reader_agrees_with_yaml_on_what_was_written(fields: dict[str, str], inner: dict[str, str]) -> None:
    text = dump({**fields, "metadata": {"type": fields["type"], **inner}}, "")
    found = head(text)
    assert {key: found[key] for key in fields} == fields
    assert {key: found.get(f"metadata.{key}", "") for key in inner} == inner
    assert found.get("metadata.type", "") == fields["type"]


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("metadata: {type: user}", {"metadata.type": "user"}),
        ("metadata: { type: user , said_by: user }", {"metadata.type": "user", "metadata.said_by": "user"}),
        ("metadata: {type: 'user', note: \"it's\"}", {}),
        ("metadata: {\"type\": \"user\"} # ours", {"metadata.type": "user"}),
        ("metadata: {type:}", {"metadata.type": ""}),
        ("metadata: {}", {}),
    ],
)
def test_a_mapping_in_braces_is_read_like_the_same_in_lines(line: str, fields: dict[str, str]) -> None:
    text = f"---\nname: a\n{line}\n---\n"
    found = head(text)
    found.pop("metadata", None)
    assert found == {"name": "a", **fields}
    whole = parse(text).fields.get("metadata") or {}
    assert all(whole[key.partition(".")[2]] == value for key, value in fields.items())


@pytest.mark.parametrize(
    "line",
    ["metadata: {type: user", "metadata: {a: {type: user}}", 'metadata: {a: "x, type: user"}', "metadata: {user}"],
)
def test_what_is_nested_torn_or_quoted_in_braces_is_no_field(line: str) -> None:
    assert head(f"---\nname: a\n{line}\n---\n").get("metadata.type") is None
    assert head("---\nname: a\ndescription: {type: user}\n---\n")["description"] == "{type: user}"


WORD = st.text(st.sampled_from("abcZ09_-./()'é日 "), min_size=1, max_size=16).filter(
    lambda s: s.strip() == s and s[0].isalnum()
)


@given(
    WORD,
    WORD,
    WORD,
    st.sampled_from(["{}", "'{}'", '"{}"', "{} # why"]),
    st.booleans(),
    st.sampled_from(["\n", "\r\n"]),
)
def test_the_cheap_reader_agrees_with_yaml_on_plain_yaml(
    name: str, description: str, kind: str, form: str, nested: bool, newline: str
) -> None:
    quoted = [form.format(value.replace("'", "''") if form[0] == "'" else value) for value in (name, kind)]
    rows = ["---", f"name: {quoted[0]}", f"description: {description}"]
    rows += ["metadata:", f"  type: {quoted[1]}"] if nested else [f"type: {quoted[1]}"]
    text = newline.join([*rows, "---", ""])
    document, found = parse(text), head(text)
    assert document.problem == ""
    assert (document.fields["name"], document.fields["description"]) == (name, description)
    assert (found["name"], found["description"]) == (name, description)
    assert found["metadata.type" if nested else "type"] == kind
    assert (document.fields["metadata"] if nested else document.fields)["type"] == kind


LINE = st.sampled_from(
    [
        "name: a",
        "name:",
        " name: b",
        "  type: user",
        "metadata:",
        "- x",
        "  - y: z",
        "\t",
        "# c",
        "a: |",
        "a: >-",
        "'",
        '"',
        "---",
        "x",
    ]
) | st.text(max_size=8)


@given(st.lists(LINE, max_size=8), st.sampled_from(["\n", "\r\n", "\n\n"]))
def test_no_text_raises_and_the_body_is_always_the_end_of_the_text(lines: list[str], newline: str) -> None:
    text = newline.join(["---", *lines, "---", "body"])
    document = parse(text)
    assert text.endswith(document.body)
    json.dumps(document.fields)
    for key, value in head(text).items():
        assert isinstance(key, str) and value.encode() is not None
    assert parse(frontmatter.dump(document.fields, document.body)).body == document.body
