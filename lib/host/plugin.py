"""Loaded as the client's plugin: which copy of us acts when the settings register one too. Req: I3.

Only commands that carry OPTION load this module. The plugin's copy gives way, event by event: the settings' copy runs
under the interpreter that install.py made for it. A checkout is recognised by its mark, never by its name.
"""

from __future__ import annotations

import os
import sys

from lib.host import jsontext, paths, settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.host.call import Call

OPTION = "--plugin"
NOTE = "plugin.json"
FLOOR = (3, 10)  # a plugin cannot choose its Python; an older one does nothing rather than half of it
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_VENV = ("Scripts", "python.exe") if sys.platform == "win32" else ("bin", "python")
_MARK_LINE = b'CHECKOUT_MARK = "memory-hooks checkout '
_MARK_PLACE = ("lib", "host", "registration.py")
_MARK_READ = 65_536  # bytes


def gives_way(call: Call, script: str) -> bool:
    """True when a settings file registers a checkout of ours for this event, or this Python is too old.

    `script` is the hook's file name. What is so is left for `doctor` at the start of a session.
    """
    by = registered_in(call.event, script, _files(call))
    version = tuple(sys.version_info[:2])
    if call.event == "SessionStart" and "1" in sys.argv:
        _note(call.config, by, version)
    return bool(by) or version < FLOOR


def registered_in(event: str, script: str, files: list[str]) -> str:
    """The first of the settings files that registers a checkout of ours for the event, or ""."""
    for path in files:
        if any(_ours(command, script) for command in _commands(path, event)):
            return path
    return ""


def worker_python(root: str = ROOT) -> str:
    """The interpreter with the packages that the worker needs: the checkout's own, "" when it was not made yet."""
    own = os.path.join(root, ".venv", *_VENV)
    return own if os.access(own, os.X_OK) else ""


def _files(call: Call) -> list[str]:
    found = [os.path.join(call.config, "settings.json"), settings.managed_path()]
    for name in ("settings.json", "settings.local.json"):
        found.append(os.path.join(call.launch, ".claude", name))
    return found


def _commands(path: str, event: str) -> list[str]:
    try:
        with open(path, "rb", buffering=0) as file:
            data = jsontext.loads(file.read(settings.FILE_LIMIT).removeprefix(settings.BOM))
    except (OSError, ValueError, RecursionError):
        return []
    hooks = data.get("hooks") if isinstance(data, dict) else None
    groups = hooks.get(event) if isinstance(hooks, dict) else None
    runs = [group.get("hooks") for group in groups if isinstance(group, dict)] if isinstance(groups, list) else []
    rows = [run for listed in runs if isinstance(listed, list) for run in listed if isinstance(run, dict)]
    return [row["command"] for row in rows if isinstance(row.get("command"), str)]


def _ours(command: str, script: str) -> bool:
    """Whether one of the command's words is that script in a checkout that carries our mark."""
    ending = f"/hooks/{script}"
    return any(_marked(word[: -len(ending)]) for word in _words(command) if word.endswith(ending))


def _words(command: str) -> list[str]:
    """The words of a command of the form that registration.command writes: double quotes, backslash escapes."""
    words, word, quoted = [], "", False
    letters = iter(command)
    for letter in letters:
        if letter == "\\":
            word += next(letters, "")
        elif letter == '"':
            quoted = not quoted
        elif letter == " " and not quoted:
            words.append(word)
            word = ""
        else:
            word += letter
    return [*words, word]


def _marked(root: str) -> bool:
    try:
        with open(os.path.join(root, *_MARK_PLACE), "rb", buffering=0) as file:
            return _MARK_LINE in file.read(_MARK_READ)
    except (OSError, ValueError):
        return False


def _note(config: str, by: str, version: tuple[int, ...]) -> None:
    """Keep what `doctor` tells: where the plugin lies, what runs it, who acts instead; written when it changed."""
    path = os.path.join(paths.own_dir(config), NOTE)
    numbers = ".".join(map(str, version))
    told = {"root": ROOT, "python": sys.executable, "version": numbers, "quiet_for": by}
    text = jsontext.dumps(told) + "\n"
    try:
        with open(path, "rb", buffering=0) as file:
            if file.read(_MARK_READ) == text.encode("ascii"):
                os.utime(path)  # when it was last seen
                return
    except OSError:
        pass
    from lib.host import replacement

    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        replacement.put(path, text.encode("ascii"))
    except OSError:
        return  # doctor knows less; the session is not held up
