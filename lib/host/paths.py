"""Where the client keeps things: configuration, projects, memory. No process is started to find out."""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Protocol

    class Chain(Protocol):
        """Trusted settings: `lib.host.settings.Settings`, or a plain mapping."""

        def get(self, key: str, /) -> object: ...


SLUG_LIMIT = 200  # characters; beyond it the client cuts and adds a hash
_ALNUM = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
_BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"
_POINTER_LIMIT = 4096  # bytes; a `.git` file holds one short line


def slug(path: str) -> str:
    """The client's folder name for a path: each UTF-16 unit outside [A-Za-z0-9] is one hyphen. Req: A4."""
    text = "".join(c if c in _ALNUM else "--" if c > "\uffff" else "-" for c in path)
    if len(text) <= SLUG_LIMIT:
        return text
    return f"{text[:SLUG_LIMIT]}-{_hash36(path)}"


def _hash36(path: str) -> str:
    units = path.encode("utf-16-le", "surrogatepass")
    value = 0
    for low, high in zip(units[::2], units[1::2], strict=True):
        value = (31 * value + low + 256 * high) & 0xFFFFFFFF
    value = abs(value - 0x1_0000_0000 if value >= 0x8000_0000 else value)
    digits = ""
    while value:
        value, digit = divmod(value, 36)
        digits = _BASE36[digit] + digits
    return digits or "0"


def home(env: Mapping[str, str]) -> str:
    """The absolute home folder that the environment names, or "": an empty HOME must not become "/"."""
    value = native(env.get("HOME") or env.get("USERPROFILE") or "")
    return value if os.path.isabs(value) else ""


def native(path: str, windows: bool = os.name == "nt") -> str:
    """The path as this system writes it: under Windows a Git-Bash `/f/notes` and `f:/notes` are both `F:\\notes`."""
    if not windows:
        return path
    path = path.replace("/", "\\")
    if path[:1] == "\\" and path[1:2].isalpha() and path[2:3] in ("", "\\"):
        path = f"{path[1]}:{path[2:] or chr(92)}"
    return path[:1].upper() + path[1:] if path[1:2] == ":" else path


def expand(path: str, env: Mapping[str, str]) -> str:
    """The absolute path that a setting names (`~/` allowed), or "" when it is relative or has no home."""
    if path == "~" or path.startswith(("~/", "~\\")):
        base = home(env)
        return os.path.join(base, path[2:]) if base else ""
    path = native(path)
    return path if os.path.isabs(path) else ""


def config_dir(env: Mapping[str, str]) -> str:
    """The client's configuration folder, taken literally from CLAUDE_CONFIG_DIR; "" when there is none."""
    value = native(env.get("CLAUDE_CONFIG_DIR", ""))
    if value:
        return value if os.path.isabs(value) else ""
    base = home(env)
    return os.path.join(base, ".claude") if base else ""


def project_root(cwd: str) -> str:
    """The folder whose slug names the memory: the repository's main checkout, else the physical `cwd`. Req: A4.

    All worktrees share the main checkout's; a worktree of a bare repository has the bare repository's own;
    a submodule stands for itself.
    """
    start = os.path.realpath(cwd)
    here = start
    while True:
        marker = os.path.join(here, ".git")
        try:
            kind = stat.S_IFMT(os.stat(marker).st_mode)
        except (OSError, ValueError):
            kind = 0
        if kind == stat.S_IFDIR:
            return here
        if kind == stat.S_IFREG:
            return _behind_pointer(here, marker)
        parent = os.path.dirname(here)
        if parent == here:
            return start
        here = parent


def checkout(cwd: str) -> str:
    """The working tree around a folder (a worktree stands for itself), else the physical folder."""
    start = here = os.path.realpath(cwd)
    while not os.path.lexists(os.path.join(here, ".git")):
        parent = os.path.dirname(here)
        if parent == here:
            return start
        here = parent
    return here


def _behind_pointer(here: str, marker: str) -> str:
    git_dir = _first_line(marker)
    if not git_dir.startswith("gitdir:"):
        return here
    git_dir = os.path.realpath(os.path.join(here, git_dir[len("gitdir:") :].strip()))
    common = _first_line(os.path.join(git_dir, "commondir"))
    if not common:
        return here  # a submodule, or a repository whose git folder lies elsewhere
    # A linked worktree's git folder names its checkout in turn. Without that check a `.git` file in an unpacked
    # archive could point at another project and read its memory.
    back = _first_line(os.path.join(git_dir, "gitdir"))
    if os.path.realpath(os.path.join(git_dir, back)) != os.path.realpath(marker):
        return here
    common = os.path.realpath(os.path.join(git_dir, common))
    return os.path.dirname(common) if os.path.basename(common) == ".git" else common


def _first_line(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read(_POINTER_LIMIT).partition(b"\n")[0]).rstrip("\r")
    except OSError:
        return ""


def memory_path(cwd: str, env: Mapping[str, str], settings: Chain, root: str = "") -> str:
    """The memory directory as text, or "" when neither setting nor configuration folder exists. Req: A4.

    `settings` is the trusted chain (`lib.host.settings`): a project's own files have no say in the folder. `root`:
    the project's root where it was looked for already.
    """
    override = native(env.get("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", ""))
    if override and os.path.isabs(override):
        return os.path.normpath(override)
    setting = settings.get("autoMemoryDirectory")
    if isinstance(setting, str) and (chosen := expand(setting, env)):
        return os.path.normpath(chosen)
    config = config_dir(env)
    if not config or not os.path.isabs(cwd):
        return ""
    return os.path.join(config, "projects", slug(root or project_root(cwd)), "memory")


def memory_dir(cwd: str | os.PathLike[str], env: Mapping[str, str], settings: Chain) -> Path:
    """`memory_path` as a Path, for callers off the hot path; raises ValueError when there is no folder."""
    from pathlib import Path

    found = memory_path(os.fspath(cwd), env, settings)
    if not found:
        raise ValueError(
            f"no memory directory for {os.fspath(cwd)!r}: set HOME or CLAUDE_CONFIG_DIR to an absolute path"
        )
    return Path(found)


def transcripts(named: str) -> str:
    """The folder in which a project's transcripts lie, from one of them; "" where it holds those of all projects.

    Codex CLI keeps its rollouts by day: what lies beside one was said in another project.
    """
    return "" if os.path.basename(named).startswith("rollout-") else os.path.dirname(named)


def own_dir(config: str) -> str:
    """Where our own state lies, apart from the person's memories."""
    return os.path.join(config, "memory-hooks")


def state_dir(config: str, root: str) -> str:
    """One project's state: journals, the recall index, the worker's lock."""
    return os.path.join(own_dir(config), "projects", slug(root))


# Files in a project's state whose time is the earliest moment for the team's job; without a team there is none.
TEAM_PULL = os.path.join("team", "pull.next")
TEAM_PUSH = os.path.join("team", "push.due")


def directory_state(memory: str, state: str) -> str:
    """Where the state of a memory directory lies: the project's, or a folder of its own when several share it."""
    usual = os.path.basename(os.path.dirname(memory)) == os.path.basename(state)
    return state if usual else os.path.join(os.path.dirname(state), slug(memory))
