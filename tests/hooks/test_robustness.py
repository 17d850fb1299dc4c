"""Whatever comes in, a hook as registered harms nobody: exit 0, at most one reply, a silent stderr, an end, a trace."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lib.host.registration import HOOKS, Hook
from tests.support.registered import Ran, Stage

# The pages of SessionStart are one script: the first stands for all three.
SCRIPTS = list({hook.script: hook for hook in reversed(HOOKS)}.values())[::-1]
by_script = pytest.mark.parametrize("hook", SCRIPTS, ids=lambda hook: hook.script)
SAID = "Remember: always use pnpm here, npm corrupts the lockfile"
MEMORY = """\
---
name: package-manager
description: Dependencies are added with pnpm
metadata:
  type: feedback
---
Use pnpm.
"""


def user_line(text: str = SAID) -> bytes:
    """One human prompt as the client writes it into a transcript."""
    entry = {
        "parentUuid": None, "isSidechain": False, "type": "user", "message": {"role": "user", "content": text},
        "uuid": "c9b7f0d4-3a0e-4f57-8a25-7d9f0e6b1c11", "timestamp": "2026-11-30T05:28:25.368Z", "userType": "external",
        "promptId": "b8f3c1de-0000-4000-8000-000000000001", "sessionId": "3f0c4b1e-9d43-4c57-9e3f-0d7f0b9c2a11",
    }  # fmt: skip
    return json.dumps(entry).encode() + b"\n"


def check(stage: Stage, ran: Ran) -> None:
    assert ran.harm() == ""
    assert stage.leaks() == []


def check_told(stage: Stage, ran: Ran, *, lines: int = 1) -> None:
    """Harmless, and the log says in words what happened: `lines` lines, each with the hook's event."""
    check(stage, ran)
    told = stage.log()
    assert len(told) == lines, told
    assert all(line["hook"] == ran.event and line["what"].strip() and line["t"] > 0 for line in told), told


BAD_INPUT: dict[str, bytes] = {
    "empty": b"",
    "blank": b" \n\t ",
    "null": b"null",
    "list": b"[]",
    "number": b"12",
    "string": b'"Stop"',
    "words": b"not json at all",
    "torn": b'{"session_id": "abc", "hook_event_na',
    "nul bytes": b"\0" * 4096,
    "not utf-8": b"\xff\xfe\xfd",
    "empty object": b"{}",
    "deep list": b"[" * 100_000,
    "deep object": b'{"a":' * 100_000,
    "unknown event": b'{"session_id": "abc", "cwd": "/tmp", "hook_event_name": "SomethingNew"}',
    "event of another type": b'{"session_id": "abc", "cwd": "/tmp", "hook_event_name": ["Stop"]}',
}


@pytest.mark.parametrize("stdin", BAD_INPUT.values(), ids=BAD_INPUT)
@by_script
def test_input_that_is_no_event_is_told_in_the_log(stage: Stage, hook: Hook, stdin: bytes) -> None:
    ran = stage.run(hook, stdin)
    check_told(stage, ran)
    assert ran.out == b""


@by_script
def test_input_that_never_ends_is_given_up(stage: Stage, hook: Hook) -> None:
    check_told(stage, stage.run(hook, b"", keep_open=True))


@by_script
def test_half_an_object_that_never_ends_is_given_up(stage: Stage, hook: Hook) -> None:
    check_told(stage, stage.run(hook, b'{"session_id": "abc", ', keep_open=True))


@by_script
def test_a_whole_object_is_enough_when_stdin_stays_open(stage: Stage, hook: Hook) -> None:
    check_told(stage, stage.run(hook, json.dumps(stage.payload(hook.event)).encode(), keep_open=True), lines=0)


@by_script
def test_input_may_drip(stage: Stage, hook: Hook) -> None:
    whose = {"agent_id": "a1", "agent_type": "reviewer"} if hook.event.startswith("Subagent") else {}
    fields = {"session_id": "3f0c4b1e", "cwd": str(stage.project), "hook_event_name": hook.event, **whose}
    raw = json.dumps(fields).encode()
    check_told(stage, stage.run(hook, (raw[at : at + 3] for at in range(0, len(raw), 3))), lines=0)


