"""Each part that has to work, looked at once: what was found, and which ailment it is. Reads only. Req: J2, J3."""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Iterator
from importlib.util import find_spec

from lib.cli import resting, standing
from lib.cli.finding import Row
from lib.cli.machinery import disk, workers
from lib.cli.place import Place
from lib.dream import stamp
from lib.host import program, settings
from lib.memory import index, store
from lib.model import budget, choice, login, outage, prices
from lib.recall import delivery
from lib.setup import check, targets
from lib.setup import place as places

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGES = ("yaml", "psutil", "anthropic")
# What install.py's check says, by words that stand in it -> which ailment that is.
_SAID = (
    ("interpreter is gone", "interpreter-gone"), ("script is gone", "moved-checkout"),
    ("runs another checkout", "moved-checkout"), ("not registered", "hooks-missing"),
    ("registers the hooks as well", "plugin-and-settings"), ("too old for the plugin", "python-old"),
    ("registered", "registered-twice"), ("runs our script too", "registered-twice"),
    ("not in the table", "hooks-missing"), ("doubled key", "registered-twice"), ("in the table it is", "hooks-missing"),
    ("every hook off", "hooks-off"),
)  # fmt: skip


def rows(place: Place) -> list[Row]:
    """Every finding, the good ones too."""
    now = time.time()
    parts = (registration(place), switches(place), thinking(place, now), directory(place, now), disk(place),
             workers(place, now))  # fmt: skip
    return [row for part in parts for row in part]


def registration(place: Place) -> Iterator[Row]:
    found = check.rows(place.config, ROOT, os.environ, os.getcwd()) + check.commands(place.config, ROOT)
    found = [row for row in found if row.what != "memory"]  # switches() tells that one
    for row in found:
        if not row.problem:
            yield Row(row.what, row.note or "ok")
    # What is wrong with several in the same way is one line.
    for problem in dict.fromkeys(row.problem for row in found if row.problem):
        same = [row for row in found if row.problem == problem]
        names = ", ".join(row.what for row in same)
        what, said = (same[0].what, problem) if len(same) == 1 else ("hooks", f"{problem}: {names}")
        yield Row(what, said, _ailment(same[0]), _exact(same[0].fix))
    for name in targets.registered(place.config, os.environ):
        at = places.other(place.config, name, os.environ)
        wrong = [row for row in check.rows(place.config, ROOT, os.environ, os.getcwd(), at) if row.problem]
        told = f"{wrong[0].what}: {wrong[0].problem}" if wrong else "hooks registered"
        yield Row(targets.title(name), told, "other-host" if wrong else "", f"python install.py --host {name}", name)


def _ailment(row: check.Row) -> str:
    if os.path.isabs(row.what):
        return "commands-missing" if row.what.endswith(".md") else "settings-unparseable"
    return next((name for words, name in _SAID if words in row.problem), "hook-fails")


def _exact(fix: str) -> str:
    return fix.removeprefix("run: ")


def switches(place: Place) -> Iterator[Row]:
    """Whatever keeps hooks from acting although they are registered."""
    switch = place.settings.switched_off(os.environ)
    for path in _others():
        if _switches_hooks_off(path):
            yield Row("disableAllHooks", f"true in {path}", "hooks-off", f'take "disableAllHooks" out of {path}')
    yield Row("memory", f"off by {switch}" if switch else "on", "memory-off" if switch else "")
    if mode := resting.mode(place):
        yield Row("resting", resting.WORDS[mode], "resting")
    client = program.located(place.config, os.environ)
    off = switch in ("autoMemoryEnabled", "CLAUDE_CODE_DISABLE_AUTO_MEMORY")
    native = bool(client) and not off and delivery.native({"CLAUDECODE": "1"}, client.version if client else "")
    mode = str(place.settings.option("index.deliver"))
    lost = not native and mode == "never"
    told = "the client loads it" if native else f"delivered by the hooks (index.deliver {mode})"
    yield Row("index", "nobody delivers it" if lost else told, "native-off" if lost else "")
    own = os.path.join(place.config, "settings.json")
    for problem in place.settings.problems:
        if not problem.startswith(f"{own}:"):  # registration() says where that one is torn
            yield Row("settings", problem, "settings-unparseable")


