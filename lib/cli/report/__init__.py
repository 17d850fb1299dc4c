"""`memory.py report [--open=yes|no] [--out FILE]`: one HTML file of all that is remembered, and why. Req: J2."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from lib.cli.arguments import given
from lib.cli.place import Place, Trouble, Usage
from lib.cli.report import gathering, page
from lib.recall.escaping import visible

USAGE = "report [--open YES|NO] [--out FILE] [--json]"
FILE = "report.html"


def run(arguments: list[str], place: Place) -> int:
    """Write the file, say where it lies, and show it in the browser unless --open=no; a pipe opens nothing."""
    asked = given(USAGE, arguments)
    opened = asked.options.get("--open", "yes" if sys.stdout.isatty() else "no").lower()
    if opened not in ("yes", "no"):
        raise Usage(f"--open takes yes or no, but was given {asked.options['--open']!r}")
    path = os.path.abspath(asked.options.get("--out") or os.path.join(place.state, FILE))
    report = gathering.gathered(place, os.environ, time.time())
    data = page.html(report).encode("utf-8", "replace")
    _write(path, data)
    if asked.json:
        print(json.dumps({"file": path, "bytes": len(data), "memories": report.total, "shown": len(report.cards)}))
    else:
        print(visible(f"{path} ({len(data) / 1000:.0f} KB, {report.total} memories)"))
    if opened == "yes" and not _show(path):
        print("memory.py: no browser was found here: open the file yourself", file=sys.stderr)
    return 0


def _write(path: str, data: bytes) -> None:
    """The whole file or none, readable by its owner only: it holds every memory. Raises Trouble."""
    temp = f"{path}.{os.getpid()}.tmp"
    try:
        if os.path.isdir(path):
            raise Trouble(f"--out {path} is a folder: name a file in it")
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        descriptor = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
        with open(descriptor, "wb") as file:
            file.write(data)
        os.replace(temp, path)
    except OSError as error:
        raise Trouble(f"the report cannot be written to {path}: {error.strerror} ({error.filename})") from error


def _show(path: str) -> bool:
    """In a browser of the desktop; one that would take over the terminal is none."""
    import webbrowser

    if sys.platform not in ("win32", "darwin") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    return webbrowser.open(Path(path).as_uri())
