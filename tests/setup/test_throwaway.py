from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from lib.host import paths
from lib.memory import lock
from lib.setup import throwaway


def test_everything_lies_in_one_folder_that_is_gone_afterwards() -> None:
    with throwaway.machine() as machine:
        folder = Path(machine.home).parent
        for path in (machine.config, machine.project, machine.memory, machine.state, machine.transcript("s")):
            assert Path(path).is_relative_to(folder)
        machine.speak("s", "hello", "hi")
        assert folder.is_dir()
    assert not folder.exists()


def test_no_key_and_no_home_of_the_person_is_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "GITHUB_TOKEN", "CLAUDECODE", "PYTHONPATH", "MEMORY_HOOKS_CHILD"):
        monkeypatch.setenv(name, "made-up")
    with throwaway.machine() as machine:
        ended = machine.run("env", b"", 10)
        told = dict(line.split("=", 1) for line in ended.out.decode().splitlines())
    assert "made-up" not in told.values()
    assert (told["HOME"], told["CLAUDE_CONFIG_DIR"]) == (machine.home, machine.config)


def test_a_command_runs_in_the_project_through_the_shell_with_its_input() -> None:
    with throwaway.machine() as machine:
        assert machine.run("pwd && cat", b"given", 10).out == f"{machine.project}\ngiven".encode()


def test_the_transcript_lies_where_the_client_puts_it() -> None:
    with throwaway.machine() as machine:
        machine.speak("s", "the prompt", "the reply")
        path = Path(machine.config, "projects", paths.slug(machine.project), "s.jsonl")
        entries = [json.loads(line) for line in path.read_text().splitlines()]
        payload = json.loads(machine.payload("Stop", "s", stop_hook_active=False))
    assert [entry["type"] for entry in entries] == ["user", "assistant"]
    assert entries[0]["message"]["content"] == "the prompt"
    assert {entry["cwd"] for entry in entries} == {machine.project}
    assert payload["transcript_path"] == str(path)
    assert (payload["hook_event_name"], payload["stop_hook_active"]) == ("Stop", False)


def test_it_waits_for_a_worker_but_not_for_ever() -> None:
    with throwaway.machine() as machine:
        assert machine.settle(0.0)
        held = lock.acquire(str(machine.state / "worker.lock"))
        assert held is not None
        assert not machine.settle(0.05)
        os.close(held)
        assert machine.settle(0.0)


def test_the_log_is_told_line_by_line() -> None:
    with throwaway.machine() as machine:
        assert machine.log() == []
        folder = Path(paths.own_dir(machine.config))
        folder.mkdir()
        (folder / "log.jsonl").write_text('{"t": 1, "hook": "Stop", "what": "wrong"}\n')
        assert machine.log() == ["wrong"]


def test_the_shell_is_the_one_the_client_uses() -> None:
    assert throwaway.shell("linux") == ["/bin/sh", "-c"]
    assert throwaway.shell("win32")[-1] == "-c"
