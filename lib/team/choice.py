"""What the person chose for one project: kept in our state, where no checked-out file can switch it on. Req: H1."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass

from lib.host import replacement
from lib.host.settings import Settings

FILE = "choice.json"
OFF, GIT, HTTP = "off", "git", "http"


@dataclass(frozen=True)
class Choice:
    """`transport` off, git or http; `remote` a name and `place` the fingerprint of where it led; `url`, `repo`."""

    transport: str = OFF
    remote: str = ""
    place: str = ""
    url: str = ""
    repo: str = ""

    @property
    def on(self) -> bool:
        return self.transport in (GIT, HTTP)


def load(folder: str) -> Choice:
    """The choice in a team's state folder; nothing readable there is off."""
    try:
        with open(os.path.join(folder, FILE), "rb") as file:
            raw = json.loads(file.read(65_536))
    except (OSError, ValueError, RecursionError):
        return Choice()
    if not isinstance(raw, dict):
        return Choice()
    return Choice(**{name: text for name in asdict(Choice()) if isinstance(text := raw.get(name), str)})


def save(folder: str, choice: Choice) -> None:
    """OSError passes through."""
    replacement.put(os.path.join(folder, FILE), json.dumps(asdict(choice)).encode())


def in_force(folder: str, settings: Settings) -> Choice:
    """The choice as the settings leave it: `memoryHooks.team.transport` "off", in whichever file, shares nothing."""
    return Choice() if settings.option("team.transport") == OFF else load(folder)
