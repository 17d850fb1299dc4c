"""A text that the client's slash command hands over on stdin, whole or not at all."""

from __future__ import annotations

import sys

from lib.cli.arguments import Given
from lib.cli.place import Trouble

LIMIT = 200_000  # bytes


def words(asked: Given) -> str:
    """The words of the command line; with the single name `-` what stdin holds, up to the line that --until names.

    Without that last line the text was cut on its way: Trouble.
    """
    if asked.names != ["-"]:
        return " ".join(asked.names)
    text = sys.stdin.buffer.read(LIMIT + 1).decode("utf-8", "replace")
    if len(text) > LIMIT:
        raise Trouble(f"more than {LIMIT} characters are no statement")
    end = asked.options.get("--until")
    if end is None:
        return text.strip()
    before, found, _ = text.rpartition(f"\n{end}\n")
    if not found:
        raise Trouble("the text was cut on its way here (it holds ```, which ends it), so nothing was done with it")
    return before.strip()
