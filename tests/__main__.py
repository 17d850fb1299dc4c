"""Run every test: `python tests [pytest arguments]`, e.g. `python tests -k recall`.

Makes what it needs in ignored folders: `tests/.venv/<version>` with the requirements, and `tests/.clients`,
`tests/.clients-<host>` with the pinned clients from npm (skipped, with a line that says so, where npm is missing).
MEMORY_HOOKS_TEST_HOSTS="codex" leaves the other agents beside Claude Code out. Standard library only.
Exit status: pytest's, or 3 when the tests could not be set up.
"""
from __future__ import annotations

import sys

if sys.version_info < (3, 10):  # noqa: UP036 - said in one sentence, whatever runs this
    sys.exit("python tests needs Python 3.10 or newer; this is %d.%d (%s)" % (*sys.version_info[:2], sys.executable))  # noqa: UP031

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
REQUIREMENTS = tuple(ROOT / f"requirements{part}.txt" for part in ("", "-dev", "-server"))
INSTALL_SECONDS = 600  # for one client: some hundred MB
sys.path.insert(0, str(ROOT))


class SetupError(Exception):
    """The tests cannot start; the message is the sentence to show."""


def venv_python() -> Path:
    """The interpreter of the tests' own environment, made or renewed when the requirements changed."""
    folder = TESTS / ".venv" / f"{sys.version_info[0]}.{sys.version_info[1]}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp, wanted = folder / "requirements.sha256", _digest()
    if python.exists() and stamp.exists() and stamp.read_text(encoding="ascii") == wanted:
        return python
    print(f"tests: making {folder.relative_to(ROOT)} (once; takes about a minute)", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    _run([sys.executable, "-m", "venv", str(folder)], "a virtual environment could not be made (on Debian and Ubuntu: "
         "apt install python3-venv)")  # fmt: skip
    pip = [str(python), "-m", "pip", "install", "--quiet", "--quiet", "--disable-pip-version-check"]
    _run([*pip, "-r", str(REQUIREMENTS[1])], "the requirements could not be installed; without a network, run "
         "`python -m pytest` in an environment that has requirements-dev.txt")  # fmt: skip
    stamp.write_text(wanted, encoding="ascii")
    return python


def install_clients() -> None:
    """Put the pinned clients where the end-to-end tests look for them; a failure is told and only skips those."""
    from tests.support import client, other_clients

    manifest = client.FOLDER / "node_modules" / client.PACKAGE / "package.json"
    pinned = manifest.exists() and f'"version": "{client.VERSION}"' in manifest.read_text(encoding="utf-8")
    missing = []
    if not (pinned and client.binary() or os.environ.get("MEMORY_HOOKS_TEST_CLIENT")):
        missing.append((client.FOLDER, client.PACKAGE, client.VERSION))
    for host in other_clients.wanted():
        if not other_clients.installed(host):
            missing.append((other_clients.folder(host), *other_clients.PACKAGES[host]))
    npm = shutil.which("npm")
    if missing and npm is None:
        print("tests: npm is not here, so the end-to-end tests are skipped; install Node.js to run them", flush=True)
        return
    for folder, package, version in missing:
        _install(str(npm), folder, f"{package}@{version}")


def _install(npm: str, folder: Path, package: str) -> None:
    print(f"tests: installing {package} into {folder.relative_to(ROOT)}", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    # The scripts of these packages would only copy or build what is there already; none needs to run here.
    command = [npm, "install", "--prefix", str(folder), "--ignore-scripts", "--no-audit", "--no-fund"]
    try:
        done = subprocess.run([*command, "--loglevel=error", package], cwd=folder, timeout=INSTALL_SECONDS)
    except subprocess.TimeoutExpired:
        print(f"tests: npm took over {INSTALL_SECONDS} s; the end-to-end tests of that client are skipped", flush=True)
        return
    if done.returncode:
        print(f"tests: npm could not install it (exit {done.returncode}); its end-to-end tests are skipped", flush=True)


def _spread(arguments: list[str]) -> list[str]:
    """One process a core, unless the person says otherwise or wants to talk to the test."""
    own = ("-n", "--numprocesses", "-s", "--capture", "--pdb", "--collect-only", "--co")
    return [] if any(argument.startswith(own) for argument in arguments) else ["-n", "auto"]


def _digest() -> str:
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in REQUIREMENTS)).hexdigest()


def _run(command: list[str], otherwise: str) -> None:
    if subprocess.run(command).returncode:
        raise SetupError(f"{otherwise} (failed: {' '.join(command)})")


def main(arguments: list[str]) -> int:
    try:
        python = venv_python()
    except SetupError as error:
        print(f"tests: {error}", file=sys.stderr)
        return 3
    if "not e2e" not in " ".join(arguments):
        install_clients()
    return subprocess.run([str(python), "-m", "pytest", *_spread(arguments), *arguments], cwd=ROOT).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
