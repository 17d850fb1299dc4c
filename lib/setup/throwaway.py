"""A person's machine in a temporary folder: own home, own configuration, one project, and no key in the environment."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from lib.detach import WORKER_LOCK
from lib.host import paths
from lib.memory import lock
from lib.setup import process
from lib.setup.process import Ended

_CARRIED = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "PATHEXT", "COMSPEC")


class Machine:
    """`home`, `config` and `project` are folders below one temporary folder that goes with the machine."""

    def __init__(self, folder: str) -> None:
        self.home = os.path.join(folder, "home")
        self.config = os.path.join(self.home, ".claude")
        self.project = os.path.join(folder, "project")
        os.makedirs(self.config)
        # A project of its own, also when the temporary folder happens to lie in somebody's repository.
        os.makedirs(os.path.join(self.project, ".git"))

    @property
    def environment(self) -> dict[str, str]:
        carried = {name: os.environ[name] for name in _CARRIED if name in os.environ}
        own = {"HOME": self.home, "USERPROFILE": self.home, "CLAUDE_CONFIG_DIR": self.config}
        return {**carried, **own, "CLAUDE_PROJECT_DIR": self.project}

    @property
    def memory(self) -> Path:
        return Path(paths.memory_path(self.project, self.environment, {}))

    @property
    def state(self) -> Path:
        return Path(paths.state_dir(self.config, paths.project_root(self.project)))

    def transcript(self, session: str) -> Path:
        return Path(self.config, "projects", paths.slug(os.path.realpath(self.project)), f"{session}.jsonl")

    def payload(self, event: str, session: str, **fields: object) -> bytes:
        """What the client would send."""
        common = {
            "session_id": session,
            "transcript_path": str(self.transcript(session)),
            "cwd": self.project,
            "hook_event_name": event,
            "permission_mode": "default",
        }
        return json.dumps({**common, **fields}).encode()

    def speak(self, session: str, prompt: str, reply: str) -> None:
        """Write a transcript of one turn, in the client's form."""
        path = self.transcript(session)
        path.parent.mkdir(parents=True, exist_ok=True)
        now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
        common = {"sessionId": session, "cwd": self.project, "timestamp": now, "isSidechain": False}
        asked = {"type": "user", "uuid": "u1", "parentUuid": None, "message": {"role": "user", "content": prompt}}
        content = [{"type": "text", "text": reply}]
        said = {"type": "assistant", "uuid": "a1", "parentUuid": "u1",
                "message": {"id": "m1", "role": "assistant", "content": content}}  # fmt: skip
        path.write_text("".join(json.dumps({**common, **entry}) + "\n" for entry in (asked, said)), encoding="utf-8")

    def run(self, command: str, stdin: bytes, seconds: float) -> Ended:
        """Run a registered command through the shell."""
        return process.run([*shell(), command], seconds, stdin=stdin, env=self.environment, cwd=self.project)

    def log(self) -> list[str]:
        """What our log holds: each line is something that went wrong in a hook or in the worker."""
        try:
            rows = Path(paths.own_dir(self.config), "log.jsonl").read_text(encoding="utf-8").splitlines()
        except OSError:
            return []
        return [str(json.loads(row).get("what", row)) for row in rows]

    def settle(self, seconds: float) -> bool:
        """Wait until no worker of this machine is at work; False when one still is."""
        self.state.mkdir(parents=True, exist_ok=True)
        held = lock.acquire(str(self.state / WORKER_LOCK), seconds)
        if held is None:
            return False
        os.close(held)
        return True


@contextlib.contextmanager
def machine() -> Iterator[Machine]:
    """A machine that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="memory-hooks-", ignore_cleanup_errors=True) as folder:
        made = Machine(os.path.realpath(folder))
        yield made
        made.settle(5.0)


def shell(platform: str = sys.platform) -> list[str]:
    """The shell that the client hands a hook's command to."""
    if platform != "win32":
        return ["/bin/sh", "-c"]
    return [shutil.which("bash") or shutil.which("sh") or "bash", "-c"]
