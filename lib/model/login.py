"""Whether the client can be expected to be logged in: by what exists, never by what it says. Req: J3.

No credential is opened, read or printed; whether it is still good is learned from the first run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Protocol

CREDENTIALS = ".credentials.json"
KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
_TOKENS = ("CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY")
_PROVIDERS = ("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY")


class Chain(Protocol):
    """The part of the settings that is asked here: the client's own keys."""

    def get(self, key: str, /) -> object: ...


def evidence(config: str, env: Mapping[str, str], settings: Chain, platform: str = sys.platform) -> str:
    """What speaks for a login, as the middle of a sentence, or "" when nothing does."""
    if os.path.isfile(os.path.join(config, CREDENTIALS)):
        return "its login is stored"
    named = next((name for name in (*_TOKENS, *_PROVIDERS) if env.get(name)), "")
    if named:
        return f"{named} is in the environment"
    if settings.get("apiKeyHelper"):
        return "an apiKeyHelper is set"
    if platform == "darwin" and any(os.path.isfile(path) for path in _used(config)):
        return "it has been used here"  # its login lies in the keychain, which nobody asks without need
    return ""


def renewed(config: str, since: float) -> bool:
    """Whether the stored login changed after `since` (seconds since the epoch)."""
    try:
        return os.stat(os.path.join(config, CREDENTIALS)).st_mtime > since
    except OSError:
        return False


def stored(config: str) -> bool:
    return os.path.isfile(os.path.join(config, CREDENTIALS))


def _used(config: str) -> tuple[str, str]:
    return os.path.join(config, ".claude.json"), os.path.join(os.path.dirname(config), ".claude.json")
