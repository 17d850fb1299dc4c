"""Words put together to pipelines."""

from __future__ import annotations

import pytest

from lib.model.scope import Denied
from lib.model.shell.syntax import Pipelines, assemble
from lib.model.shell.words import split


def pipelines(text: str) -> Pipelines | Denied:
    tokens = split(text)
    assert not isinstance(tokens, Denied)
    return assemble(tokens)


def test_the_result_is_a_list_of_pipelines_of_argument_lists() -> None:
    assert pipelines("a b | c && d || e; f") == [[["a", "b"], ["c"]], [["d"]], [["e"]], [["f"]]]


def test_each_pipeline_knows_what_stands_before_it_and_each_command_its_redirections() -> None:
    made = pipelines("a 2>&1 >/dev/null | b 2>/dev/null && c || d ; e")
    assert isinstance(made, Pipelines)
    assert [pipeline.after for pipeline in made] == ["", "&&", "||", ";"]
    assert [argv.redirections for argv in made[0]] == [("2>&1", ">/dev/null"), ("2>/dev/null",)]


@pytest.mark.parametrize(
    "text",
    ["| a", "a |", "a | | b", "a &&", "&& a", "a ;", "; a", "a ;; b", "a || ", ">/dev/null", "a | >/dev/null | b"],
)
def test_an_empty_command_is_denied(text: str) -> None:
    assert isinstance(pipelines(text), Denied)


@pytest.mark.parametrize("text", ["true" + ";true" * 20, "true" + "|true" * 20, "cat" + " a" * 400])
def test_too_much_in_one_line_is_denied(text: str) -> None:
    assert isinstance(pipelines(text), Denied)
