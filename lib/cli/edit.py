"""`memory.py edit NAME [--from FILE]`: a memory in $VISUAL or $EDITOR, checked before it is saved. Req: A2, J1.

What is wrong, and what would overwrite another's change, is kept aside in a file and named; the memory stays as it was.
`--from` goes on with such a file.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping

from lib.cli import mending, screen
from lib.cli.arguments import given
from lib.cli.place import Place, Trouble, file_of, inside
from lib.memory import checks, secrets, transaction
from lib.memory.transaction import Change

USAGE = "edit NAME [--from FILE]"
ASIDE = "edits"
_USUAL = ("editor", "nano", "vi", "notepad")


def run(arguments: list[str], place: Place) -> int:
    """One entry of the history when the text changed."""
    asked = given(USAGE, arguments, least=1, most=1)
    file = inside(place.memory, asked.names[0])
    before = transaction.current(place.memory, file)
    if before is None:
        raise Trouble(f"{file_of(place.memory, file)} cannot be read; check its permissions")
    start = _read(asked.options["--from"]) if "--from" in asked else before
    text = edited(file, start, editor(os.environ))
    if text == before:
        screen.say(f"{file} is unchanged.")
        return 0
    problem = objection(file, text, before)
    if problem:
        raise Trouble(_kept(place, file, text, problem))
    left = mending.apply(place, [Change(file, text, before)], f"{file} edited")
    if file in left:
        raise Trouble(_kept(place, file, text, f"{file} was {left[file]}" if "meanwhile" in left[file] else left[file]))
    screen.say(f"{file} is saved; memory.py undo takes it back")
    return 0


def editor(env: Mapping[str, str]) -> list[str]:
    """The command of the person's editor. Raises Trouble where there is none."""
    named = env.get("VISUAL") or env.get("EDITOR")
    try:
        command = shlex.split(named) if named else [name for name in _USUAL if shutil.which(name)][:1]
    except ValueError as error:
        raise Trouble(f"$EDITOR is {named!r}, which is no command ({error}); set it to one, such as nano") from error
    if not command:
        raise Trouble("there is no editor: set EDITOR to one, such as `EDITOR=nano memory.py edit NAME`")
    if shutil.which(command[0]) is None:
        raise Trouble(f"the editor {command[0]!r} is not there; set EDITOR to one that is")
    return command


def edited(file: str, text: str, command: list[str]) -> str:
    """The text as the person left it; raises Trouble when the editor did not end well."""
    with tempfile.TemporaryDirectory(prefix="memory-hooks-") as folder:
        path = os.path.join(folder, file)
        with open(path, "wb") as draft:
            draft.write(text.encode("utf-8", "surrogateescape"))
        try:
            status = subprocess.call([*command, path])
        except OSError as error:
            raise Trouble(f"the editor {command[0]!r} cannot be started ({error.strerror})") from error
        if status:
            raise Trouble(f"the editor {command[0]!r} ended with status {status}; nothing was changed")
        return _read(path)


def objection(file: str, text: str, before: str) -> str:
    """What is wrong with an edited text that was not wrong before, or ""."""
    if found := secrets.scan(text):
        return f"line {found[0].line} holds what looks like a secret ({found[0].rule})"
    if any("\udc80" <= c <= "\udcff" for c in text):
        return "it is no UTF-8 text"
    problem = checks.check(file, text)
    return "" if problem == checks.check(file, before) else problem


def _read(path: str) -> str:
    try:
        with open(path, "rb") as file:
            data = file.read(transaction.WHOLE + 1)
    except OSError as error:
        raise Trouble(f"{path} cannot be read ({error.strerror}); nothing was changed") from error
    if len(data) > transaction.WHOLE:
        raise Trouble(f"{path} is over {transaction.WHOLE} bytes; a memory states one fact")
    return data.decode("utf-8", "surrogateescape")


def _kept(place: Place, file: str, text: str, problem: str) -> str:
    """The sentence for a text that is not saved: where it lies now, and how to go on with it."""
    folder = os.path.join(place.state, ASIDE)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    path = os.path.join(folder, f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{file}")
    with open(path, "xb") as aside:
        aside.write(text.encode("utf-8", "surrogateescape"))
    return f"not saved: {problem.rstrip('.')}. Your text is kept in {path}; go on with " \
           f"`memory.py edit {shlex.quote(file)} --from {shlex.quote(path)}`"