@by_script
def test_a_byte_order_mark_and_lone_surrogates_are_read_over(stage: Stage, hook: Hook) -> None:
    fields = stage.payload(hook.event, prompt="\ud800 add \udfff", last_assistant_message="\ud83d", tool_name="\udc00")
    check_told(stage, stage.run(hook, b"\xef\xbb\xbf" + json.dumps(fields).encode()), lines=0)


@by_script
def test_closed_streams_do_no_harm(stage: Stage, hook: Hook) -> None:
    raw = json.dumps(stage.payload(hook.event)).encode()
    for closed in ("exec <&-", "exec >&-", "exec 2>&-", "exec <&- >&- 2>&-"):
        check(stage, stage.run(hook, raw, before=[closed]))


ODD_VALUES: list[Any] = [None, 7, -1.5, True, [], {}, ["x"], {"a": {}}, "", "\ud800", "/\0", "../..", "x" * 100_000]


@pytest.mark.parametrize(
    ("hook", "field"),
    [(hook, field) for hook in SCRIPTS for field in Stage(Path("/"), Path("/")).payload(hook.event)],
    ids=lambda value: value if isinstance(value, str) else value.script,
)
def test_a_field_may_be_missing_or_anything(stage: Stage, hook: Hook, field: str) -> None:
    fields = stage.payload(hook.event)
    variants = [{name: value for name, value in fields.items() if name != field}]
    variants += [{**fields, field: value} for value in ODD_VALUES]
    for variant in variants:
        told = len(stage.log())
        check(stage, stage.run(hook, json.dumps(variant).encode()))
        assert len(stage.log()) - told <= 1, (variant, stage.log()[told:])
        if field == "hook_event_name":
            assert len(stage.log()) - told == 1


def _vanish(stage: Stage) -> None:
    stage.project.rmdir()


def _transcript(data: bytes) -> Callable[[Stage], None]:
    def write(stage: Stage) -> None:
        stage.transcript.parent.mkdir(parents=True, exist_ok=True)
        stage.transcript.write_bytes(data)

    return write


def _huge(stage: Stage) -> None:
    _transcript(user_line("hello") * 10)(stage)
    os.truncate(stage.transcript, 600_000_000)
    with stage.transcript.open("ab") as file:
        file.write(b"\n" + user_line())


def _transcript_is(make: Callable[[Path], None]) -> Callable[[Stage], None]:
    def place(stage: Stage) -> None:
        stage.transcript.parent.mkdir(parents=True, exist_ok=True)
        make(stage.transcript)

    return place


def _unreadable(path: Path) -> None:
    path.write_bytes(user_line())
    path.chmod(0)


BAD_TRANSCRIPTS: dict[str, Callable[[Stage], None]] = {
    "missing": lambda stage: None,
    "empty": _transcript(b""),
    "torn at the end": _transcript(user_line() + user_line()[:90]),
    "torn in the middle": _transcript(user_line()[:90] + b"\n" + user_line()),
    "600 MB": _huge,
    "full of NUL": _transcript(b"\0" * 1_000_000 + user_line()),
    "line separators": _transcript(user_line("a\u2028b\u2029c").replace(b"\\u2028", "\u2028".encode()) * 3),
    "lone surrogates": _transcript(user_line("remember \ud800 always") + b'{"type": "user", "\xed\xa0\x80": 1}\n'),
    "100,000 deep": _transcript(b'{"type":"user","message":' + b"[" * 100_000 + b"\n" + user_line()),
    "deep and closed": _transcript(b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"\n"),
    "no objects": _transcript(b"[]\n1\nnull\n\"user\"\n{}\n"),
    "several objects on a line": _transcript(user_line().strip() * 3 + b"\n"),
    "a folder": _transcript_is(Path.mkdir),
    "a FIFO": _transcript_is(os.mkfifo),
    "a link to nowhere": _transcript_is(lambda path: path.symlink_to("nowhere")),
    "unreadable": _transcript_is(_unreadable),
}


