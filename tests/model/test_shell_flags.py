"""Flags read as their programs read them."""

from __future__ import annotations

import pytest

from lib.model.scope import Denied
from lib.model.shell.flags import Flags, Given, Uses, anything, number, on_paths, on_pattern, on_text, read

FLAGS = Flags(
    "ab", {"n": number, "e": anything}, "all long", {"lines": number}, {"color": lambda v: v == "never"}, True
)


@pytest.mark.parametrize(
    ("args", "flags", "operands"),
    [
        ("-ab", [("a", ""), ("b", "")], []),
        ("-an5 x", [("a", ""), ("n", "5")], ["x"]),
        ("-an 5 x", [("a", ""), ("n", "5")], ["x"]),
        ("x -a", [("a", "")], ["x"]),
        ("-- -a", [], ["-a"]),
        ("-e -- x", [("e", "--")], ["x"]),
        ("- -a", [("a", "")], ["-"]),
        ("--all --lines=3", [("all", ""), ("lines", "3")], []),
        ("--lines 3", [("lines", "3")], []),
        ("--color", [("color", "")], []),
        ("--color=never", [("color", "never")], []),
        ("-20 x", [("count", "20")], ["x"]),
    ],
)
def test_flags_and_operands_are_told_apart(args: str, flags: list[tuple[str, str]], operands: list[str]) -> None:
    assert read(FLAGS, args.split()) == Given(tuple(flags), tuple(operands))


@pytest.mark.parametrize(
    "args",
    [
        "-x",
        "-ax",
        "-n",
        "-n x",
        "-nx",
        "-an",
        "--al",
        "--all=1",
        "--lines",
        "--lines=x",
        "--line=3",
        "--color=always",
        "--colo=never",
        "---all",
        "--=x",
        "-20x",
        "-é",
        "--unknown",
        "-a --file=x",
    ],
)
def test_what_is_not_allowed_exactly_is_denied(args: str) -> None:
    assert isinstance(read(FLAGS, args.split()), Denied)


def test_a_program_that_does_not_glue_values_gets_none_glued() -> None:
    flags = Flags("a", {"I": anything}, glued=False)
    assert isinstance(read(flags, ["-Io"]), Denied)
    assert isinstance(read(flags, ["-aIx"]), Denied)
    assert read(flags, ["-aI", "x"]) == Given((("a", ""), ("I", "x")), ())


def test_operands_are_paths_text_or_a_pattern_and_paths() -> None:
    assert on_paths(FLAGS, least=1, most=2)(["a", "b"]) == Uses(("a", "b"))
    assert isinstance(on_paths(FLAGS, most=1)(["a", "b"]), Denied)
    assert isinstance(on_paths(FLAGS, least=1)([]), Denied)
    assert isinstance(on_paths(FLAGS)(["-x"]), Denied)
    assert on_text(FLAGS)(["/etc"]) == Uses()
    assert isinstance(on_text(FLAGS, most=0)(["x"]), Denied)
    assert on_pattern(FLAGS, instead=("e",))(["p", "a"]) == Uses(("a",))
    assert on_pattern(FLAGS, instead=("e",))(["a", "-ep"]) == Uses(("a",))
    assert isinstance(on_pattern(FLAGS, instead=("e",))([]), Denied)
