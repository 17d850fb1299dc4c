"""git run for the team's store: no hook, no prompt, no working tree, an end in time, and no more output than expected.

The person's own configuration counts (how a remote is reached, which credential helper), the host's GIT_* variables
do not. Req: H1.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from lib.team.problems import StoreProblem

OUTPUT = 16_000_000  # bytes of one command's answer
FILE = 256_000_000  # bytes of one file that git may write: a pack from a remote that never ends
SECONDS = 45.0
TOKEN = "MEMORY_HOOKS_TEAM_TOKEN"
_SETTINGS = (
    "core.hooksPath=/dev/null", "commit.gpgSign=false", "push.gpgSign=false", "gc.auto=0", "maintenance.auto=false",
    "core.fsmonitor=false", "protocol.ext.allow=never", "fetch.recurseSubmodules=false", "push.recurseSubmodules=no",
    "transfer.fsckObjects=true", "credential.interactive=false", "core.askPass=",
)  # fmt: skip
_KEPT = ("GIT_SSH", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_PROXY_COMMAND", "GIT_CONFIG_NOSYSTEM",
         "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_EXEC_PATH")  # fmt: skip


@dataclass(frozen=True)
class Answer:
    """How a command ended: its status, what it said on stdout, and the end of what it said on stderr, one line."""

    status: int
    out: bytes
    said: str


def available() -> bool:
    return shutil.which("git") is not None


def run(
    arguments: Sequence[str], *, folder: str, given: bytes = b"", seconds: float = SECONDS, limit: int = OUTPUT
) -> Answer:
    """Run git in `folder`. Raises StoreProblem when it cannot be started, is too slow or says more than `limit`."""
    options = [part for setting in _SETTINGS for part in ("-c", setting)]
    command = [shutil.which("git") or "git", *options, *arguments]
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stderr:
        stdin.write(given)
        stdin.seek(0)
        try:
            process = subprocess.Popen(
                command, stdin=stdin, stdout=subprocess.PIPE, stderr=stderr, cwd=folder, env=environment(),
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise StoreProblem(f"git cannot be started: {error}") from error
        _bound(process.pid)
        late = threading.Event()
        timer = threading.Timer(seconds, _expire, (process, late))
        timer.start()
        try:
            out = _all_of(process, limit)
        finally:
            timer.cancel()
            if process.poll() is None:
                _end(process)
                process.wait()
        stderr.seek(0, os.SEEK_END)
        stderr.seek(max(0, stderr.tell() - 2_000))
        said = _told(stderr.read().decode("utf-8", "replace"))
    if late.is_set():
        raise StoreProblem(f"git {arguments[0]} took longer than {seconds:.0f} s")
    if len(out) > limit:
        raise StoreProblem(f"git {arguments[0]} gave more than {limit} bytes: that is no team's memory")
    return Answer(process.returncode, out, said)


def _told(text: str) -> str:
    """What git said as one line, at first what the remote did; no password of an address."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    remote = [line for line in lines if line.startswith("remote:")]
    whole = " ".join([*remote, *(line for line in lines if line not in remote)])
    return re.sub(r"://[^/@\s]{1,300}@", "://", "".join(c for c in whole if c.isprintable()))[:400]


def _all_of(process: subprocess.Popen[bytes], limit: int) -> bytes:
    assert process.stdout is not None
    chunks: list[bytes] = []
    size = 0
    with process.stdout as stream:
        while size <= limit and (chunk := stream.read(1 << 16)):
            chunks.append(chunk)
            size += len(chunk)
        if size > limit:
            _end(process)
    process.wait()
    return b"".join(chunks)


def _expire(process: subprocess.Popen[bytes], late: threading.Event) -> None:
    late.set()
    _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """The command and what it started (ssh, a remote's helper): they are a session of their own."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, 9)
        else:
            process.kill()
    except OSError:
        return  # it ended by itself


def _bound(pid: int) -> None:
    """No file of it grows beyond FILE, where the system can say so of a process that runs."""
    try:
        import resource

        limit = getattr(resource, "prlimit")  # noqa: B009 - Linux alone has it
        limit(pid, resource.RLIMIT_FSIZE, (FILE, FILE))
    except (ImportError, AttributeError, OSError):
        return


def environment() -> dict[str, str]:
    """The person's environment without what would send git elsewhere, and with nobody to ask."""
    from lib.host.call import CHILD_MARK

    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT}
    # The token is for the team's server alone; without a display nobody can be asked.
    for name in (TOKEN, "SSH_ASKPASS", "DISPLAY", "WAYLAND_DISPLAY"):
        kept.pop(name, None)
    ssh = os.environ.get("GIT_SSH_COMMAND") or ("" if kept.get("GIT_SSH") else _ssh_command(kept.get("HOME", "")))
    if ssh:
        kept["GIT_SSH_COMMAND"] = f"{ssh} -oBatchMode=yes -oConnectTimeout=10"
    return {
        **kept, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "GCM_INTERACTIVE": "never",
        "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
        CHILD_MARK: "1",
    }  # fmt: skip


@functools.cache
def _ssh_command(home: str) -> str:
    """The person's own way to call ssh (core.sshCommand), else ssh itself; asked once."""
    command = [shutil.which("git") or "git", "config", "--global", "core.sshCommand"]
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT}
    try:
        done = subprocess.run(command, capture_output=True, timeout=10, env=env, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return "ssh"
    return done.stdout.decode("utf-8", "replace").strip() or "ssh"
