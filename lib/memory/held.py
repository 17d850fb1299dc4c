"""Memories that code did not let in: kept apart, never recalled, for the person to judge. Req: J9."""
from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from lib.host import replacement

LIMIT = 200  # proposals kept; the oldest go first
_READ = 200_000  # bytes of one proposal


@dataclass(frozen=True)
class Proposal:
    """A held-back text: the `file` it was meant for, why it was held, when (seconds, epoch), from which session.

    `replaces` tells the version (a digest) of the file that it was made from and may take the place of; "" = no file.
    """

    file: str
    text: str
    reason: str
    session: str
    time: float
    replaces: str = ""


def folder(state: str) -> str:
    return os.path.join(state, "held")


def hold(state: str, file: str, text: str, *, reason: str, session: str, replaces: str = "") -> None:
    """Keep a proposal outside the memory directory; one for the same file replaces it. OSError passes through."""
    place = folder(state)
    os.makedirs(place, mode=0o700, exist_ok=True)
    path = _path(state, file)
    made = Proposal(file, text, reason, session, round(time.time(), 3), replaces)
    replacement.put(path, json.dumps(asdict(made)).encode("ascii"))
    for proposal in proposals(state)[LIMIT:]:
        discard(state, proposal.file)


def proposals(state: str) -> list[Proposal]:
    """What is held, newest first; a file that is no proposal is passed over."""
    found = []
    try:
        names = [name for name in os.listdir(folder(state)) if name.endswith(".json")]
    except OSError:
        return []
    for name in names:
        try:
            with open(os.path.join(folder(state), name), "rb") as file:
                data = json.loads(file.read(_READ))
        except (OSError, ValueError, RecursionError):
            continue
        if isinstance(data, dict) and (proposal := _proposal(data)):
            found.append(proposal)
    return sorted(found, key=lambda proposal: (-proposal.time, proposal.file))


def discard(state: str, file: str) -> None:
    """Forget a proposal; FileNotFoundError when there is none."""
    os.unlink(_path(state, file))


def _proposal(data: Mapping[str, object]) -> Proposal | None:
    texts = [data.get(key) for key in ("file", "text", "reason", "session")]
    at = data.get("time")
    if not all(isinstance(text, str) for text in texts) or not isinstance(at, (int, float)):
        return None
    file, text, reason, session = (str(text) for text in texts)
    replaces = data.get("replaces")
    return Proposal(file, text, reason, session, float(at), replaces if isinstance(replaces, str) else "")


def _path(state: str, file: str) -> str:
    return os.path.join(folder(state), f"{file.removesuffix('.md').replace('/', '+')}.json")
