"""`memory.py why [--last N]`: what was recalled, extracted or skipped, by which gate, how long. Req: B2, J2."""

from __future__ import annotations

import time
from collections.abc import Mapping

from lib.cli import recalled
from lib.cli.place import Place, Trouble
from lib.journal import Journal, newest
from lib.recall.escaping import visible

DEFAULT = 20  # decisions
SESSIONS = 20  # journals looked at, newest first
_REASONS = {
    "run": "looked at by the worker",
    "disabled": "auto memory is switched off",
    "frequency": "waits for more turns (extract.everyTurns)",
    "memory_tool": "the agent wrote a memory itself in this turn",
    "no_human_text": "no words of yours since the last look",
    "not_main_agent": "a sub-agent's turn",
    "quiet_prompt": "small talk or too few words",
    "none_sure": "no memory was surely useful",
    "already_known": "the model has the matching memories already",
    "shown": "recalled",
    "switched_off": "switched off in the settings",
    "no_memory_directory": "there is no memory directory",
    "native_memory": "the client loads the index itself",
    "in_context": "the index is still in context",
    "delivered": "index delivered",
    "below_init": "the session is short (session.initTokens)",
    "below_update": "little was said since the last one (session.updateTokens)",
    "busy": "the work is in full swing (session.updateToolCalls)",
    "auto_compact_off": "the client does not compact by itself",
    "no_summary": "there is none",
    "min_sessions": "too few sessions since the last consolidation (dream.minSessions)",
    "locked": "another consolidation is at work",
}


def run(arguments: list[str], place: Place) -> int:
    """The last N decisions of this project's sessions, oldest first."""
    count = _count(arguments)
    rows = [
        (at, session, event)
        for session in newest(place.state, SESSIONS)
        for event in Journal(place.state, session).events()
        if isinstance(at := event.get("t"), float)
    ]
    lines = [line for row in sorted(rows, key=lambda row: row[0]) if (line := _line(*row))]
    if not lines:
        print(f"No decision was made for {place.root} yet.")
    for line in lines[-count:]:
        print(visible(line))
    return 0


def _count(arguments: list[str]) -> int:
    if not arguments:
        return DEFAULT
    if len(arguments) == 2 and arguments[0] == "--last" and arguments[1].isdigit():
        return int(arguments[1])
    raise Trouble(f"why takes only `--last N` with a whole number, but was given {' '.join(arguments)!r}")


def _line(at: float, session: str, event: Mapping[str, object]) -> str:
    told = _told(event)
    return f"{time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(at))}  {session[:8]:<8}  {told}" if told else ""


def _told(event: Mapping[str, object]) -> str:
    kind, reason = event.get("e"), str(event.get("reason", ""))
    why = _REASONS.get(reason, reason)
    if kind == "recall":
        return recalled.prompt(event, why)
    if kind == "selected":
        return recalled.selected(event)
    if kind in ("stop", "gate"):
        return f"turn     {why}"
    if kind == "session":
        return f"session  {event.get('source') or 'started'}; {_REASONS.get(str(event.get('index')), '')}".rstrip("; ")
    if kind == "memory_write":
        return f"write    the agent wrote {event.get('file')}"
    if kind in ("look", "summary", "summary_failed", "recap"):
        return _summary(str(kind), reason, event)
    if kind == "failed":
        return f"failed   {reason}; tried again when the next turn ends"
    if kind == "dream":
        return _dreamt(event) if "changes" in event else f"dream    {why}"
    return _extracted(event) if kind == "extract" else ""


def _dreamt(event: Mapping[str, object]) -> str:
    done = "consolidated" if event.get("ok") else "nothing written"
    return _extracted(event).replace("extract ", "dream   ", 1).replace("nothing to keep", f"nothing to change, {done}")


def _summary(kind: str, reason: str, event: Mapping[str, object]) -> str:
    """What came of the session's summary; that one is not due yet, turn after turn, is not worth a line."""
    if kind == "look":
        return f"summary  due, {_REASONS.get(reason, reason)}" if reason in ("run", "auto_compact_off") else ""
    if kind == "recap":
        return f"summary  {'given back after the compaction' if reason == 'delivered' else 'none to give back'}"
    if kind == "summary_failed":
        return f"summary  failed: {reason}"
    return f"summary  brought up to date [{event.get('backend')}, {event.get('ms', '?')} ms; {reason}]"


def _extracted(event: Mapping[str, object]) -> str:
    changes = event.get("changes")
    rows = [row for row in changes if isinstance(row, list) and len(row) == 3] if isinstance(changes, list) else []
    told = "; ".join(f"{action} {file}" + (f" ({why})" if why else "") for action, file, why in rows)
    reason = str(event.get("reason", ""))
    how = f"{event.get('backend')}, {event.get('ms', '?')} ms; {_REASONS.get(reason, reason)}"
    return f"extract  {told or 'nothing to keep'} [{how}]"
