"""The sessions that we start ourselves, known by a mark on disk and by the folder they run in. Design rule 10.

The environment's mark can get lost on the way through a client; a hook that sees either mark returns at once.
"""

from __future__ import annotations

import os
import time

from lib.host.paths import own_dir

_TAIL = os.path.join(os.sep, os.path.basename(own_dir("")), "child")
_KEPT = 200  # marks; a late hook of a child that has ended still finds its own


def folder(config: str) -> str:
    """Where a child runs that needs no project; whatever session begins in there is one of ours."""
    return os.path.join(own_dir(config), "child")


def known(config: str, session: str, cwd: str) -> bool:
    """Whether this session was started by us. `session` is a file name already checked."""
    # By its last parts: the client names the physical path, which need not begin as ours does.
    if cwd.endswith(_TAIL):
        return True
    return os.path.exists(os.path.join(_marks(config), session))


def mark(config: str, session: str) -> None:
    """Note a session before it starts; the oldest notes go. OSError passes through."""
    marks = _marks(config)
    os.makedirs(marks, mode=0o700, exist_ok=True)
    with open(os.path.join(marks, session), "w", encoding="ascii") as file:
        file.write(f"{time.time():.0f}\n")
    names = os.listdir(marks)
    if len(names) > _KEPT:
        by_age = sorted(names, key=lambda name: os.stat(os.path.join(marks, name)).st_mtime)
        for name in by_age[: len(names) - _KEPT]:
            os.unlink(os.path.join(marks, name))


def _marks(config: str) -> str:
    return os.path.join(own_dir(config), "children")
