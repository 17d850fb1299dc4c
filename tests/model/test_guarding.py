"""The guard decides for the client as the sandbox does for our own agent, and no write is ever the client's."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from lib.model import guarding
from lib.model.guarding import STAGED, Desk
from lib.model.scope import Scope
from lib.model.task import Change

ROOT = Path(__file__).resolve().parents[2]
SESSION = "6b0f3f64-0000-4000-8000-000000000001"


def check(file: str, text: str) -> str:
    return "no good" if "bad" in text else ""


class Room:
    def __init__(self, base: Path) -> None:
        self.memory, self.project, self.calls = base / "memory", base / "project", base / "calls"
        for folder in (self.memory, self.project, self.calls):
            folder.mkdir()
        (self.memory / "old.md").write_text("line one\nline two\n")
        (self.project / "a.py").write_text("x = 1\n")
        self.desk = self.fresh()

    def fresh(self, here: bool = True) -> Desk:
        scope = Scope(str(self.memory), (str(self.project), str(self.memory)))
        return Desk(str(self.calls), scope, check, session=SESSION, here=here)

    def ask(self, name: str, **given: object) -> tuple[bool, str]:
        return self.desk.verdict({"session_id": SESSION, "tool_name": name, "tool_input": given})


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def test_a_write_is_taken_over_and_refused_to_the_client(room: Room) -> None:
    allowed, reason = room.ask("Write", file_path=str(room.memory / "new.md"), content="a fact\n")
    assert not allowed and reason.startswith(STAGED)
    assert not (room.memory / "new.md").exists()
    assert room.desk.sandbox.overlay.changes() == (Change("new.md", "a fact\n", None),)


def test_an_existing_file_must_have_been_shown_whole_first(room: Room) -> None:
    file = str(room.memory / "old.md")
    change = {"file_path": file, "old_string": "line one", "new_string": "line 1"}
    assert "Read old.md whole" in room.ask("Edit", **change)[1]
    assert room.ask("Read", file_path=file, limit=1)[0]
    assert "Read old.md whole" in room.ask("Edit", **change)[1]
    assert room.ask("Read", file_path=file) == (True, "")
    assert room.ask("Edit", **change)[1].startswith(STAGED)
    [made] = room.desk.sandbox.overlay.changes()
    assert made == Change("old.md", "line 1\nline two\n", "line one\nline two\n")


def test_the_check_speaks_at_once(room: Room) -> None:
    assert room.ask("Write", file_path=str(room.memory / "n.md"), content="bad")[1] == "no good"
    assert room.desk.sandbox.overlay.changes() == ()


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("Bash", {"command": "ls"}), ("Agent", {"prompt": "x"}), ("WebFetch", {"url": "http://x"}), ("mcp__a__b", {}),
        ("Write", {"file_path": "/etc/passwd", "content": "x"}), ("Write", {"file_path": "~/x.md", "content": "x"}),
        ("Write", {"content": "x"}), ("Write", {"file_path": "a.md", "content": 7}), ("NotebookEdit", {}),
        ("Read", {"file_path": "/etc/passwd"}), ("Read", {}), ("Grep", {"pattern": "x", "path": "/etc"}),
        ("Glob", {"pattern": "/etc/*"}), ("Glob", {"pattern": "../*"}), ("", {}),
        ("Edit", {"file_path": "old.md", "old_string": "l", "new_string": "", "replace_all": True}),
    ],
)  # fmt: skip
def test_everything_else_is_refused_with_a_reason(room: Room, name: str, given: dict[str, object]) -> None:
    allowed, reason = room.ask(name, **given)
    assert not allowed and reason and not reason.startswith(STAGED)
    assert room.desk.sandbox.overlay.changes() == ()


def test_looking_is_the_clients_own_work_inside_the_roots(room: Room) -> None:
    assert room.ask("Read", file_path=str(room.project / "a.py"))[0]
    assert room.ask("Grep", pattern="x")[0]
    assert room.ask("Glob", pattern="*.md", path=str(room.memory))[0]
    room.desk = room.fresh(here=False)  # a fresh run does not start in the project
    assert not room.ask("Grep", pattern="x")[0]
    assert room.ask("Grep", pattern="x", path=str(room.project))[0]


@pytest.mark.parametrize("question", [{}, {"session_id": "another", "tool_name": "Read", "tool_input": {}},
                                      {"session_id": SESSION, "tool_name": "Read", "tool_input": []}])  # fmt: skip
def test_a_question_of_nobody_we_know_is_refused(room: Room, question: dict[str, object]) -> None:
    assert not room.desk.verdict(question)[0]


def test_a_run_that_goes_round_in_circles_is_stopped(room: Room) -> None:
    verdicts = [room.ask("Grep", pattern="x")[0] for _ in range(guarding._CALLS + 2)]
    assert verdicts[:3] == [True] * 3 and verdicts[-2:] == [False] * 2


def through_the_hook(room: Room, stdin: bytes, serve: bool = True) -> tuple[int, bytes]:
    """The command as the child's settings hold it, in a shell."""
    settings = json.loads(guarding.settings(str(room.calls), str(room.memory)))
    command = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    process = subprocess.Popen(
        ["sh", "-c", command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"PATH": os.environ["PATH"]}
    )
    done = threading.Event()

    def answering() -> None:
        while serve and not done.is_set():
            room.desk.serve()
            time.sleep(0.01)

    thread = threading.Thread(target=answering)
    thread.start()
    out, _ = process.communicate(stdin, timeout=60)
    done.set()
    thread.join()
    return process.returncode, out


def test_the_registered_command_carries_question_and_answer(room: Room) -> None:
    given = {"file_path": str(room.memory / "new.md"), "content": "caf\u00e9\n"}
    asked = {"session_id": SESSION, "hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": given}
    status, out = through_the_hook(room, json.dumps(asked).encode())
    output = json.loads(out)["hookSpecificOutput"]
    assert (status, output["permissionDecision"]) == (0, "deny")
    assert output["permissionDecisionReason"].startswith(STAGED)
    assert room.desk.sandbox.overlay.changes() == (Change("new.md", "caf\u00e9\n", None),)


@pytest.mark.parametrize("fault", ["folder", "interpreter"])
def test_a_guard_that_cannot_ask_denies(room: Room, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if fault == "folder":
        room.calls.rmdir()
    else:
        monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    status, out = through_the_hook(room, b'{"session_id": "x"}', serve=False)
    assert (status, out) == (2, b"")


def test_no_rule_of_the_child_changes_its_tools_and_its_search_passes_credentials_over(room: Room) -> None:
    permissions = json.loads(guarding.settings(str(room.calls), str(room.memory)))["permissions"]
    assert permissions["ask"] == [f"Edit(/{os.path.realpath(room.memory)}/**)"]
    assert set(permissions) == {"ask", "deny"}
    assert {"Read(//**/.env)", "Read(//**/*.pem)", "Read(//**/.ssh/**)"} <= set(permissions["deny"])
    # A bare name of a tool would take it out of the list, and with it the shared beginning of the prompt.
    assert all(rule.startswith("Read(//**/") and rule.endswith(")") for rule in permissions["deny"])
