"""Who thinks in this run, and why. Req: B9, J3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
Backend = Literal["rules", "anthropic"]


class Options(Protocol):
    """The part of the settings that is asked here: our own options by name."""

    def option(self, name: str) -> object: ...


@dataclass(frozen=True)
class Choice:
    """The backend of this run; `reason` is one sentence for `status`, `doctor` and the log."""

    backend: Backend
    reason: str


def choose(settings: Options, env: Mapping[str, str]) -> Choice:
    """The backend for these settings and this environment. `rules` whenever another one could not work.

    `auto` stays offline: a key that lies in the environment for other work is spent only when it was asked for.
    """
    wanted = str(settings.option("backend") or "auto").strip().lower()
    if wanted == "anthropic":
        if any(env.get(key) for key in KEYS):
            return Choice("anthropic", "the settings ask for anthropic and a key is in the environment")
        return Choice("rules", f"the settings ask for anthropic, but {KEYS[0]} is not in the environment")
    if wanted == "rules":
        return Choice("rules", "the settings ask for rules: nothing leaves this machine")
    if wanted == "auto":
        return Choice("rules", "auto works offline; set backend to anthropic to use a model")
    return Choice("rules", f"{wanted[:40]!r} is no backend; use rules, anthropic or auto")
