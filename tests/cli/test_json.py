"""Every verb that looks prints one object with the keys that it documents, and nothing else, whatever there is."""
from __future__ import annotations

import json
import re
from importlib import import_module

import pytest

import memory as face
from lib.journal import Journal
from lib.memory import held
from tests.cli.conftest import Desk

LOOKING = {
    "status": "count", "list": "memories", "show": "text", "search": "hits", "why": "decisions", "history": "entries",
    "diff": "diff", "transcript": "sessions", "cost": "today", "review": "held", "lint": "findings",
    "import": "sources", "doctor": "rows",
}  # fmt: skip


def given(verb: str) -> list[str]:
    return {"show": ["use-pnpm"], "search": ["use pnpm"]}.get(verb, [])


@pytest.fixture
def used(desk: Desk) -> Desk:
    desk.put("use-pnpm", "Always use pnpm here")
    desk.run("remember", "the staging server is called otter")
    Journal(str(desk.state), "s-1").append("stop", reason="memory_tool", cursor=10)
    held.hold(str(desk.state), "x.md", "text", reason="r", session="s")
    return desk


@pytest.mark.parametrize("verb", LOOKING)
def test_one_object_with_its_documented_keys(used: Desk, verb: str) -> None:
    shown = used.run(verb, *given(verb), "--json")
    assert shown.returncode in (0, 1) and shown.stderr == "" and shown.stdout.count("\n") == 1
    told = json.loads(shown.stdout)
    assert told[LOOKING[verb]] or verb in ("transcript", "cost", "import", "lint")
    documented = import_module(f"lib.cli.{face.VERBS[verb]}").__doc__ or ""
    keys = set(re.findall(r"\w+", documented.partition("JSON:")[2]))
    assert set(told) <= keys, documented


@pytest.mark.parametrize("verb", [verb for verb in LOOKING if verb != "show"])
def test_nothing_there_is_an_object_too_or_one_sentence(desk: Desk, verb: str) -> None:
    shown = desk.run(verb, *given(verb), "--json")
    if verb == "diff":
        assert (shown.returncode, shown.stdout) == (1, "") and shown.stderr.count("\n") == 1
    else:
        assert isinstance(json.loads(shown.stdout), dict)


def test_status_tells_programs_what_it_tells_people(used: Desk) -> None:
    told = json.loads(used.run("status", "--json").stdout)
    assert (told["count"], told["review"], told["resting"], told["last_dream"]) == (2, 1, "", None)
    assert told["captured"] == {"ends": 1, "without_transcript": 1, "runs": 0, "turns": 0, "changes": 0}
    used.run("pause", "--all")
    assert json.loads(used.run("status", "--json").stdout)["resting"] == "paused"
