"""`memory.py pause [--all]`: learn and recall nothing, here or everywhere; what is remembered stays. Req: J6."""

from __future__ import annotations

from lib.cli import resting
from lib.cli.place import Place
from lib.host.call import PAUSED

USAGE = "pause [--all]"


def run(arguments: list[str], place: Place) -> int:
    return resting.switch(USAGE, arguments, place, PAUSED)
