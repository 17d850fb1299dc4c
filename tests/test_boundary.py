"""Whatever a handler does, the process ends with status 0, a silent stderr, at most one reply and one line of log."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lib import boundary
from lib.boundary import where

ROOT = Path(__file__).resolve().parent.parent
PAYLOAD = {"session_id": "s-1", "cwd": "/", "hook_event_name": "Stop"}
REPLY = b'{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"hello"}}\n'


def script(body: str, before: str = "") -> list[str]:
    """A hook whose handler consists of `body`, started as hooks are."""
    handler = "\n".join(f"    {line}" for line in body.splitlines())
    start = f"import sys, os\nsys.path.insert(0, {str(ROOT)!r})\nfrom lib import boundary\n{before}\n"
    code = f"{start}def handle(call):\n{handler}\n"
    return [sys.executable, "-I", "-S", "-c", code + 'boundary.serve("Stop", handle)']


def run(body: str, before: str = "", given: Any = PAYLOAD, **env: str) -> tuple[int, bytes, bytes]:
    stdin = json.dumps(given).encode()
    done = subprocess.run(script(body, before), input=stdin, capture_output=True, timeout=30, env={**os.environ, **env})
    return done.returncode, done.stdout, done.stderr


def log(home: Path) -> list[dict[str, Any]]:
    path = home / ".claude" / "memory-hooks" / "log.jsonl"
    return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def told(home: Path) -> str:
    """What the one line in the log says."""
    lines = log(home)
    assert len(lines) == 1, lines
    assert set(lines[0]) == {"t", "hook", "what"} and lines[0]["hook"] == "Stop"
    return str(lines[0]["what"])


def test_a_handlers_text_is_the_one_reply(own_home: Path) -> None:
    assert run("return 'hello'") == (0, REPLY, b"")
    assert run("return ''") == (0, b"", b"")
    assert log(own_home) == []


RAISED = {
    "ValueError": "raise ValueError('made-up-value')",
    "KeyError": "return {}['made-up-value']",
    "AssertionError": "assert False, 'made-up-value'",
    "MemoryError": "raise MemoryError",
    "SystemExit": "sys.exit(3)",
    "KeyboardInterrupt": "raise KeyboardInterrupt",
    "GeneratorExit": "raise GeneratorExit",
    "RecursionError": "def deep(): deep()\ndeep()",
    "ImportError": "from lib import no_such_module",
    "UnicodeEncodeError": "return '\\ud800'.encode()",
    "BaseExceptionGroup": "raise type('BaseExceptionGroup', (BaseException,), {'__str__': lambda self: 1 / 0})()",
    "PermissionError": "raise PermissionError(13, 'Permission denied', '/no/such')",
}


@pytest.mark.parametrize("kind", RAISED)
def test_whatever_a_handler_raises_is_told_in_the_log_alone(own_home: Path, kind: str) -> None:
    assert run(RAISED[kind]) == (0, b"", b"")
    said = told(own_home)
    assert said.startswith(f"{kind}: ") and "in " in said
    assert "made-up-value" not in said


def test_no_memory_left_is_told_in_the_log_alone(own_home: Path) -> None:
    before = "import resource\nresource.setrlimit(resource.RLIMIT_AS, (400_000_000, 400_000_000))"
    assert run("return 'x' * 10**9", before) == (0, b"", b"")
    assert told(own_home).startswith("MemoryError: ")


def test_a_reply_that_the_host_would_not_take_whole_is_none(own_home: Path) -> None:
    assert run("return 'x' * 9_501") == (0, b"", b"")
    assert told(own_home).startswith("ValueError: ")


def test_a_reply_of_another_type_is_none(own_home: Path) -> None:
    assert run("return b'hello'") == (0, b"", b"")
    assert told(own_home).startswith("TypeError: ")


@pytest.mark.parametrize("body", ["while True: pass", "import time\ntime.sleep(60)", "os.read(os.pipe()[0], 1)"])
def test_a_handler_that_does_not_end_is_ended(own_home: Path, body: str) -> None:
    assert run(body, "boundary.DEADLINE = 0.3") == (0, b"", b"")
    assert told(own_home) == "gave up after 0.3 s"


def test_a_handler_cannot_swallow_the_deadline(own_home: Path) -> None:
    body = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    assert run(body, "boundary.DEADLINE = 0.3") == (0, b"", b"")
    assert told(own_home) == "gave up after 0.3 s"


@pytest.mark.parametrize("mark", ["MEMORY_HOOKS_CHILD", "MEMORY_HOOKS_OFF"])
def test_a_process_of_ours_and_a_switched_off_bundle_run_no_handler(own_home: Path, mark: str) -> None:
    assert run("return 'hello'", **{mark: "1"}) == (0, b"", b"")
    assert run("return 'hello'", **{mark: ""}) == (0, REPLY, b"")
    assert log(own_home) == []


@pytest.mark.parametrize(
    ("given", "what"),
    [
        (None, "input is NoneType, not an object"),
        ({**PAYLOAD, "hook_event_name": "SubagentStop"}, "payload is for 'SubagentStop'"),
        ({"session_id": "s-1", "cwd": "/"}, "payload names no event"),
        ({**PAYLOAD, "session_id": "../../etc"}, "payload names no session, or no absolute cwd"),
        ({**PAYLOAD, "session_id": None}, "payload names no session, or no absolute cwd"),
        ({**PAYLOAD, "cwd": "here"}, "payload names no session, or no absolute cwd"),
    ],
)
def test_a_payload_that_is_not_this_events_is_told(own_home: Path, given: object, what: str) -> None:
    assert run("return 'hello'", given=given) == (0, b"", b"")
    assert told(own_home) == what


def test_an_event_name_cannot_fill_the_log(own_home: Path) -> None:
    run("return 'hello'", given={**PAYLOAD, "hook_event_name": "x" * 50_000})
    assert len(told(own_home)) < 100


def test_a_host_that_went_away_is_told(own_home: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        stdin = json.dumps(PAYLOAD).encode()
        done = subprocess.run(
            script("return 'hello'"), input=stdin, stdout=writing, stderr=subprocess.PIPE, timeout=30
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
    assert told(own_home) == "the host closed the pipe"


def test_a_reply_that_the_host_takes_in_drops_arrives_whole() -> None:
    before = "real = os.write\nos.write = lambda fd, data: real(fd, data[:3])"
    assert run("return 'hello'", before) == (0, REPLY, b"")


@pytest.mark.parametrize("folder", ["", "relative/folder"])
def test_without_a_configuration_folder_nothing_is_written(own_home: Path, tmp_path: Path, folder: str) -> None:
    assert run("return 'hello'", CLAUDE_CONFIG_DIR=folder, HOME=folder) == (0, b"", b"")
    assert run("raise ValueError", CLAUDE_CONFIG_DIR=folder, HOME=folder) == (0, b"", b"")
    assert (os.listdir(tmp_path), os.listdir(own_home / ".claude")) == ([], [])


def test_a_log_that_cannot_be_written_is_no_harm(own_home: Path) -> None:
    (own_home / ".claude" / "memory-hooks").write_text("a file")
    assert run("raise ValueError") == (0, b"", b"")


def test_a_log_that_is_a_link_is_not_followed(own_home: Path) -> None:
    folder = own_home / ".claude" / "memory-hooks"
    folder.mkdir()
    (own_home / "precious").write_text("mine")
    (folder / "log.jsonl").symlink_to(own_home / "precious")
    assert run("raise ValueError") == (0, b"", b"")
    assert (own_home / "precious").read_text() == "mine"


def test_a_full_log_is_set_aside_once(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boundary, "LOG_LIMIT", 300)
    config = str(own_home / ".claude")
    for number in range(40):
        boundary.note(config, "Stop", f"number {number}")
    folder = own_home / ".claude" / "memory-hooks"
    assert sorted(os.listdir(folder)) == ["log.jsonl", "log.jsonl.1"]
    assert sum((folder / name).stat().st_size for name in os.listdir(folder)) < 800
    assert b"number 39" in b"".join((folder / name).read_bytes() for name in os.listdir(folder))
    assert (folder / "log.jsonl.1").stat().st_mode & 0o077 == 0


def test_a_note_is_one_line_whatever_it_says(own_home: Path) -> None:
    boundary.note(str(own_home / ".claude"), "Stop", "a\nb\u2028\ud800" + "x" * 5_000)
    assert told(own_home) == "a\nb\u2028\ud800" + "x" * 495


def test_the_place_of_a_fault_is_named_without_its_values() -> None:
    try:
        raise OSError(28, "No space left on device", "/the/file")
    except OSError as error:
        said = where(error)
    assert said.startswith("No space left on device '/the/file' (test_boundary.py:")
    assert said.endswith(" in test_the_place_of_a_fault_is_named_without_its_values)")
    assert where(ValueError("secret")) == "()"
