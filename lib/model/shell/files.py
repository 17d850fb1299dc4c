"""The files a command line names: glob patterns expanded by us, and every path checked against the roots. Req: B4."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence

from lib.model.credentials import is_credential
from lib.model.paths import Refused, inside, readable_below, real_roots
from lib.model.scope import Denied, Scope
from lib.model.shell.commands import check
from lib.model.shell.flags import Uses
from lib.model.shell.syntax import Argv, Pipeline, Pipelines
from lib.model.shell.words import Pattern
from lib.model.wildcards import One, Token, part_matches, tokens

MAX_MATCHES = 500
MAX_ARGUMENTS = 1000
MAX_SCANNED = 20_000  # entries for one part of a pattern
# A name that begins otherwise could be read as a flag, or as find's `(` and `!`.
PLAIN_START = re.compile(r"[\w./]")


def workplace(scope: Scope) -> str:
    """The folder that commands run in: the first root that may be read."""
    for root in (*scope.read_roots, scope.memory_dir):
        if isinstance(root, str) and os.path.isabs(root) and os.path.realpath(root) != os.sep:
            return os.path.realpath(root)
    return ""


def resolve(pipelines: Sequence[Sequence[Sequence[str]]], scope: Scope) -> Pipelines | Denied:
    """The same pipelines with every pattern expanded, when each command is allowed and all its paths lie inside.

    Recursive searches get flags more: they leave files of credentials out.
    """
    folder = workplace(scope)
    if not folder:
        return Denied("There is no folder that commands may read in this run.")
    roots = real_roots(scope.memory_dir, scope.read_roots)
    done = Pipelines()
    for pipeline in pipelines:
        stages = Pipeline(after=getattr(pipeline, "after", ";"))
        for argv in pipeline:
            words = _expanded(argv, folder, roots)
            if isinstance(words, Denied):
                return words
            uses = check(words)
            problem = uses.reason if isinstance(uses, Denied) else _problem(words[0], uses, folder, roots)
            if problem or isinstance(uses, Denied):
                return Denied(problem)
            # A program that walks folders by itself is told to pass files of credentials over.
            words[uses.place + 1 : uses.place + 1] = uses.leaves_out
            stages.append(Argv(words, getattr(argv, "redirections", ())))
        done.append(stages)
    return done


def _problem(command: str, uses: Uses, folder: str, roots: Sequence[str]) -> str:
    for path in uses.paths:
        if path == "-":
            continue
        place = readable_below(os.path.join(folder, path), roots) if path else Refused("A path is empty.")
        if isinstance(place, Refused):
            return place.reason
        if uses.plain and os.path.isdir(place.path):
            # diff and cmp look into folders by themselves, through links too.
            return f"{path!r} is a folder; {command} compares single files here."
    return ""


def _expanded(argv: Sequence[str], folder: str, roots: Sequence[str]) -> list[str] | Denied:
    words: list[str] = []
    for index, word in enumerate(argv):
        # What looks like a flag is never expanded: a file name could not become one, and --include=*.md means itself.
        if not isinstance(word, Pattern) or word.startswith("-"):
            words.append(str(word))
            continue
        if index == 0:
            return Denied("The command itself cannot be a pattern.")
        found = matches(word, folder, roots)
        if isinstance(found, Denied):
            return found
        words += found or [str(word)]
        if len(words) > MAX_ARGUMENTS:
            return Denied(f"The patterns match more than {MAX_ARGUMENTS} files together; narrow them.")
    return words


def matches(word: Pattern, folder: str, roots: Sequence[str]) -> list[str] | Denied:
    """The names that a pattern matches, sorted, as seen from `folder`; links out and credentials are left out."""
    parts = re.split(r"/+", word.glob.replace("\\/", "/"))
    # Each name so far with the physical path behind it.
    found = {os.sep: os.sep} if parts[0] == "" else {"": os.path.realpath(folder)}
    wanted = parts[1:] if parts[0] == "" else parts
    for index, part in enumerate(wanted):
        last = index == len(wanted) - 1
        if not _is_pattern(tokens(part)):
            literal = re.sub(r"\\(.)", r"\1", part)
            named = [os.path.join(name, literal) for name in found]
            found = {name: os.path.realpath(os.path.join(folder, name)) for name in named}
            if last:
                there = [name for name in found if os.path.lexists(os.path.join(folder, name))]
                found = {name: found[name] for name in there if _lies_inside(found[name], roots)}
            continue
        below = _below(found, part, roots)
        if isinstance(below, Denied):
            return below
        # What a pattern happens to match outside is passed over; only what was asked for by name is an error.
        found = {name: real for name, real in below.items() if _lies_inside(real, roots)}
        if not last:
            found = {name: real for name, real in found.items() if os.path.isdir(real)}
    if len(found) > MAX_MATCHES:
        return Denied(f"The pattern matches more than {MAX_MATCHES} files; narrow it.")
    return sorted(name if PLAIN_START.match(name) else f"./{name}" for name in found)


def _below(found: Mapping[str, str], part: str, roots: Sequence[str]) -> dict[str, str] | Denied:
    """The entries of these folders that one part of a pattern matches, with the physical path of each."""
    wanted, hidden = tokens(part), part.startswith((".", "\\."))
    below: dict[str, str] = {}
    left = MAX_SCANNED
    for name, folder in found.items():
        if not any(inside(folder, root) for root in roots):
            return Denied(f"The pattern looks into {name!r}, outside the folders that may be read.")
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    left -= 1
                    if left < 0:
                        return Denied("The pattern looks through too many files; name the folder.")
                    if (entry.name[0] != "." or hidden) and part_matches(wanted, entry.name):
                        # Only a link has another physical path than its folder's and its name.
                        real = os.path.realpath(entry.path) if entry.is_symlink() else entry.path
                        below[os.path.join(name, entry.name)] = real
        except OSError:
            continue
    return below


def _is_pattern(wanted: Sequence[Token]) -> bool:
    return any(
        not isinstance(t, One)
        or t.any
        or t.negated
        or t.classes
        or len(t.ranges) != 1
        or t.ranges[0][0] != t.ranges[0][1]
        for t in wanted
    )


def _lies_inside(real: str, roots: Sequence[str]) -> bool:
    return any(inside(real, root) for root in roots) and not is_credential(real, roots)
