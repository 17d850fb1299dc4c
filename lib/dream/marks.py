"""What a project's consolidations remember between runs: how far each daily log was read, and failures in a row."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field

from lib.host import replacement

NAME = "dream.json"


@dataclass
class Marks:
    """`logs`: log -> bytes read; `failures`: runs that ended badly since the last good one."""

    logs: dict[str, int] = field(default_factory=dict)
    failures: int = 0


def load(state: str) -> Marks:
    """The marks of a project; fresh ones when there are none or they are damaged."""
    try:
        with open(os.path.join(state, NAME), "rb") as file:
            raw = json.load(file)
        logs, failures = raw["logs"], raw["failures"]
        read = {str(name): end for name, end in logs.items() if type(end) is int and end >= 0}
        return Marks(read, failures if type(failures) is int and failures >= 0 else 0)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Marks()


def save(state: str, marks: Marks) -> None:
    """Replace the marks as a whole. Raises OSError."""
    os.makedirs(state, mode=0o700, exist_ok=True)
    replacement.put(os.path.join(state, NAME), json.dumps(vars(marks)).encode("ascii"))
