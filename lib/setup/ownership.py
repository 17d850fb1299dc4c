"""Which registered commands are ours: exact proofs only, never a part of a string.

A command carries no tag of its own. A trailing `# tag` would become arguments wherever the shell is not sh, and an
extra option would change the form that hosts compare to collapse equal commands. So a command is ours when

1. it is one that we wrote (the install record keeps each command letter by letter), or
2. its script lies in `hooks/` of a checkout that carries our mark, however the command spells the path, or
3. its script is gone, and the command is what the table gives for that event, letter by letter. Such a leftover of a
   deleted checkout exits with status 2, which makes the client throw the person's prompt away: it must not stay.

A person's own hook in a folder that is merely called like ours meets none of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from lib.host import hosts, registration

_MARK_READ = 65_536  # bytes of the mark file that are looked at
_OPTIONS_WITH_VALUE = ("-W", "-X", "--check-hash-based-pycs")
_PLAIN_STOPS = frozenset(" \t\n;&|<>()`$*?[]#~!{}")  # outside quotes the shell gives these a meaning of their own


class Ownership:
    """Judges commands; `recorded` are the ones that our install record names for this configuration."""

    def __init__(self, recorded: Iterable[str] = ()) -> None:
        self.recorded = frozenset(recorded)

    def owns(self, event: str, command: str) -> bool:
        """True when one of the three proofs holds."""
        if command in self.recorded:
            return True
        words = shell_words(command)
        script = script_of(words)
        if not script or os.path.basename(script) not in registration.SCRIPTS:
            return False
        hooks = os.path.dirname(script)
        if os.path.basename(hooks) != "hooks":
            return False
        if carries_mark(os.path.dirname(os.path.realpath(hooks))):
            return True
        return not os.path.lexists(script) and command in _spellings(event, words[0], os.path.dirname(hooks))


def carries_mark(root: str) -> bool:
    """True when `root` is a checkout of ours, seen by the mark in its registration table."""
    try:
        with Path(root, registration.MARK_FILE).open("rb") as file:
            return f'CHECKOUT_MARK = "{registration.CHECKOUT_MARK}"'.encode() in file.read(_MARK_READ)
    except OSError:
        return False


def script_of(words: list[str]) -> str:
    """The absolute path of the script in `python [options] script …`, else ""."""
    if not words:
        return ""
    python = os.path.basename(words[0]).lower().startswith(("python", "py.exe", "pypy", "graalpy"))
    if not python and tuple(words[1:3]) != registration.FLAGS:
        return ""
    rest = iter(words[1:])
    for word in rest:
        if word in _OPTIONS_WITH_VALUE:
            next(rest, None)
        elif word in ("-c", "-m"):
            return ""
        elif not word.startswith("-"):
            return word if os.path.isabs(word) else ""
    return ""


def shell_words(command: str) -> list[str]:
    """The words of a command that is one plain call; [] when the shell would do more with it than split it.

    Undoes `registration.quote`; single quotes and backslashes are read too, as in a command written by hand.
    """
    words: list[str] = []
    word: str | None = None
    quoting = ""
    letters = iter(command.strip())
    for letter in letters:
        if quoting == "'":
            word, quoting = (word, "") if letter == "'" else ((word or "") + letter, quoting)
        elif letter == "\\":
            following = next(letters, "")
            kept = "\\" if quoting and following not in '\\"$`' else ""
            word = (word or "") + kept + following
        elif quoting:
            if letter in "$`":
                return []
            word, quoting = (word, "") if letter == '"' else ((word or "") + letter, quoting)
        elif letter in "'\"":
            word, quoting = word or "", letter
        elif letter in " \t":
            if word is not None:
                words.append(word)
            word = None
        elif letter in _PLAIN_STOPS or (letter == "=" and not words):  # which would be an assignment before the call
            return []
        else:
            word = (word or "") + letter
    return [] if quoting else [*words, word] if word is not None else words


def _spellings(event: str, python: str, root: str) -> list[str]:
    rows = [*registration.HOOKS, *(hook for name in hosts.NAMES for hook in hosts.hooks(hosts.adapter(name)))]
    return [registration.command(hook, python, root) for hook in rows if hook.event == event]
