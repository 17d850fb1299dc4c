"""Searching with a pattern that a model wrote, without letting the pattern decide how long it takes. Req: B4.

Python's `re` backtracks, so a short hostile pattern can run for years. It looks for signals while it does: a timer of
CPU time ends it. Where no timer can be set (not the main thread, no POSIX), only literal text is searched for.
"""

from __future__ import annotations

import re
import signal
import threading
import warnings
from collections.abc import Callable
from types import FrameType, TracebackType

from lib.model.sandbox import ToolError

SEARCHED_LINE = 20_000
MAX_PATTERN = 1000
META = re.compile(r"[.^$*+?{}\[\]\\|()]")


class TooSlow(Exception):
    """The CPU seconds of a search are used up."""


def finder(pattern: str, *, literal: bool = False, ignore_case: bool = False) -> Callable[[str], bool]:
    """A test for one line. Raises ToolError for a pattern that is no regular expression, with what to do."""
    if not pattern or len(pattern) > MAX_PATTERN:
        raise ToolError(f"The pattern is empty or longer than {MAX_PATTERN} characters.")
    if literal or not META.search(pattern):
        if not ignore_case:
            return lambda line: pattern in line
        folded = pattern.casefold()
        return lambda line: folded in line.casefold()
    if not CpuLimit.possible():
        raise ToolError("Only literal text can be searched for here; set literal to true.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            search = re.compile(pattern, re.IGNORECASE if ignore_case else 0).search
    except (re.error, RecursionError, OverflowError) as error:
        raise ToolError(f"The pattern is no regular expression ({error}); set literal to true.") from None
    return lambda line: search(line[:SEARCHED_LINE]) is not None


class CpuLimit:
    """Raises TooSlow inside its block after so many seconds of CPU time; does nothing where it is not possible."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._on = self.possible()

    @staticmethod
    def possible() -> bool:
        return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()

    def __enter__(self) -> CpuLimit:
        if self._on:
            self._before = signal.signal(signal.SIGVTALRM, self._end)
            signal.setitimer(signal.ITIMER_VIRTUAL, self._seconds)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._on:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, self._before)

    def _end(self, number: int, frame: FrameType | None) -> None:
        raise TooSlow
