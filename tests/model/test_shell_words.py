"""A command line cut into words, the way bash would cut it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lib.model.scope import Denied
from lib.model.shell.words import MAX_TEXT, Operator, Pattern, Redirection, Token, Word, split


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ls -la", ["ls", "-la"]),
        ("  ls\t-l \n", ["ls", "-l"]),
        ("cat 'a b' \"c d\" e\\ f", ["cat", "a b", "c d", "e f"]),
        ("echo ''", ["echo", ""]),
        ("echo a'b'\"c\"d", ["echo", "abcd"]),
        ("echo '$(x) `y` \\'", ["echo", "$(x) `y` \\"]),
        ('grep "price \\$5"', ["grep", "price $5"]),
        ('grep "foo$"', ["grep", "foo$"]),
        ('grep "(a|b)$|c$"', ["grep", "(a|b)$|c$"]),
        ('echo "a\\"b\\\\c\\d\\`"', ["echo", 'a"b\\c\\d`']),
        ('echo "a & b; c | d > e # f"', ["echo", "a & b; c | d > e # f"]),
        ("find . \\( -name a \\) ! -name b", ["find", ".", "(", "-name", "a", ")", "!", "-name", "b"]),
        ("echo a#b a=~ b~ a:b +x ,", ["echo", "a#b", "a=~", "b~", "a:b", "+x", ","]),
        ("grep 日本", ["grep", "日本"]),
        ("echo \\a\\'\\|\\;\\#", ["echo", "a'|;#"]),
    ],
)
def test_quotes_are_removed_as_bash_removes_them(text: str, words: list[str]) -> None:
    assert split(text) == [Word(word) for word in words]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("a|b", [Word("a"), Operator("|"), Word("b")]),
        ("a&&b||c;d", [Word("a"), Operator("&&"), Word("b"), Operator("||"), Word("c"), Operator(";"), Word("d")]),
        ("a 2>/dev/null", [Word("a"), Redirection("2>/dev/null")]),
        ("a >  /dev/null|b", [Word("a"), Redirection(">/dev/null"), Operator("|"), Word("b")]),
        ("a 2>&1;b", [Word("a"), Redirection("2>&1"), Operator(";"), Word("b")]),
        ("a x2>/dev/null", [Word("a"), Word("x2"), Redirection(">/dev/null")]),
        ("a '2'>/dev/null", [Word("a"), Word("2"), Redirection(">/dev/null")]),
    ],
)
def test_operators_and_the_three_redirections_are_told_apart(text: str, tokens: list[Token]) -> None:
    assert split(text) == tokens


def test_a_word_with_unquoted_glob_characters_keeps_what_was_quoted() -> None:
    tokens = split("ls *'*'\\?[a]")
    assert isinstance(tokens, list) and isinstance(tokens[1], Word)
    pattern = tokens[1].text
    assert isinstance(pattern, Pattern)
    assert (str(pattern), pattern.glob) == ("**?[a]", "*\\*\\?[a]")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n",
        "x" * (MAX_TEXT + 1),
        None,
        5,
        ["ls"],
        b"ls",
        "ls\nx",
        "ls\rx",
        "ls\0",
        "ls\x1b",
        "ls\u200b",
        "ls\u202e",
        "ls\u00a0-l",
        "ls\u2028x",
        "\ud800",
        "ls\ufeff",
        "'",
        '"',
        "a 'b",
        'a "b',
        "a \\",
        'a "b\\"',
        "$x",
        "a$",
        "${x}",
        "$(x)",
        "$((1))",
        "`x`",
        '"$x"',
        '"${x}"',
        '"$(x)"',
        '"`x`"',
        "\"$'x'\"",
        "$'x'",
        '$"x"',
        '"$1"',
        '"$@"',
        '"$?"',
        '"$!"',
        '"$$"',
        '"$-"',
        '"$_"',
        '"$\\"',
        "~",
        "~/x",
        "~root",
        "ls ~",
        "{a,b}",
        "a{1..3}",
        "a}",
        "#x",
        "ls #x",
        "a & b",
        "a &",
        "&a",
        "a |& b",
        "(a)",
        "a (b",
        "a) b",
        "a &>/dev/null",
        "a &>>x",
        "a > x",
        "a >x",
        "a >> x",
        "a 1> x",
        "a 2> x",
        "a 2>>x",
        "a < x",
        "a <x",
        "a << x",
        "a <<< x",
        "a <> x",
        "a <(b)",
        "a >(b)",
        "a >| x",
        "a >& x",
        "a >&2",
        "a 1>&2",
        "a 2>&1>x",
        "a 2>&3",
        "a 12>/dev/null",
        "a 1>/dev/null",
        "a >/dev/nullx",
        "a >/dev/null/../x",
        "a >/dev/null'x'",
        "a 2>/dev/null2",
        "a >'/dev/null'",
        "a 2>&1x",
        "{fd}>x",
    ],
)
def test_everything_else_is_denied_with_a_reason(text: object) -> None:
    denied = split(text)
    assert isinstance(denied, Denied)
    assert denied.reason.endswith(".") and "\n" not in denied.reason


@given(st.text(max_size=60))
def test_no_text_raises(text: str) -> None:
    assert split(text) is not None


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.sampled_from("ab'\"\\ $|).,~#=!-*?[]^%@:+/"), min_size=1, max_size=12))
def test_bash_sees_the_same_words(tmp_path: Path, text: str) -> None:
    tokens = split(f"x {text}")
    if isinstance(tokens, Denied) or not all(isinstance(token, Word) for token in tokens):
        return
    script = f"printf '%s\\0' x {text}"
    seen = subprocess.run(
        ["/bin/bash", "--norc", "-c", script], cwd=tmp_path, env={"LC_ALL": "C.UTF-8"}, capture_output=True, check=True
    )
    ours = [token.text for token in tokens if isinstance(token, Word)]
    # A pattern such as /* matches real files for bash; what it means without a match is what `split` says.
    if not any(isinstance(word, Pattern) and "/" in word for word in ours):
        assert seen.stdout.decode().split("\0")[:-1] == ours
