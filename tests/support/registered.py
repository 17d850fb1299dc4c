"""Hooks run as the client runs them: the registered shell command, one JSON object on stdin, all pipes watched."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lib.host import paths, registration
from lib.host.registration import Hook

ROOT = Path(__file__).resolve().parent.parent.parent
SESSION = "3f0c4b1e-9d43-4c57-9e3f-0d7f0b9c2a11"
SECRET = "made-up-value-that-may-appear-nowhere"
EXEC_LOOKS = 40  # 5 ms apart: how long a process may take to become another
PATIENCE = 10.0  # seconds, then a hook counts as hung


@dataclass(frozen=True)
class Ran:
    """How one run ended; `status` is None when it had to be killed."""

    event: str
    status: int | None
    out: bytes
    err: bytes

    @property
    def context(self) -> str:
        """What the hook tells the model, "" when it is silent."""
        return str(json.loads(self.out)["hookSpecificOutput"]["additionalContext"]) if self.out else ""

    def harm(self) -> str:
        """What about this run could hurt the host, or ""."""
        if self.status is None:
            return f"still running after {PATIENCE} s"
        if self.status != 0:
            return f"exit status {self.status}"
        if self.err:
            return f"stderr: {self.err[:300]!r}"
        if not self.out:
            return ""
        try:
            value = json.loads(self.out.decode("utf-8"))
            output = value["hookSpecificOutput"]
            text = output["additionalContext"]
        except (ValueError, KeyError, TypeError) as error:
            return f"stdout is not one reply ({error!r}): {self.out[:300]!r}"
        if set(value) != {"hookSpecificOutput"} or set(output) != {"hookEventName", "additionalContext"}:
            return f"stdout carries more than the reply: {self.out[:300]!r}"
        if output["hookEventName"] != self.event or not isinstance(text, str) or len(text) > 9_500:
            return f"the reply is not this event's, or too long: {self.out[:300]!r}"
        return ""


@dataclass(frozen=True)
class Stage:
    """One person's machine in a temporary folder: `home`, its client configuration and one project."""

    home: Path
    project: Path

    @property
    def config(self) -> Path:
        return self.home / ".claude"

    @property
    def own(self) -> Path:
        return self.config / "memory-hooks"

    @property
    def memory(self) -> Path:
        return Path(paths.memory_path(str(self.project), self.environment(), {}))

    @property
    def transcript(self) -> Path:
        return self.config / "projects" / paths.slug(os.path.realpath(self.project)) / f"{SESSION}.jsonl"

    def environment(self, **changes: str | None) -> dict[str, str]:
        """A hook's environment as the client makes it, secrets of the person's included; None takes one out."""
        made: dict[str, str | None] = {
            "PATH": os.environ["PATH"], "HOME": str(self.home), "CLAUDE_CONFIG_DIR": str(self.config),
            "CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": str(self.project), "CLAUDE_CODE_SESSION_ID": SESSION,
            "CLAUDE_CODE_ENTRYPOINT": "cli", "AWS_SECRET_ACCESS_KEY": SECRET, "GITHUB_TOKEN": SECRET, **changes,
        }  # fmt: skip
        return {name: value for name, value in made.items() if value is not None}

    def payload(self, event: str, **changes: Any) -> dict[str, Any]:
        """What the client sends for this event."""
        common = {
            "session_id": SESSION, "transcript_path": str(self.transcript), "cwd": str(self.project),
            "hook_event_name": event, "prompt_id": "b8f3c1de-0000-4000-8000-000000000001", "permission_mode": "default",
        }  # fmt: skip
        return {**common, **self._own_fields(event), **changes}

    def _own_fields(self, event: str) -> dict[str, Any]:
        note = str(self.project / "note.txt")
        agent = {"agent_id": "a7c9d0e1f2", "agent_type": "reviewer"}
        run = self.transcript.with_suffix("") / "subagents" / "agent-a7c9d0e1f2.jsonl"
        fields: dict[str, dict[str, Any]] = {
            "SessionStart": {"source": "startup"},
            "UserPromptSubmit": {"prompt": "add a dependency"},
            "PostToolUse": {
                "tool_name": "Write", "tool_input": {"file_path": note, "content": "hello\n"},
                "tool_response": {"type": "create", "filePath": note}, "tool_use_id": "toolu_01", "duration_ms": 12,
            },
            "PreCompact": {"trigger": "manual", "custom_instructions": ""},
            "Stop": {"stop_hook_active": False, "last_assistant_message": "Done."},
            "SubagentStart": agent,
            "SubagentStop": {**agent, "agent_transcript_path": str(run), "last_assistant_message": "Done."},
        }  # fmt: skip
        return fields[event]

    def run(
        self, hook: Hook, stdin: bytes | Iterable[bytes], *, env: Mapping[str, str] | None = None,
        cwd: Path | None = None, keep_open: bool = False, before: Sequence[str] = (), after: Sequence[str] = (),
        under: Sequence[str] = (),
    ) -> Ran:  # fmt: skip
        """Run `hook` as registered, in a shell that runs the lines `before` and `after` it, started `under` a command.

        `stdin` may come in pieces (a hundredth of a second apart); `keep_open` never closes it.
        """
        ending = ["status=$?", *after, "exit $status"] if after else []
        script = "\n".join([*before, registration.command(hook, sys.executable, str(ROOT)), *ending])
        reading, writing = os.pipe()
        process = subprocess.Popen(
            [*under, "sh", "-c", script], stdin=reading, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            cwd=cwd or self.project, env=self.environment() if env is None else env, start_new_session=True,
        )  # fmt: skip
        os.close(reading)
        feeder = threading.Thread(target=_feed, args=(writing, stdin, not keep_open), daemon=True)
        feeder.start()
        status: int | None = None
        try:
            # Returns when both pipes are at their end: like the host, it waits for whoever inherited them.
            out, err = process.communicate(timeout=PATIENCE)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
        feeder.join()
        if keep_open:
            os.close(writing)
        return Ran(hook.event, status, out, err)

    def log(self) -> list[dict[str, Any]]:
        """The lines of our log; a line that is not JSON fails the test."""
        path = self.own / "log.jsonl"
        return [json.loads(line) for line in path.read_bytes().splitlines()] if path.is_file() else []

    def journal(self) -> list[dict[str, Any]]:
        """Every event of every session's journal; a line that is not JSON fails the test."""
        journals = sorted(self.own.rglob("journal/*.jsonl"))
        return [json.loads(line) for path in journals for line in path.read_bytes().splitlines()]

    def leaks(self) -> list[str]:
        """Files of ours that hold a value of the environment."""
        held = [path for path in self.own.rglob("*") if path.is_file() and not path.is_symlink()]
        return [str(path) for path in held if SECRET.encode() in path.read_bytes()]

    def processes(self) -> list[int]:
        """Living processes that were started with this stage's configuration."""
        mark = f"CLAUDE_CONFIG_DIR={self.config}".encode()
        return [pid for pid in _pids() if mark in _environment_of(pid) and pid != os.getpid()]

    def settle(self, seconds: float = 20.0) -> None:
        """Wait until no process of this stage is left; whatever still lives then is killed and fails the test."""
        end = time.monotonic() + seconds
        while (left := self.processes()) and time.monotonic() < end:
            time.sleep(0.05)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        assert not left, f"processes left behind {seconds} s after the last hook: {left}"


def _feed(descriptor: int, stdin: bytes | Iterable[bytes], close: bool) -> None:
    try:
        if isinstance(stdin, bytes):
            _write(descriptor, stdin)
        else:
            for piece in stdin:
                _write(descriptor, piece)
                time.sleep(0.01)
    except BrokenPipeError:
        pass  # the hook has ended without reading everything
    if close:
        os.close(descriptor)


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()] if os.path.isdir("/proc") else []


def _environment_of(pid: int) -> list[bytes]:
    """What a living process was started with; waits out an exec, in whose midst the kernel shows an empty one."""
    for _ in range(EXEC_LOOKS):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if found := file.read():
                    return found.split(b"\0")
            os.readlink(f"/proc/{pid}/exe")  # a kernel thread and a zombie have none, and no environment to come
        except OSError:
            return []
        time.sleep(0.005)
    return []