@pytest.mark.parametrize("make", BAD_TRANSCRIPTS.values(), ids=BAD_TRANSCRIPTS)
@by_script
def test_any_transcript_is_survived(stage: Stage, hook: Hook, make: Callable[[Stage], None]) -> None:
    make(stage)
    check(stage, stage.run(hook, json.dumps(stage.payload(hook.event)).encode()))
    assert len(stage.log()) <= 1
    if hook.event == "Stop":
        # Whatever was decided about the turn can be asked for afterwards.
        assert stage.log() or stage.journal()


def _memories(stage: Stage) -> None:
    stage.memory.mkdir(parents=True, exist_ok=True)
    (stage.memory / "package-manager.md").write_text(MEMORY)
    (stage.memory / "MEMORY.md").write_text("- [Package manager](package-manager.md) — pnpm, never npm\n")


def _odd_entries(stage: Stage) -> None:
    _memories(stage)
    for name in ("a.md", "pipe.md", "also", "zz.md"):
        os.mkfifo(stage.memory / name)
    (stage.memory / "dangling.md").symlink_to("nowhere.md")
    (stage.memory / "loop.md").symlink_to("loop.md")
    (stage.memory / "outside.md").symlink_to("/etc/passwd")
    (stage.memory / "folder.md").mkdir()
    (stage.memory / "binary.md").write_bytes(bytes(range(256)) * 400)
    (stage.memory / "nul.md").write_bytes(b"\0" * 300_000)
    (stage.memory / os.fsdecode(b"not-utf8-\xff.md")).write_text(MEMORY)
    (stage.memory / "new\nline.md").write_text(MEMORY)


def _binary(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 10_000)


def _a_file(path: Path) -> None:
    path.write_text("a file")


def _index_is(make: Callable[[Path], None]) -> Callable[[Stage], None]:
    def place(stage: Stage) -> None:
        _memories(stage)
        (stage.memory / "MEMORY.md").unlink()
        make(stage.memory / "MEMORY.md")

    return place


def _memory_is_a_file(stage: Stage) -> None:
    stage.memory.parent.mkdir(parents=True, exist_ok=True)
    stage.memory.write_text("a file")


def _memory_is_unreadable(stage: Stage) -> None:
    _memories(stage)
    stage.memory.chmod(0)


def _own_is(make: Callable[[Path], None]) -> Callable[[Stage], None]:
    def place(stage: Stage) -> None:
        _memories(stage)
        make(stage.own)

    return place


def _settings(data: bytes) -> Callable[[Stage], None]:
    def write(stage: Stage) -> None:
        _memories(stage)
        (stage.config / "settings.json").write_bytes(data)
        (stage.project / ".claude").mkdir()
        (stage.project / ".claude" / "settings.json").write_bytes(data)

    return write


BAD_PLACES: dict[str, Callable[[Stage], None]] = {
    "memory is missing": lambda stage: None,
    "memory is a file": _memory_is_a_file,
    "memory is unreadable": _memory_is_unreadable,
    "FIFOs, links and binary memories": _odd_entries,
    "the index is a folder": _index_is(Path.mkdir),
    "the index is a FIFO": _index_is(os.mkfifo),
    "the index is a link": _index_is(lambda path: path.symlink_to("/etc/passwd")),
    "the index is binary": _index_is(_binary),
    "the project is gone": _vanish,
    "our folder is a file": _own_is(_a_file),
    "our folder is a link to nowhere": _own_is(lambda path: path.symlink_to("/nonexistent/x")),
    "settings are torn": _settings(b'{"memoryHooks": {'),
    "settings are deep": _settings(b"[" * 100_000),
    "settings are a list": _settings(b"[]"),
    "settings of wrong types": _settings(b'{"memoryHooks": [], "autoMemoryEnabled": "no", "autoMemoryDirectory": 7}'),
    "options of wrong types": _settings(b'{"memoryHooks": {"backend": 7, "recall": {"max": "x"}, "extract": []}}'),
}


def regular_files(folder: Path) -> dict[str, bytes]:
    if not folder.is_dir():
        return {}
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and not path.is_symlink()}


