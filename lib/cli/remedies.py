"""What `doctor --fix` does: only what can be taken back, each after a yes. Req: J1."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable

from lib.cli import mending, resting, screen
from lib.cli.ailments import BY_ID
from lib.cli.examination import ROOT
from lib.cli.finding import Row
from lib.cli.place import Place, Trouble
from lib.dream import stamp
from lib.model import outage

SECONDS = 1_200  # for install.py, which may fetch packages


def offer(wrong: list[Row], place: Place, *, yes: bool) -> None:
    """Ask about each repair once, however many rows it mends. Raises Trouble where nobody can be asked."""
    done: set[str] = set()
    for row in wrong:
        if not row.mendable:
            continue
        key = f"install {row.host}" if _REMEDIES[row.ailment] is _install else f"{row.ailment} {row.what}"
        if key in done:
            continue
        done.add(key)
        answer = screen.confirmed(f"{BY_ID[row.ailment].title}: {BY_ID[row.ailment].mends}. Do it?", yes)
        if answer is None:
            raise Trouble("there is no terminal to ask on; say yes to every repair with --fix --yes")
        screen.say(f"{BY_ID[row.ailment].title}: {_REMEDIES[row.ailment](row, place) if answer else 'left'}")


def _install(row: Row, place: Place) -> str:
    """install.py for the configuration folder and the host that are meant, under the interpreter that runs us."""
    command = [sys.executable, os.path.join(ROOT, "install.py"), "--config-dir", place.config]
    if not os.path.isdir(os.path.join(ROOT, ".venv")):
        command.append("--no-venv")  # as it was set up: nothing is fetched that was not asked for
    if row.host:
        command += ["--host", row.host]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"install.py could not be run ({error})"
    last = (done.stderr.strip() or done.stdout.strip()).rpartition("\n")[2]
    return "install.py was run" if done.returncode == 0 else f"install.py failed: {last}"


def _forget_outage(row: Row, place: Place) -> str:
    outage.worked(place.config, row.what.partition(" ")[0])
    return "it is tried again when the next turn ends"


def _resume(row: Row, place: Place) -> str:
    for scope in (os.path.basename(place.state), resting.EVERYWHERE):
        resting.put(place.config, scope, "")
    return "resumed; memory.py pause takes it back"


def _mend_index(row: Row, place: Place) -> str:
    return mending.index(place) or "it is as the files are; memory.py undo takes it back"


def _set_lock_aside(row: Row, place: Place) -> str:
    path = os.path.join(place.memory, stamp.NAME)
    aside = f"{path}.{time.strftime('%Y%m%d-%H%M%S')}"
    try:
        os.rename(path, aside)
    except OSError as error:
        return f"could not be set aside ({error.strerror})"
    return f"it is {aside} now"


_REMEDIES: dict[str, Callable[[Row, Place], str]] = {
    **dict.fromkeys(
        ("hooks-missing", "interpreter-gone", "moved-checkout", "hook-fails", "commands-missing", "packages-missing",
         "other-host"), _install),
    "backend-failing": _forget_outage, "resting": _resume, "index-stale": _mend_index, "dead-lock": _set_lock_aside,
}  # fmt: skip
