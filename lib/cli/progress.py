"""How far long work has come, on the terminal's error stream: a pipe gets the result alone."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

T = TypeVar("T")
AFTER = 0.5  # seconds; what is done sooner needs no progress
EVERY = 0.1


def doing(line: str) -> None:
    """One step of work that tells its steps."""
    if sys.stderr.isatty():
        print(f"memory.py: {line} …", file=sys.stderr, flush=True)


def counted(items: Iterable[T], what: str, total: int = 0) -> Iterator[T]:
    """The items, with one line that counts them and is taken away at the end."""
    total = total or (len(items) if isinstance(items, Sized) else 0)
    if not sys.stderr.isatty():
        yield from items
        return
    started = last = time.monotonic()
    shown = False
    try:
        for number, item in enumerate(items, 1):
            yield item
            now = time.monotonic()
            if now - started > AFTER and now - last > EVERY:
                last, shown = now, True
                print(f"\r{what} {number}{f' of {total}' if total else ''} …", end="", file=sys.stderr, flush=True)
    finally:
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
