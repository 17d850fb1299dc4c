"""The history as a git repository of its own, outside the memory directory. Req: J1.

Nothing of the machine's git has a say: no hooks, no signing, no system or user configuration, no attributes or ignore
files of the directory. Contents go in through fast-import, byte for byte, in one atomic step; no work tree is used.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

from lib.memory.archive import ArchiveProblem, Entry, read_entry

REF = "refs/heads/memory"
SECONDS = 60
_OFF = (
    "core.hooksPath=/dev/null", "commit.gpgSign=false", "gc.auto=0", "core.fsmonitor=false", "maintenance.auto=false",
)  # fmt: skip
_LOCKS = (f"{REF}.lock", "packed-refs.lock", "HEAD.lock")


def available() -> bool:
    return shutil.which("git") is not None


@dataclass(frozen=True)
class GitArchive:
    """`folder` is the repository; it is made when the first entry is added."""

    folder: str

    def head(self) -> dict[str, str]:
        if not self._begun():
            return {}
        found: dict[str, str] = {}
        for row in self._git("ls-tree", "-r", "-z", REF).split(b"\0"):
            about, tab, name = row.partition(b"\t")
            if tab:
                found[os.fsdecode(name)] = about.split()[2].decode("ascii")
        return found

    def add(self, entry: Entry, contents: Mapping[str, bytes]) -> None:
        begun = self._begun()
        if not begun:
            os.makedirs(os.path.dirname(self.folder), mode=0o700, exist_ok=True)
            self._git("init", "--quiet", "--bare", "--template=", self.folder)
        stream = _stream(entry, contents, begun)
        try:
            self._git("fast-import", "--quiet", given=stream)
        except ArchiveProblem:
            # One writer at a time comes here, so a lock file is what a killed git left.
            for name in _LOCKS:
                with contextlib.suppress(OSError):
                    os.unlink(os.path.join(self.folder, name))
            self._git("fast-import", "--quiet", given=stream)

    def entries(self) -> list[Entry]:
        """Newest first."""
        if not self._begun():
            return []
        found = []
        for row in self._git("log", "-z", "--format=%H%n%B", REF).decode("utf-8", "replace").split("\0"):
            ident, _, message = row.partition("\n")
            entry = read_entry(ident[:12], message.strip().rpartition("\n")[2])
            if entry:
                found.append(entry)
        return found

    def content(self, version: str) -> bytes:
        return self._git("cat-file", "blob", version)

    def _begun(self) -> bool:
        # By the file, not by what it resolves to: a damaged reference must be an error, not a fresh beginning.
        return any(os.path.exists(os.path.join(self.folder, name)) for name in (REF, "packed-refs"))

    def _git(self, *arguments: str, given: bytes = b"") -> bytes:
        done = self._run(*arguments, given=given)
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip()[-300:]
            raise ArchiveProblem(f"git {arguments[0]} in {self.folder}: {said or f'exit {done.returncode}'}")
        return done.stdout

    def _run(self, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        options = [part for setting in _OFF for part in ("-c", setting)]
        command = [shutil.which("git") or "git", f"--git-dir={self.folder}", *options, *arguments]
        try:
            return subprocess.run(
                command, input=given, capture_output=True, timeout=SECONDS, env=_environment(),
                cwd=os.path.dirname(self.folder),
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ArchiveProblem(f"git {arguments[0]} in {self.folder}: {error}") from error


def _environment() -> dict[str, str]:
    """PATH and what git needs to leave everybody's configuration alone; no GIT_* variable of the host."""
    return {
        "PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "HOME": os.devnull, "XDG_CONFIG_HOME": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_SYSTEM": os.devnull, "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0",
        "GIT_DEFAULT_REF_FORMAT": "files", "GIT_DEFAULT_HASH": "sha1",
        **{name: os.environ[name] for name in ("SYSTEMROOT", "TEMP", "TMPDIR") if name in os.environ},
    }  # fmt: skip


def _stream(entry: Entry, contents: Mapping[str, bytes], begun: bool) -> bytes:
    """The entry as fast-import reads it."""
    title = " ".join(f"{entry.note.who}: {entry.note.why}".split())[:200]
    message = f"{title}\n\n{entry.line}\n".encode("utf-8", "replace")
    rows = [
        b"commit %s\n" % REF.encode(),
        b"committer memory-hooks <memory-hooks@localhost> %d +0000\n" % int(entry.at),
        b"data %d\n%s\n" % (len(message), message),
    ]
    if begun:
        rows.append(b"from %s^0\n" % REF.encode())
    for name, (_, after) in entry.files.items():
        path = os.fsencode(name).replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
        if after is None:
            rows.append(b'D "%s"\n' % path)
        else:
            rows.append(b'M 100644 inline "%s"\ndata %d\n%s\n' % (path, len(contents[name]), contents[name]))
    return b"".join(rows)
