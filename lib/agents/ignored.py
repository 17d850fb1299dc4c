"""The lock beside an agent's memories is nobody's change: git is told to pass it over. Req: F1."""

from __future__ import annotations

import os

from lib.agents.scopes import Scope
from lib.memory import lock

FILE = ".gitignore"


def shield(scope: Scope) -> None:
    """Leave a `.gitignore` that names our lock and itself in a directory of the repository that has none."""
    if scope.kind == "user" or not os.path.isdir(scope.memory):
        return
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(os.path.join(scope.memory, FILE), flags, 0o644)
    except OSError:
        return  # there is one already, the person's or ours
    try:
        os.write(descriptor, f"{lock.NAME}\n{FILE}\n".encode())
    finally:
        os.close(descriptor)
