"""`memory.py resume [--all]`: learn and recall again. Req: J6."""

from __future__ import annotations

from lib.cli import resting
from lib.cli.place import Place

USAGE = "resume [--all]"


def run(arguments: list[str], place: Place) -> int:
    return resting.switch(USAGE, arguments, place, "")
