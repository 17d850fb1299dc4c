"""Where the agent's tools may look and where a write may be staged. Pure but for `lstat` and `realpath`. Req: B4.

Paths come from a model that read hostile text: every rule here is a refusal with a reason, nothing raises.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass

from lib.memory.names import unsafe_name
from lib.model.credentials import is_credential

MAX_PATH = 4096


@dataclass(frozen=True)
class Place:
    """A path that passed: `path` is absolute and physical, `shown` is how the model named it."""

    path: str
    shown: str


@dataclass(frozen=True)
class Refused:
    """A path that did not pass, and one sentence that says why and what to do instead."""

    reason: str


def real_roots(memory_dir: str, read_roots: Sequence[str]) -> tuple[str, ...]:
    """The physical folders that may be read: the memory directory first. A root of `/` would be no limit at all."""
    roots: list[str] = []
    for root in (memory_dir, *read_roots):
        if isinstance(root, str) and os.path.isabs(root) and "\0" not in root:
            real = os.path.realpath(root)
            if real != os.sep and real not in roots:
                roots.append(real)
    return tuple(roots)


def inside(path: str, root: str) -> bool:
    """True when `path` is `root` or lies below it; both absolute. A sibling that shares a prefix is not inside."""
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def readable(given: object, memory_dir: str, read_roots: Sequence[str]) -> Place | Refused:
    """Whether a path may be read: it resolves, links followed, to somewhere inside a root, and is no secret.

    A relative path is looked up in the memory directory, then in each root; **every** reading of it must be inside,
    so the verdict does not depend on which of them exists.
    """
    return readable_below(given, real_roots(memory_dir, read_roots))


def readable_below(given: object, roots: Sequence[str]) -> Place | Refused:
    """`readable` for physical roots, so that a thousand paths do not resolve them a thousand times."""
    if not isinstance(given, str) or not given.strip():
        return Refused("Give the path as a non-empty string.")
    problem = _spelling(given)
    if problem:
        return Refused(problem)
    if not roots:
        return Refused("There is no folder that may be read in this run.")
    places = [given] if os.path.isabs(given) else [os.path.join(root, given) for root in roots]
    try:
        resolved = [os.path.realpath(place) for place in places]
    except (OSError, ValueError):
        return Refused(f"The path {given!r} cannot be resolved; name an existing file.")
    for path in resolved:
        if not any(inside(path, root) for root in roots):
            return Refused(f"{given!r} is outside the folders that may be read: {', '.join(roots)}.")
        if is_credential(path, roots):
            return Refused(f"{given!r} looks like a file of credentials; those are never read here.")
    existing = [path for path in resolved if os.path.lexists(path)] if len(resolved) > 1 else resolved
    return Place((existing or resolved)[0], given)


def writable(given: object, memory_dir: str) -> Place | Refused:
    """Whether a write to this path may be staged; `Place.path` is then **relative** to the memory directory.

    Nothing on the way and not the file itself may be a link, and the file is new or a regular file with one name.
    """
    if not isinstance(given, str) or not given:
        return Refused("Give file_path as a non-empty string.")
    if not os.path.isabs(memory_dir):
        return Refused("There is no memory directory in this run, so nothing can be written.")
    relative = _below(given, memory_dir)
    if relative is None:
        return Refused(f"{given!r} is outside the memory directory {memory_dir}; write only there.")
    problem = unsafe_name(relative) or _on_disk(os.path.realpath(memory_dir), relative)
    return Refused(f"{given!r} cannot be written: {problem}.") if problem else Place(relative, given)


def _below(given: str, memory_dir: str) -> str | None:
    """The part of a path below the memory directory; a relative path is one already. Purely lexical."""
    if not given.startswith(os.sep):
        return given
    for root in (memory_dir.rstrip(os.sep), _real(memory_dir)):
        if given.startswith(root + os.sep):
            return given[len(root) + 1 :]
    return None


def _real(folder: str) -> str:
    return os.path.realpath(folder).rstrip(os.sep)


def _on_disk(root: str, relative: str) -> str:
    """What already stands at a path and forbids writing there, or ""."""
    parts = relative.split("/")
    path = root
    for index, part in enumerate(parts):
        path = os.path.join(path, part)
        try:
            found = os.lstat(path)
        except FileNotFoundError:
            return ""
        except (OSError, ValueError) as error:
            return f"the path cannot be looked up ({getattr(error, 'strerror', None) or 'invalid'})"
        if stat.S_ISLNK(found.st_mode):
            return "a symbolic link stands on the way"
        if index < len(parts) - 1:
            if not stat.S_ISDIR(found.st_mode):
                return f"{part!r} is a file, not a folder"
        elif not stat.S_ISREG(found.st_mode):
            return "something other than a regular file has that name"
        elif found.st_nlink > 1:
            return "the file has a second name (hard link) elsewhere"
    return ""


def _spelling(given: str) -> str:
    if len(given) > MAX_PATH:
        return "The path is too long."
    if given.startswith("~"):
        return "`~` is not expanded here; write the full path."
    if any(ord(c) < 32 or ord(c) == 127 or 0xD800 <= ord(c) <= 0xDFFF for c in given):
        return "The path has control characters in it; write it plainly."
    return ""
