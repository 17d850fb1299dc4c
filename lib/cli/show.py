"""`memory.py show NAME`: one memory as it is stored."""

from __future__ import annotations

from lib.cli.place import Place, Trouble, file_of, inside
from lib.memory import transaction
from lib.recall.escaping import visible


def run(arguments: list[str], place: Place) -> int:
    """The file's text and, first, where it lies."""
    if len(arguments) != 1:
        raise Trouble("show takes the name of one memory, such as `memory.py show use-pnpm`")
    file = inside(place.memory, arguments[0])
    text = transaction.current(place.memory, file)
    if text is None:
        raise Trouble(f"{file_of(place.memory, file)} cannot be read; check its permissions")
    print(file_of(place.memory, file))
    print(visible(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")).rstrip("\n"))
    return 0
