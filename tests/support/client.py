"""The real client, headless, in a home of its own and against a scripted API.

It is found in the ignored folder where `python tests` installs it, or where MEMORY_HOOKS_TEST_CLIENT points.
"""
from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.netns import Network

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "tests" / ".clients"
PACKAGE = "@anthropic-ai/claude-code"
VERSION = "2.1.332"
QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_AUTOUPDATER": "1",
}
MADE_UP_KEY = "sk-ant-made-up-for-a-test"


def binary() -> Path | None:
    """The client's native binary (Node is not needed to run it), or None when it is not installed."""
    named = os.environ.get("MEMORY_HOOKS_TEST_CLIENT")
    if named:
        return Path(named)
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(platform.machine().lower())
    system = {"Linux": "linux", "Darwin": "darwin"}.get(platform.system())
    found = sorted((FOLDER / "node_modules").glob(f"{PACKAGE}-{system}-{machine}*/claude"))
    return found[0] if found else None


@dataclass(frozen=True)
class Outcome:
    """How one headless run ended; `result` is the client's own result object, times are monotonic seconds."""

    status: int
    result: Mapping[str, Any]
    stdout: str
    stderr: str
    started: float
    ended: float

    @property
    def session(self) -> str:
        return str(self.result.get("session_id", ""))


@dataclass(frozen=True)
class Client:
    """One person's client: `home` holds its configuration, `api` is the base URL it talks to."""

    program: Path
    home: Path
    api: str
    network: Network

    @property
    def config(self) -> Path:
        return self.home / ".claude"

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """Nothing of the machine's own but PATH and LANG: it may hold keys and CLAUDE_* variables."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        own = {"HOME": str(self.home), "CLAUDE_CONFIG_DIR": str(self.config)}
        api = {"ANTHROPIC_BASE_URL": self.api, "ANTHROPIC_API_KEY": MADE_UP_KEY}
        return {**kept, **QUIET, **own, **api, **(extra or {})}

    def run(
        self, prompt: str, cwd: Path, *arguments: str, env: Mapping[str, str] | None = None, seconds: float = 90.0
    ) -> Outcome:
        """One `claude -p`; over the deadline the process (only this one and its group) is killed."""
        argv = [str(self.program), "-p", prompt, "--output-format", "json", *arguments]
        started = time.monotonic()
        process = subprocess.Popen(
            self.network.command(argv), cwd=cwd, env=self.environment(env), start_new_session=True, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            raise AssertionError(f"the client ran over {seconds} s\n{out}\n{err}") from None
        ended = time.monotonic()
        return Outcome(process.returncode, _result(out), out, err, started, ended)


def _result(stdout: str) -> Mapping[str, Any]:
    try:
        found = json.loads(stdout)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
