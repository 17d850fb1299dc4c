"""The models we ask by default, in one place. Req: C1, J3."""

from __future__ import annotations

from typing import Protocol

SONNET = "claude-sonnet-5-5"

DEFAULTS = {
    "extract": SONNET,
    "select": SONNET,
    "summary": SONNET,
    "dream": SONNET,
}


class Options(Protocol):
    """The part of the settings that is asked here: our own options by name, KeyError for one that does not exist."""

    def option(self, name: str) -> object: ...


def model(job: str, settings: Options | None = None) -> str:
    """The model for a job: the person's option `models.<job>` when it is a name, else the default."""
    try:
        chosen = settings.option(f"models.{job}") if settings is not None else None
    except KeyError:
        chosen = None
    if isinstance(chosen, str) and chosen.strip():
        return chosen.strip()
    return DEFAULTS.get(job, SONNET)