def _others() -> list[str]:
    """The settings files besides the person's own that the client reads here."""
    folder = os.path.join(os.getcwd(), ".claude")
    return [settings.managed_path(), *(os.path.join(folder, name) for name in ("settings.json", "settings.local.json"))]


def _switches_hooks_off(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            data = json.loads(file.read(settings.FILE_LIMIT).removeprefix(settings.BOM))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(data, dict) and data.get("disableAllHooks") is True


def thinking(place: Place, now: float) -> Iterator[Row]:
    """Who thinks and why: each backend on its own, then the choice."""
    client = program.located(place.config, os.environ)
    evidence = login.evidence(place.config, os.environ, place.settings)
    keys = [key for key in login.KEYS if os.environ.get(key)]
    chosen = choice.choose(place.settings, os.environ, now=now)
    left = budget.today(place.config, place.settings, now)
    yield Row("client", f"{client.path} {client.version}".rstrip() if client else "none found (not needed)")
    yield Row("client login", evidence or "nothing speaks for one (not needed)")
    yield Row("API key", f"{keys[0]} is set" if keys else "none in the environment (not needed)")
    for backend in outage.BACKENDS:
        fault = outage.known(place.config, backend)
        if fault and fault.lasts(now):
            found = f"{fault.reason}; left alone until {outage.clock(fault.until)}"
            remedy = "run `claude` once and see what it says" if backend == "claude" else "check the key"
            yield Row(f"{backend} failed", found, "backend-failing", remedy)
    missing = [name for name in PACKAGES if find_spec(name) is None]
    yield Row("packages", f"{', '.join(missing)} missing" if missing else "all there",
              "packages-missing" if missing else "")  # fmt: skip
    wanted = str(place.settings.option("backend"))
    unmet = wanted in outage.BACKENDS and chosen.backend != wanted
    yield Row("backend", f"{chosen.backend}: {chosen.reason}", "no-thinker" if unmet else "")
    yield Row("extract.mode", str(place.settings.option("extract.mode")))
    yield Row("budget", f"${left.spent:.4f} of ${left.limit:.2f} spent today; prices of {prices.DATE}")


def directory(place: Place, now: float) -> Iterator[Row]:
    """The memories, their index, and the consolidation's lock."""
    if not os.path.isdir(place.memory):
        return
    entries = store.entries(place.memory)
    loaded = {entry.file: store.load(place.memory, entry.file) for entry in entries}
    unread = [file for file, memory in loaded.items() if memory is None or memory.problem]
    told = f"{len(entries)} memories" + (f", {len(unread)} without a readable head: {unread[0]}" if unread else "")
    yield Row("memories", told, "memory-unreadable" if unread else "")
    over = standing.over_limits(place.memory)
    differs = stale(place.memory)
    yield Row(store.INDEX, over or differs or "agrees with the files",
              "index-over-limits" if over else "index-stale" if differs else "")  # fmt: skip
    if problem := lock_problem(place.memory, now):
        path = os.path.join(place.memory, stamp.NAME)
        yield Row("lock", f"{path} {problem}", "dead-lock", f"remove {path}; the next consolidation makes it anew")


def stale(memory: str) -> str:
    """How MEMORY.md and the files differ, or ""."""
    listed = set(index.hooks(index_text(memory)))
    present = {entry.file for entry in store.entries(memory)}
    named = sorted(present - listed)
    missing = f"{len(named)} without a line ({named[0]})" if named else ""
    dead = f"{len(listed - present)} lines without a file" if listed - present else ""
    return ", ".join(part for part in (missing, dead) if part)


def index_text(memory: str) -> str:
    try:
        with open(os.path.join(memory, store.INDEX), "rb") as file:
            return file.read(index.READ_LIMIT).decode("utf-8", "replace")
    except OSError:
        return ""


def lock_problem(memory: str, now: float) -> str:
    """Why the lock file would never let a consolidation through, or ""."""
    path = os.path.join(memory, stamp.NAME)
    try:
        found = os.stat(path, follow_symlinks=False)
    except OSError:
        return ""
    if not stat.S_ISREG(found.st_mode):
        return "is no plain file"
    if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        return "belongs to another user"
    return "has a time in the future" if found.st_mtime > now + stamp.SLACK else ""
