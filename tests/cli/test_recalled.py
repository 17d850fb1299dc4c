"""Recall explains itself: what matched, what was left out and why, what a model added and at what price."""

from __future__ import annotations

from typing import Any

import pytest

from lib.cli import recalled
from lib.journal import Journal
from tests.cli.conftest import Desk

PROMPTS: list[tuple[dict[str, Any], str, list[str]]] = [
    ({}, "small talk", ["prompt   nothing (small talk)"]),
    (
        {"shown": {"a.md": "1"}, "why": {"a.md": "words x; score 9.1"}, "left": {"b.md": "far behind"}, "ms": 31},
        "recalled",
        ["prompt   a.md (recalled; 31 ms)", "a.md: words x; score 9.1", "b.md: left out, far behind"],
    ),
    ({"model": "asked"}, "none", ["prompt   nothing (none; a model is asked as well)"]),
    ({"model": "offline", "shown": 7, "why": "x", "left": [1]}, "none",
     ["prompt   nothing (none; no model asked: recall.selector is offline)"]),
    (
        {"by": "model", "shown": {"a.md": "1"}, "gone": {"a.md": ["`x.py` no longer exists."], "b.md": 3}},
        "recalled",
        ["model    a.md, told after a tool (recalled)", "a.md: `x.py` no longer exists."],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("event", "why", "lines"), PROMPTS)
def test_a_prompt_is_told_with_all_that_was_looked_at(event: dict[str, Any], why: str, lines: list[str]) -> None:
    told = recalled.prompt(event, why).split("\n")
    assert told[0] == lines[0] and [line.strip() for line in told[1:]] == lines[1:]
    assert all(line.startswith(" " * recalled.INDENT) for line in told[1:])


SELECTED: list[tuple[dict[str, Any], str]] = [
    (
        {"files": ["a.md"], "backend": "anthropic", "ms": 800, "usd": 0.0123, "reason": "found"},
        "model    a.md [anthropic, 800 ms, $0.0123]",
    ),
    ({"files": [], "backend": "claude", "ms": 9, "reason": "none_sure"},
     "model    nothing [claude, 9 ms; none of them is surely useful]"),
    ({"files": 7, "reason": "unavailable: no network"}, "model    nothing [? ms; unavailable: no network]"),
]  # fmt: skip


@pytest.mark.parametrize(("event", "line"), SELECTED)
def test_a_models_choice_is_told_with_its_price(event: dict[str, Any], line: str) -> None:
    assert recalled.selected(event) == line


def test_why_tells_of_both(desk: Desk) -> None:
    journal = Journal(str(desk.state), "s-1")
    journal.append("recall", reason="none_sure", shown={}, why={}, left={"a.md": "clarity 0.51 of 1"}, model="asked")
    journal.append("ask", key="k", prompt="secret plans")
    journal.append("asking", key="k")
    journal.append("selected", key="k", files=["a.md"], reason="found", backend="claude", ms=5, usd=0.5)
    shown = desk.run("why").stdout
    assert "prompt   nothing (no memory was surely useful; a model is asked as well)" in shown
    assert "a.md: left out, clarity 0.51 of 1" in shown and "model    a.md [claude, 5 ms, $0.5000]" in shown
    assert "secret plans" not in shown


def test_search_says_what_each_one_lacks_and_what_is_gone(desk: Desk) -> None:
    desk.put("release-freeze", "Releases of the mobile app are frozen, see `docs/freeze.md`")
    desk.put("release-notes", "Release notes are written by the support team in Porto")
    desk.put("unrelated", "The lighthouse is painted green")
    shown = desk.run("search", "when does the mobile release freeze end").stdout.splitlines()
    assert shown[0].startswith("recalled ") and "release-freeze.md" in shown[0] and "words " in shown[0]
    assert "`docs/freeze.md` no longer exists." in shown[1]
    assert shown[2].startswith("left out ") and "release-notes.md" in shown[2]
    assert shown[3].strip().startswith("not recalled: ") and len(shown[3].strip()) > len("not recalled: ")
    assert "unrelated" not in "".join(shown)


def test_search_for_small_talk_says_that_a_prompt_would_get_nothing(desk: Desk) -> None:
    desk.put("release-freeze", "Releases are frozen until the merge of the branch")
    shown = desk.run("search", "merge").stdout
    assert "left out" in shown and "not recalled: a prompt of these words is small talk" in shown
