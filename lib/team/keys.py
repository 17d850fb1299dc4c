"""Which keys from outside become files here: each bad one is named and left out, the others stand. Pure. Req: H1."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from lib.memory.store import INDEX
from lib.team import wire

LIMIT = 10_000  # entries of one repository
NAMED = 100  # bad keys that are told one by one
REST = "…"  # stands for the bad keys beyond NAMED
SHOWN = 120  # characters of a bad key that are kept


def judged(keys: Iterable[object], known: Collection[str] = ()) -> tuple[list[str], dict[str, str]]:
    """(the keys that may be files, bad key -> why not); of two that are one file somewhere the `known` one stands.

    The index is no entry: each client makes its own from the files, so no two can fight over its lines.
    """
    good: dict[str, str] = {}
    bad: dict[str, str] = {}
    texts = {key for key in keys if isinstance(key, str)}
    for key in sorted(texts, key=lambda key: (key not in known, key)):
        if why := _refused(key):
            bad[key] = why
        elif (other := good.get(wire.folded(key))) is not None:
            bad[key] = f"it is the same file as {other} on some systems"
        elif len(good) == LIMIT:
            bad[key] = f"more than {LIMIT} entries"
        else:
            good[wire.folded(key)] = key
    return sorted(good.values()), bad


def _refused(key: str) -> str:
    if key.rpartition("/")[2].casefold() == INDEX.casefold():
        return "each machine makes its own index"
    return wire.unsafe_key(key)


def told(bad: dict[str, str]) -> dict[str, str]:
    """What is kept of such a list: the first NAMED, keys cut to SHOWN characters, and how many more there are."""
    rows = {key[:SHOWN]: why for key, why in sorted(bad.items())[:NAMED]}
    return {**rows, REST: f"{len(bad) - NAMED} more"} if len(bad) > NAMED else rows
