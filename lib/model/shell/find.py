"""The find expressions that only look and print: an allowlist of predicates, each with its number of arguments.

Pure. Req: B4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lib.model.scope import Denied
from lib.model.shell.flags import Checked, Uses, Value, anything, matching, number, one_of

STARTS = frozenset(["(", ")", "!", ","])
BARE = frozenset(
    "( ) ! -not -a -and -o -or -print -print0 -ls -prune -quit -empty -readable -writable -executable -true -false"
    " -daystart -depth -mount -xdev -nouser -nogroup".split()
)
TIME = matching(r"[+-]?\d{1,9}(?:\.\d{1,6})?")
VALUED: Mapping[str, Value] = {
    **dict.fromkeys("-name -iname -path -ipath -wholename -iwholename -regex -iregex -printf".split(), anything),
    **dict.fromkeys("-maxdepth -mindepth".split(), matching(r"\d{1,6}")),
    **dict.fromkeys("-mtime -atime -ctime -mmin -amin -cmin".split(), TIME),
    **dict.fromkeys("-uid -gid -links -inum".split(), number),
    **dict.fromkeys("-user -group".split(), matching(r"[A-Za-z0-9_.-]{1,64}")),
    "-type": matching(r"[bcdpfls](?:,[bcdpfls]){0,6}"),
    "-size": matching(r"[+-]?\d{1,12}[bcwkMG]?"),
    "-perm": matching(r"[-/]?(?:[0-7]{1,4}|[ugoarwxst=+,-]{1,40})"),
    "-newermt": matching(r"[A-Za-z0-9 :+.-]{1,60}"),
    "-regextype": one_of("posix-basic", "posix-extended", "posix-egrep", "egrep", "emacs", "grep", "sed", "awk"),
}
FILES = frozenset(["-newer", "-anewer", "-cnewer"])


def check(args: Sequence[str]) -> Checked:
    """find: starting points first, then an expression of known predicates."""
    waiting = list(args)
    if waiting[:1] == ["-P"]:
        del waiting[0]
    paths: list[str] = []
    while waiting and not waiting[0].startswith("-") and waiting[0] not in STARTS:
        paths.append(waiting.pop(0))
    while waiting:
        word = waiting.pop(0)
        if word in BARE:
            continue
        if word not in VALUED and word not in FILES:
            return Denied(f"{word[:40]!r} is not allowed in find here; use -name, -type, -mtime, -size and the like.")
        if not waiting or (word in VALUED and not VALUED[word](waiting[0])):
            return Denied(f"The value of {word} is missing or not allowed.")
        value = waiting.pop(0)
        if word in FILES:
            paths.append(value)
    return Uses(tuple(paths))
