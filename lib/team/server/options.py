"""What the server was started with, handed to its worker processes by the environment. Req: H1."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace

from lib.team.server.limits import Limits

DATABASE = "MEMORY_TEAM_DATABASE"
RATE = "MEMORY_TEAM_RATE"
ENTRIES = "MEMORY_TEAM_ENTRIES"
DEFAULT_DATABASE = "team-memory.sqlite"  # in the working directory


@dataclass(frozen=True)
class Options:
    """The database's URL or file, and the limits that may be set."""

    database: str = DEFAULT_DATABASE
    limits: Limits = Limits()


def read(environment: Mapping[str, str]) -> Options:
    """From the environment; what is not set has its default. Raises ValueError for what is no number."""
    limits = Limits()
    if rate := environment.get(RATE):
        limits = replace(limits, rate=_number(RATE, rate))
    if entries := environment.get(ENTRIES):
        limits = replace(limits, entries=int(_number(ENTRIES, entries)))
    return Options(environment.get(DATABASE) or DEFAULT_DATABASE, limits)


def hand_on(options: Options) -> None:
    """Let the worker processes see the same options. Not by their command lines: the URL may hold a password."""
    os.environ[DATABASE] = options.database
    os.environ[RATE] = str(options.limits.rate)
    os.environ[ENTRIES] = str(options.limits.entries)


def _number(name: str, value: str) -> float:
    try:
        found = float(value)
    except ValueError:
        found = -1.0
    if not 0 <= found < 1e9:
        raise ValueError(f"{name} is {value!r}; it must be a number from 0 on.")
    return found
