"""The slash commands that a person can type in the client: written into its `commands` folder, taken out. Req: G4.

A file of that name that is not ours is the person's: it is left alone and named.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from pathlib import Path

from lib.host.registration import CHECKOUT_MARK, quote
from lib.setup import user_file

FOLDER = "commands"
# Not memory.md: /memory is the client's own, which opens its memory files, and a command of that name would hide it or
# be hidden by it, as the version will have it.
NAMES = ("dream.md", "memories.md", "remember.md")


def install(config: str, python: str, root: str) -> list[str]:
    """Write each command; one sentence for each that could not be. Raises FileProblem."""
    told = []
    for name in NAMES:
        was = user_file.read(_path(config, name))
        if was.data is not None and not _ours(was.data):
            told.append(f"{was.path} is not ours and was left: /{name[:-3]} is the command that stands there")
            continue
        data = text(name, python, root).encode()
        if was.data != data:
            os.makedirs(os.path.dirname(was.path), exist_ok=True)
            user_file.write(was, data)
    return told


def uninstall(config: str) -> None:
    """Take our commands out, and the folder with them when nothing else is in it. Raises FileProblem."""
    for name in NAMES:
        was = user_file.read(_path(config, name))
        if was.data is not None and _ours(was.data):
            user_file.write(was, None)
            with contextlib.suppress(OSError):  # something else is in it
                os.rmdir(os.path.dirname(was.path))


def judged(config: str, root: str) -> list[tuple[str, str, str]]:
    """(path, problem, note) of each command as it stands; a person's own of that name is worth a note, no problem."""
    found = []
    for name in NAMES:
        path, title = _path(config, name), f"/{name[:-3]}"
        data = user_file.read(path).data
        if data is None:
            found.append((path, f"{title} is not there", ""))
        elif not _ours(data):
            found.append((path, "", f"{title} is a command of your own"))
        else:
            here = (shlex.quote(f"{root.rstrip('/')}/memory.py"), quote(f"{root.rstrip('/')}/memory.py"))
            problem = "" if any(word.encode() in data for word in here) else f"{title} runs another checkout"
            found.append((path, problem, title))
    return found


def text(name: str, python: str, root: str) -> str:
    """The command's file for this checkout.

    The client allows a command that is spelled as it would spell it itself: one operation, quotes only where needed.
    """
    template = Path(root, FOLDER, name).read_text(encoding="utf-8")
    word = quote if sys.platform == "win32" else shlex.quote
    command = f"{word(python)} {word(root.rstrip('/') + '/memory.py')} {name[:-3]}"
    return template.replace("{mark}", CHECKOUT_MARK).replace("{command}", command)


def _path(config: str, name: str) -> str:
    return os.path.join(config, FOLDER, name)


def _ours(data: bytes) -> bool:
    return f"\n# {CHECKOUT_MARK}\n".encode() in data[:300].replace(b"\r\n", b"\n")
