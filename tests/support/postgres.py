"""A PostgreSQL server of the test's own: a fresh cluster in a temporary folder, reached by a socket in it only."""
from __future__ import annotations

import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

import psycopg

MISSING = "PostgreSQL is not here (Debian: apt-get install postgresql)"
OWNER = "team"
READY_SECONDS = 30
FAST = ("-c", "fsync=off", "-c", "full_page_writes=off")  # nothing of a test outlives the machine's fall


def programs() -> Path | None:
    """The folder of initdb and postgres: the newest that Debian's packages left, or one in PATH; None = not here."""
    packaged = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: int(path.split("/")[4]))
    found = packaged[-1] if packaged else shutil.which("initdb")
    return Path(found).resolve().parent if found else None


def account() -> str:
    """Whose process it is: PostgreSQL refuses root, so its own user then, or nobody; "" = whoever runs the test."""
    if os.geteuid() != 0:
        return ""
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


class Cluster:
    """Started when made, and gone with its folder when closed; ended by the id of its process and no other way."""

    def __init__(self, options: Sequence[str] = FAST) -> None:
        folder = programs()
        assert folder is not None, MISSING
        self._base = Path(tempfile.mkdtemp(prefix="team-pg-", dir="/tmp"))
        self._server: subprocess.Popen[bytes] | None = None
        try:
            self._as = self._lowered(account())
            data = str(self._base / "data")
            self._run(str(folder / "initdb"), "-D", data, "-U", OWNER, "-A", "trust", "-E", "UTF8", "--no-locale", "-N")
            listening = ("-c", "listen_addresses=", "-k", str(self._base), "-c", "logging_collector=off")
            with open(self._base / "log", "wb") as log:
                self._server = subprocess.Popen(
                    [*self._as, str(folder / "postgres"), "-D", data, *listening, *options],
                    stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self._base,
                )  # fmt: skip
            self._wait()
        except (OSError, RuntimeError):
            self.close()
            raise

    def database(self) -> str:
        """The URL of an empty database: always the same one, as making one copies some hundred files."""
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
        return self._url("postgres")

    def close(self) -> None:
        if self._server is not None:
            self._server.send_signal(signal.SIGQUIT)  # at once: nobody needs what it stored
            try:
                self._server.wait(20)
            except subprocess.TimeoutExpired:
                self._server.kill()
                self._server.wait()
        shutil.rmtree(self._base, ignore_errors=True)

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _url(self, name: str) -> str:
        return f"postgresql://{OWNER}@/{name}?host={self._base}"

    def _lowered(self, user: str) -> list[str]:
        if not user:
            return []
        entry = pwd.getpwnam(user)
        os.chown(self._base, entry.pw_uid, entry.pw_gid)
        return ["setpriv", f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups"]

    def _run(self, *command: str) -> None:
        done = subprocess.run([*self._as, *command], capture_output=True, text=True, cwd=self._base)
        if done.returncode:
            raise RuntimeError(f"{command[0]} ended with {done.returncode}: {done.stderr[-500:]}")

    def _wait(self) -> None:
        assert self._server is not None
        until = time.monotonic() + READY_SECONDS
        while True:
            try:
                psycopg.connect(self._url("postgres"), connect_timeout=2).close()
                return
            except psycopg.OperationalError:
                if self._server.poll() is not None or time.monotonic() > until:
                    raise RuntimeError((self._base / "log").read_text(errors="replace")[-500:]) from None
                time.sleep(0.05)
