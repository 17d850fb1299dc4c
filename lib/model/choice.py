"""Who thinks in this run, and why. Req: B9, J3."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from lib.host import paths, program
from lib.host.program import Program
from lib.model import login, outage
from lib.model.login import KEYS

OLDEST = (2, 1, 0)  # of the clients that know every option we start one with
Backend = Literal["rules", "anthropic", "claude"]


class Options(Protocol):
    """The part of the settings that is asked here: the client's keys, and our own options by name."""

    def get(self, key: str, /) -> object: ...

    def option(self, name: str) -> object: ...


@dataclass(frozen=True)
class Choice:
    """The backend of this run; `reason` is one sentence for `status`, `doctor` and the log."""

    backend: Backend
    reason: str
    program: Program | None = None


def choose(
    settings: Options, env: Mapping[str, str], *, now: float | None = None, equipped: bool = False
) -> Choice:
    """The backend for these settings and this environment. `rules` whenever another one could not work.

    `equipped`: it is asked for an interpreter that has all packages, which this one need not have.
    `auto` takes the person's own client when it is installed and logged in, else a key in the environment, else rules.
    """
    wanted = str(settings.option("backend") or "auto").strip().lower()
    at = time.time() if now is None else now
    config = paths.config_dir(env)
    if wanted == "rules":
        return Choice("rules", "the settings ask for rules: nothing leaves this machine")
    if wanted == "anthropic":
        why = _no_key(config, env, at, equipped)
        asked = "the settings ask for anthropic"
        return Choice("rules", f"{asked}, but {why}") if why else Choice("anthropic", f"{asked} and a key is {_HERE}")
    if wanted == "claude":
        found = program.located(config, env)
        why = _no_client(config, found, at, equipped)
        if why:
            return Choice("rules", f"the settings ask for claude, but {why}")
        return _client(found, "as the settings ask")
    if wanted == "auto":
        return _auto(settings, config, env, at, equipped)
    return Choice("rules", f"{wanted[:40]!r} is no backend; use auto, claude, anthropic or rules")


_HERE = "in the environment"


def _auto(settings: Options, config: str, env: Mapping[str, str], now: float, equipped: bool) -> Choice:
    found = program.located(config, env)
    evidence = login.evidence(config, env, settings)
    no_client = _no_client(config, found, now, equipped) or ("" if evidence else "the client is not logged in")
    if not no_client:
        return _client(found, evidence)
    no_key = _no_key(config, env, now, equipped)
    if not no_key:
        return Choice("anthropic", f"{no_client}; a key is {_HERE}")
    return Choice("rules", f"{no_client}, and {no_key}")


def _client(found: Program | None, why: str) -> Choice:
    assert found is not None
    return Choice("claude", f"your own client thinks ({found.path}; {why})", found)


def _no_client(config: str, found: Program | None, now: float, equipped: bool) -> str:
    """Why the client cannot be used now, or ""."""
    if not (equipped or _installed("psutil")):
        return "psutil is not installed here (run install.py)"
    if found is None:
        return "no client was found (run install.py where it is on PATH)"
    if found.numbers and found.numbers < OLDEST:
        return f"the client {found.version} is too old (2.1 or newer is needed)"
    return _paused(config, "claude", now)


def _no_key(config: str, env: Mapping[str, str], now: float, equipped: bool) -> str:
    """Why the API cannot be used now, or ""."""
    if not any(env.get(key) for key in KEYS):
        return f"{KEYS[0]} is not {_HERE}"
    if not (equipped or _installed("anthropic")):
        return "the package anthropic is not installed here (run install.py)"
    return _paused(config, "anthropic", now)


def _installed(package: str) -> bool:
    """A plugin's Python may have no packages at all; looked for, not imported: that takes seconds."""
    return importlib.util.find_spec(package) is not None


def _paused(config: str, backend: str, now: float) -> str:
    """Why a backend that failed is left alone, or ""; a login that was renewed since ends the pause."""
    fault = outage.known(config, backend) if config else None
    if fault is None or not fault.lasts(now):
        return ""
    if backend == "claude" and fault.kind == "auth" and login.renewed(config, fault.since):
        return ""
    return f"{backend} failed ({fault.reason}) and is left alone until {outage.clock(fault.until)}"
