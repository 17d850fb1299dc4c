"""`memory.py recall-only [--all]`: go on recalling, but learn, summarize and consolidate nothing. Req: J6."""

from __future__ import annotations

from lib.cli import resting
from lib.cli.place import Place
from lib.host.call import RECALL_ONLY

USAGE = "recall-only [--all]"


def run(arguments: list[str], place: Place) -> int:
    return resting.switch(USAGE, arguments, place, RECALL_ONLY)
