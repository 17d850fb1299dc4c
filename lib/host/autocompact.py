"""Whether the client compacts by itself: without that a session summary would have no reader. Req: D2."""

from __future__ import annotations

import os

from lib.host import jsontext, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

KEY = "autoCompactEnabled"
_VARIABLES = ("DISABLE_AUTO_COMPACT", "DISABLE_COMPACT")
_READ = 64_000_000  # bytes; the client's own state file can be large


def enabled(env: Mapping[str, str], settings: paths.Chain) -> bool:
    """False when the environment, the settings or the client's own state file switch it off; on by default."""
    if any(env.get(name, "").lower() in ("1", "true", "yes", "on") for name in _VARIABLES):
        return False
    if isinstance(chosen := settings.get(KEY), bool):
        return chosen
    config = paths.config_dir(env)
    places = [config, os.path.dirname(config), paths.home(env)] if config else []
    return not any(_switched_off(os.path.join(place, ".claude.json")) for place in places if place)


def _switched_off(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            raw = file.read(_READ)
        if KEY.encode() not in raw:
            return False  # most never touched it: nothing to take apart
        value = jsontext.loads(raw)
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(value, dict) and value.get(KEY) is False
