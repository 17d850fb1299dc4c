"""What rests, and the person's switch of it: one small file that every hook reads with one `open`. Req: J6."""

from __future__ import annotations

import os

from lib.cli import screen
from lib.cli.arguments import given
from lib.cli.place import Place
from lib.host import paths, replacement
from lib.host.call import PAUSED, RECALL_ONLY, RESTING, resting
from lib.memory import lock

EVERYWHERE = "*"
WORDS = {PAUSED: "paused: nothing is learned or recalled", RECALL_ONLY: "recall only: nothing is learned", "": "on"}
_LOCK = "resting.lock"


def switch(usage: str, arguments: list[str], place: Place, mode: str) -> int:
    """Put `mode` ("" = on) for this project, with --all for every one, and say what holds now."""
    scope = EVERYWHERE if "--all" in given(usage, arguments) else os.path.basename(place.state)
    put(place.config, scope, mode)
    told(place)
    return 0


def mode(place: Place) -> str:
    """What holds for the place: PAUSED, RECALL_ONLY or ""."""
    return resting(place.config, os.path.basename(place.state))


def told(place: Place) -> None:
    """What holds here and everywhere, each with the way back."""
    rows = read(place.config)
    for scope, where, back in (
        (EVERYWHERE, "everywhere", "memory.py resume --all"),
        (os.path.basename(place.state), place.root, "memory.py resume"),
    ):
        how = rows.get(scope, "")
        if how or scope != EVERYWHERE:
            screen.say(f"{where}: {WORDS[how]}" + (f" (back: {back})" if how else ""))
    if rows.get(EVERYWHERE) and not rows.get(os.path.basename(place.state)):
        screen.say("what holds everywhere holds here too")


def read(config: str) -> dict[str, str]:
    """scope (a project's slug, or EVERYWHERE) -> mode."""
    try:
        with open(os.path.join(paths.own_dir(config), RESTING), encoding="utf-8", errors="surrogateescape") as file:
            rows = [line.rstrip("\n").split("\t") for line in file]
    except OSError:
        return {}
    return {row[0]: row[1] for row in rows if len(row) == 2 and row[1] in (PAUSED, RECALL_ONLY)}


def put(config: str, scope: str, mode: str) -> None:
    """Switch one scope; where nothing rests any more the file is gone, and the hooks' look at it costs nothing."""
    folder = paths.own_dir(config)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    path = os.path.join(folder, RESTING)
    held = lock.acquire(os.path.join(folder, _LOCK), lock.PATIENCE)
    if held is None:
        raise TimeoutError(f"another command has been switching {path} for more than {lock.PATIENCE} s")
    try:
        rows = {**read(config), scope: mode}
        kept = [f"{name}\t{how}\n" for name, how in sorted(rows.items()) if how]
        if not kept:
            if os.path.exists(path):
                os.unlink(path)
            return
        replacement.put(path, "".join(kept).encode("utf-8", "surrogateescape"))
    finally:
        os.close(held)
