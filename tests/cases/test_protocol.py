"""The hook protocol: what comes in on stdin, what goes out, and what becomes of a bundle that is not whole."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lib.cli import place as places
from lib.cli import status
from lib.host import payload, reply
from lib.host.registration import FLAGS, HOOKS
from tests.extract.test_schedule import Desk
from tests.hooks.test_flow import BY_EVENT, PAGES, PNPM, Person
from tests.support.registered import ROOT, Stage

JAPANESE = """\
---
name: auth-decision
description: 認証方式はトークンに決めた
metadata:
  type: project
---
認証方式はトークン。ＡＰＩ鍵は使わない。
"""


def test_a_stop_on_its_own_continuation_says_nothing_and_is_handled_once(person: Person, stage: Stage) -> None:
    person.turn(PNPM)
    for _ in range(3):
        ran = person.hook("Stop", stop_hook_active=True)
        assert (ran.status, ran.out, ran.err) == (0, b"", b"")
    stage.settle()
    assert [event["changes"][0][0] for event in person.events("extract") if event["changes"]] == ["CREATE"]


def test_a_terminal_is_not_waited_for() -> None:
    master, terminal = os.openpty()
    try:
        assert payload.read(terminal, patience=2).problem == "input is a terminal"
    finally:
        os.close(master)
        os.close(terminal)


@pytest.mark.parametrize("encoding", ["cp932", "gbk", "big5", "ascii"])
def test_text_is_utf_8_whatever_the_locale_says(stage: Stage, encoding: str) -> None:
    stage.memory.mkdir(parents=True)
    (stage.memory / "auth-decision.md").write_text(JAPANESE, encoding="utf-8")
    env = stage.environment(PYTHONIOENCODING=encoding, PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", LC_ALL="C")
    fields = stage.payload("UserPromptSubmit", prompt='認証方式を変えた理由は "あ\\" かな')
    ran = stage.run(BY_EVENT["UserPromptSubmit"], json.dumps(fields, ensure_ascii=False).encode(), env=env)
    assert ran.harm() == "" and stage.log() == []
    assert "認証方式はトークンに決めた" in ran.context and "�" not in ran.context


def test_the_longest_index_and_five_long_memories_fit_the_hosts_limit(person: Person, stage: Stage) -> None:
    stage.memory.mkdir(parents=True)
    rows = [f"- [Fact {n}](fact-{n}.md) — {'about the harbour pilots ' * 9}"[:120] for n in range(199)]
    (stage.memory / "MEMORY.md").write_text("\n".join(rows) + "\n")
    for n in range(5):
        said = f"The ferry timetable of pier {n} is kept by the harbour pilots"
        head = f"---\nname: fact-{n}\ndescription: {said}\nmetadata:\n  type: project\n---\n"
        (stage.memory / f"fact-{n}.md").write_text(f"{head}{'The ferry timetable. ' * 200}\n")
    person.env["CLAUDECODE"] = None  # a host that does not load the index itself
    told = [person.hook("SessionStart", hook=page).context for page in PAGES]
    told.append(person.hook("UserPromptSubmit", prompt="who keeps the ferry timetable of the piers?").context)
    assert all(0 < reply.units(text) <= 9_500 for text in told)
    assert [line[2:] for text in told[:3] for line in text.split("\n") if line.startswith("| - [")] == rows
    # What was cut says so, and where the whole of it is.
    assert str(stage.memory) in told[3] and "cut" in told[3]


def test_what_is_found_and_what_is_wrong_at_once_are_one_object_and_a_line_of_log(stage: Stage) -> None:
    stage.memory.mkdir(parents=True)
    (stage.memory / "auth-decision.md").write_text(JAPANESE, encoding="utf-8")
    (stage.config / "settings.json").write_text('{"memoryHooks": {')
    raw = json.dumps(stage.payload("UserPromptSubmit", prompt="認証方式を変えた理由は")).encode()
    ran = stage.run(BY_EVENT["UserPromptSubmit"], raw)
    assert ran.harm() == "" and "認証方式" in ran.context
    assert ran.out.count(b"\n") == 1 and set(json.loads(ran.out)) == {"hookSpecificOutput"}


def test_hooks_that_catch_nothing_are_seen_in_the_status(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    for words in ("first question?", "second question?"):
        desk.say(words)
        desk.stop()
        desk.work()
    desk.stop(transcript_path=str(desk.project / "nowhere.jsonl"))
    assert status.run([], places.here(str(desk.project), os.environ)) == 0
    said = next(line for line in capsys.readouterr().out.split("\n") if line.startswith("captured"))
    assert said == "captured  0 changes from 0 turns (3 ends of turns noted, 1 of them without a transcript)"


def test_a_transcript_folder_that_never_was_is_not_made(desk: Desk) -> None:
    desk.say("use pnpm")
    named = desk.transcript.parent.with_name("worktree-of-it") / desk.transcript.name
    assert desk.stop(transcript_path=str(named)) is True
    assert desk.last()["transcript"] == str(desk.transcript) and not named.parent.exists()


DAMAGE: dict[str, Callable[[Path], object]] = {
    "a module is missing": lambda root: (root / "lib" / "boundary.py").unlink(),
    "half a module": lambda root: (root / "lib" / "boundary.py").write_text("def serve(event, handler):\n    try:\n"),
    "an empty module": lambda root: (root / "lib" / "boundary.py").write_text(""),
    "a module of zeros": lambda root: (root / "lib" / "host" / "paths.py").write_bytes(b"\0" * 4096),
    "no library": lambda root: shutil.rmtree(root / "lib"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_half_a_bundle_refuses_no_prompt(stage: Stage, tmp_path: Path, damage: str) -> None:
    root = tmp_path / "bundle"
    for folder in ("hooks", "lib"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    DAMAGE[damage](root)
    for script in sorted({hook.script: hook.event for hook in HOOKS}.items()):
        command = [sys.executable, *FLAGS, str(root / "hooks" / script[0])]
        raw = json.dumps(stage.payload(script[1])).encode()
        ran = subprocess.run(command, input=raw, env=stage.environment(), cwd=stage.project, capture_output=True)
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


def test_nothing_of_ours_runs_at_the_end_of_a_session() -> None:
    # What runs there is killed within a second or two; all that must not be lost is noted by Stop, in one append.
    assert {hook.event for hook in HOOKS}.isdisjoint({"SessionEnd"})
