"""`memory.py doctor`: each part that has to work, with what was found and what to do. Req: J2, J3."""

from __future__ import annotations

import os
import time

from lib.cli.place import Place, Trouble
from lib.host import paths, program
from lib.journal import Journal, newest
from lib.model import budget, choice, ledger, login, outage, prices
from lib.recall.escaping import visible
from lib.setup import check

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SESSIONS = 50  # journals looked at for other projects, newest first
Row = tuple[str, str, str]  # what, how it is, what to do ("" = nothing is wrong)


def run(arguments: list[str], place: Place) -> int:
    """A row for each part; 1 when any needs attention."""
    if arguments:
        raise Trouble(f"doctor takes no arguments, but was given {arguments[0]!r}")
    rows = [*_registration(place), *_thinking(place, time.time()), *_disk(place)]
    width = max(len(what) for what, _, _ in rows)
    for what, found, fix in rows:
        print(visible(f"{'WRONG' if fix else 'ok':<6} {what:<{width}}  {found}" + (f"  -> {fix}" if fix else "")))
    wrong = sum(bool(fix) for _, _, fix in rows)
    print(f"{wrong} of {len(rows)} need attention" if wrong else f"all {len(rows)} ok")
    return 1 if wrong else 0


def _registration(place: Place) -> list[Row]:
    return [
        (row.what, row.problem or row.note or "ok", row.fix or ("see install.py --check" if row.problem else ""))
        for row in check.rows(place.config, ROOT, os.environ, os.getcwd())
    ]


def _thinking(place: Place, now: float) -> list[Row]:
    """Who thinks and why: each backend on its own, then the choice."""
    client = program.located(place.config, os.environ)
    evidence = login.evidence(place.config, os.environ, place.settings)
    keys = [key for key in login.KEYS if os.environ.get(key)]
    chosen = choice.choose(place.settings, os.environ, now=now)
    left = budget.today(place.config, place.settings, now)
    rows: list[Row] = [
        ("client", f"{client.path} {client.version}".rstrip() if client else "none found (not needed)", ""),
        ("client login", evidence or "nothing speaks for one (not needed)", ""),
        ("API key", f"{keys[0]} is set" if keys else "none in the environment (not needed)", ""),
    ]
    for backend, mend in (("claude", "run `claude` once and see what it says"), ("anthropic", "check the key")):
        fault = outage.known(place.config, backend)
        if fault and fault.lasts(now):
            found = f"{fault.reason}; left alone until {outage.clock(fault.until)}"
            rows.append((f"{backend} failed", found, mend))
    wanted = str(place.settings.option("backend"))
    fix = "see the reason" if wanted in ("claude", "anthropic") and chosen.backend != wanted else ""
    rows += [
        ("backend", f"{chosen.backend}: {chosen.reason}", fix),
        ("extract.mode", str(place.settings.option("extract.mode")), ""),
        ("budget", f"${left.spent:.4f} of ${left.limit:.2f} spent today; prices of {prices.DATE}", ""),
    ]
    return rows


def _sharing(place: Place) -> list[str]:
    """Other projects whose sessions were noted in this one's state: their slugs are the same."""
    launches = {Journal(place.state, session).state().launch for session in newest(place.state, SESSIONS)}
    roots = {paths.project_root(launch) for launch in launches if os.path.isabs(launch) and os.path.isdir(launch)}
    return sorted(roots - {place.root})


def _disk(place: Place) -> list[Row]:
    """Whether what we write can be written."""
    rows: list[Row] = []
    for root in _sharing(place):
        rows.append(("shared folder", f"{root} has the same memory directory: their paths differ only in characters that "
                     "the client does not tell apart", "set autoMemoryDirectory, or rename one of the two"))  # fmt: skip
    for what, folder in (("memory directory", place.memory), ("state", place.state)):
        if not os.path.lexists(folder):
            rows.append((what, f"{folder} (not there yet)", ""))
        elif not os.path.isdir(folder) or not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            rows.append((what, folder, "make it a folder that you can read and write"))
        else:
            rows.append((what, folder, ""))
    try:
        ledger.ready(place.config)
        rows.append(("ledger", "can be written", ""))
    except OSError as error:
        rows.append(("ledger", f"cannot be written ({error.strerror}): no model is asked", f"mend {error.filename}"))
    rows += [("settings", problem, "mend the file") for problem in place.settings.problems]
    return rows