@pytest.mark.parametrize("make", BAD_PLACES.values(), ids=BAD_PLACES)
@by_script
def test_any_place_is_survived_and_no_memory_lost(stage: Stage, hook: Hook, make: Callable[[Stage], None]) -> None:
    make(stage)
    before = regular_files(stage.memory)
    raw = json.dumps(stage.payload(hook.event)).encode()
    check(stage, stage.run(hook, raw, cwd=stage.home))
    stage.settle()
    after = regular_files(stage.memory)
    # The index may be mended; a memory is neither changed nor gone.
    assert {name: after.get(name) for name in before if name != "MEMORY.md"} == {
        name: data for name, data in before.items() if name != "MEMORY.md"
    }


@by_script
def test_a_working_directory_that_vanished_is_survived(stage: Stage, hook: Hook) -> None:
    gone = stage.home / "gone"
    gone.mkdir()
    raw = json.dumps(stage.payload(hook.event, cwd=str(gone))).encode()
    check(stage, stage.run(hook, raw, cwd=gone, before=[f'rmdir "{gone}"']))


@by_script
@pytest.mark.parametrize("home", ["", None, "relative", "/nonexistent"], ids=repr)
def test_without_a_usable_home_nothing_is_written_anywhere(stage: Stage, hook: Hook, home: str | None) -> None:
    env = stage.environment(HOME=home, CLAUDE_CONFIG_DIR=None)
    check(stage, stage.run(hook, json.dumps(stage.payload(hook.event)).encode(), env=env))
    assert os.listdir(stage.project) == []
    assert os.listdir(stage.config) == []


@by_script
def test_an_empty_home_is_no_loss_where_the_configuration_is_named(stage: Stage, hook: Hook) -> None:
    ran = stage.run(hook, b"null", env=stage.environment(HOME=""))
    check_told(stage, ran)


NO_MOUNTS = "this machine lets nobody mount a file system of 64 KB"


# The superuser may mount as it is; everybody else needs to be one inside a user namespace.
MOUNTING = ["unshare", *([] if os.geteuid() == 0 else ["--map-root-user"]), "--mount"]


def _can_mount() -> bool:
    probe = [*MOUNTING, "sh", "-c", "mount -t tmpfs -o size=64k none /mnt"]
    return bool(shutil.which("unshare")) and subprocess.run(probe, capture_output=True).returncode == 0


@by_script
def test_no_space_left_is_survived_and_no_memory_lost(stage: Stage, hook: Hook) -> None:
    if not _can_mount():
        pytest.skip(NO_MOUNTS)
    _memories(stage)
    _transcript(user_line())(stage)
    kept, seen = stage.home / "kept", stage.home / "seen"
    before = [
        f'cp -R "{stage.config}" "{kept}"', f'mount -t tmpfs -o size=64k none "{stage.config}"',
        f'cp -R "{kept}/." "{stage.config}"', f'dd if=/dev/zero of="{stage.config}/filler" bs=1k 2>/dev/null',
    ]  # fmt: skip
    after = ["sleep 0.5", f'mkdir "{seen}"', f'cp -R "{stage.memory}" "{seen}"']
    raw = json.dumps(stage.payload(hook.event)).encode()
    check(stage, stage.run(hook, raw, before=before, after=after, under=MOUNTING))
    assert regular_files(seen / "memory") == regular_files(stage.memory)


@by_script
def test_a_disk_that_refuses_every_write_is_survived(stage: Stage, hook: Hook) -> None:
    _memories(stage)
    _transcript(user_line())(stage)
    raw = json.dumps(stage.payload(hook.event)).encode()
    check(stage, stage.run(hook, raw, before=["ulimit -f 0"]))
    stage.settle()
    assert regular_files(stage.memory)["package-manager.md"].decode() == MEMORY


@pytest.mark.parametrize("switch", [{"MEMORY_HOOKS_CHILD": "1"}, {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}], ids=str)
@by_script
def test_a_hook_that_is_switched_off_says_nothing(stage: Stage, hook: Hook, switch: dict[str, str]) -> None:
    _memories(stage)
    raw = json.dumps(stage.payload(hook.event, prompt="which package manager adds dependencies?")).encode()
    ran = stage.run(hook, raw, env=stage.environment(**switch))
    check(stage, ran)
    assert ran.out == b""
    if hook.event == "UserPromptSubmit":  # which would have said something
        assert "pnpm" in stage.run(hook, raw).context
