"""The files a command line names: glob patterns expanded by us, and every path checked against the roots. Req: B4."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from lib.model.credentials import is_credential
from lib.model.paths import Refused, inside, readable, real_roots
from lib.model.scope import Denied, Scope
from lib.model.shell_commands import check
from lib.model.shell_flags import Uses
from lib.model.shell_syntax import Argv, Pipeline, Pipelines
from lib.model.shell_words import Pattern
from lib.model.wildcards import One, Token, part_matches, tokens

MAX_MATCHES = 500
MAX_ARGUMENTS = 1000
MAX_SCANNED = 20_000
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
    done = Pipelines()
    for pipeline in pipelines:
        stages = Pipeline(after=getattr(pipeline, "after", ";"))
        for argv in pipeline:
            words = _expanded(argv, folder, scope)
            if isinstance(words, Denied):
                return words
            uses = check(words)
            problem = uses.reason if isinstance(uses, Denied) else _problem(words[0], uses, folder, scope)
            if problem or isinstance(uses, Denied):
                return Denied(problem)
            # A program that walks folders by itself is told to pass files of credentials over.
            words[uses.place + 1 : uses.place + 1] = uses.leaves_out
            stages.append(Argv(words, getattr(argv, "redirections", ())))
        done.append(stages)
    return done


def _problem(command: str, uses: Uses, folder: str, scope: Scope) -> str:
    for path in uses.paths:
        if path == "-":
            continue
        place = (
            readable(os.path.join(folder, path), scope.memory_dir, scope.read_roots)
            if path
            else Refused("A path is empty.")
        )
        if isinstance(place, Refused):
            return place.reason
        if uses.plain and os.path.isdir(place.path):
            # diff and cmp look into folders by themselves, through links too.
            return f"{path!r} is a folder; {command} compares single files here."
    return ""


def _expanded(argv: Sequence[str], folder: str, scope: Scope) -> list[str] | Denied:
    words: list[str] = []
    for index, word in enumerate(argv):
        # What looks like a flag is never expanded: a file name could not become one, and --include=*.md means itself.
        if not isinstance(word, Pattern) or word.startswith("-"):
            words.append(str(word))
            continue
        if index == 0:
            return Denied("The command itself cannot be a pattern.")
        found = matches(word, folder, scope)
        if isinstance(found, Denied):
            return found
        words += found or [str(word)]
    if len(words) > MAX_ARGUMENTS:
        return Denied(f"The patterns match more than {MAX_ARGUMENTS} files together; narrow them.")
    return words


def matches(word: Pattern, folder: str, scope: Scope) -> list[str] | Denied:
    """The names that a pattern matches, sorted, as seen from `folder`; links out and credentials are left out."""
    roots = real_roots(scope.memory_dir, scope.read_roots)
    parts = re.split(r"/+", word.glob.replace("\\/", "/"))
    found = ["/"] if parts[0] == "" else [""]
    budget = MAX_SCANNED
    for index, part in enumerate(parts[1:] if parts[0] == "" else parts):
        wanted = tokens(part)
        last = index == len(parts) - (2 if parts[0] == "" else 1)
        if not _is_pattern(wanted):
            literal = re.sub(r"\\(.)", r"\1", part)
            found = [os.path.join(name, literal) for name in found]
            continue
        below: list[str] = []
        for name in found:
            names = _names(os.path.join(folder, name), roots)
            if isinstance(names, Denied):
                return names
            budget -= len(names)
            if budget < 0:
                return Denied("The pattern looks through too many files; name the folder.")
            below += [
                os.path.join(name, n)
                for n in names
                if (n[0] != "." or part.startswith((".", "\\."))) and part_matches(wanted, n)
            ]
        # What a pattern happens to match outside is passed over; only what was asked for by name is an error.
        inner = [name for name in below if _lies_inside(folder, name, roots)]
        found = inner if last else [name for name in inner if os.path.isdir(os.path.join(folder, name))]
    kept = [name for name in found if os.path.lexists(os.path.join(folder, name)) and _lies_inside(folder, name, roots)]
    if len(kept) > MAX_MATCHES:
        return Denied(f"The pattern matches more than {MAX_MATCHES} files; narrow it.")
    return sorted(name if PLAIN_START.match(name) else f"./{name}" for name in kept)


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


def _names(path: str, roots: Sequence[str]) -> list[str] | Denied:
    real = os.path.realpath(path)
    if not any(inside(real, root) for root in roots):
        return Denied(f"The pattern looks into {path!r}, outside the folders that may be read.")
    try:
        return os.listdir(real)
    except OSError:
        return []


def _lies_inside(folder: str, name: str, roots: Sequence[str]) -> bool:
    real = os.path.realpath(os.path.join(folder, name))
    return any(inside(real, root) for root in roots) and not is_credential(real, roots)
