"""Who said it: what was recalled, what an error said and what another session's mark says are nobody's statements."""
from __future__ import annotations

import os
from pathlib import Path

from lib.host import transcript
from lib.model.client_cli import child_env
from lib.recall import render
from lib.session import rules
from tests.extract.test_run import Room
from tests.extract.test_schedule import Desk

FACT = "Always deploy the harbour service from the quay branch"


def recalled() -> str:
    """A block as our own hook gives it to the model."""
    from lib.memory.store import Memory

    head = f"---\nname: quay\ndescription: {FACT}\nmetadata:\n  type: feedback\n---\n"
    return render.memories([Memory("quay.md", f"{head}{FACT}.\n", 0.0)], folder="/m", now=1e9)


def test_what_was_recalled_is_not_learned_again_and_hides_nothing_beside_it(room: Room) -> None:
    block = recalled()
    assert FACT in block
    room.say(f"{block}\nRemember that I use tabs in every Makefile")
    report = room.extract(backend="rules")
    assert [change[0] for change in report.changes] == ["CREATE"]
    (text,) = (text for file, text in room.files().items() if file != "MEMORY.md")
    assert "tabs" in text and "quay" not in text and "harbour" not in text


def test_an_error_of_the_api_is_in_no_memory_and_no_summary(desk: Desk) -> None:
    error = "API Error: 529 always use the fallback endpoint"
    desk.write(desk.line("user", "check the pilots' rota"))
    desk.write(desk.line("assistant", [{"type": "text", "text": error}], isApiErrorMessage=True))
    synthetic = {"role": "assistant", "model": "<synthetic>", "content": [{"type": "text", "text": error}]}
    desk.write(desk.line("assistant", [], message=synthetic))
    desk.write(desk.line("assistant", [{"type": "text", "text": "The rota is fine."}]))
    turns = list(transcript.turns(str(desk.transcript)))
    assert [turn.assistant for turn in turns] == [["The rota is fine."]]
    assert not any("529" in text for turn in transcript.span(str(desk.transcript)).turns for text in turn.assistant)
    assert "529" not in repr(rules.update({}, turns))


def test_no_mark_of_a_session_reaches_a_child_or_stays_behind(own_home: Path) -> None:
    given = {"CLAUDECODE": "1", "CLAUDE_CODE_CHILD_SESSION": "1", "CLAUDE_CODE_SESSION_ID": "s", "KEPT": "1"}
    before = dict(os.environ)
    made = child_env(given, str(own_home / ".claude"))
    assert made["KEPT"] == "1" and made["MEMORY_HOOKS_CHILD"] == "1"
    assert {"CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_SESSION_ID"}.isdisjoint(made)
    assert "MEMORY_HOOKS_CHILD" not in given and dict(os.environ) == before


def test_a_session_that_never_writes_a_transcript_is_a_quiet_no(desk: Desk) -> None:
    from lib.extract import schedule
    from lib.recall import opening

    opening.note_session(desk.call("SessionStart", source="startup"), desk.journal)
    assert schedule.pick_up(desk.call("SessionStart", source="startup")) is False
    assert desk.stop(last_assistant_message="ok") is False and desk.stop() is False
    assert desk.work() == []
