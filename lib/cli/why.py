"""`memory.py why [--last N] [--json]`: what was recalled, extracted or skipped, by which gate, how long. Req: B2, J2.

JSON: project, decisions (oldest first, each: at (seconds since the epoch), session, event, reason, told, record: the
journal's own row).
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from lib.cli import recalled, resting, runs, screen
from lib.cli.arguments import given
from lib.cli.place import Place
from lib.journal import Journal, newest

USAGE = "why [--last N] [--json]"
DEFAULT = 20  # decisions
SESSIONS = 20  # journals looked at, newest first
REASONS = {
    "run": "looked at by the worker",
    "disabled": "auto memory is switched off",
    "paused": "paused (memory.py resume)",
    "recall_only": "recall only (memory.py resume)",
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
    asked = given(USAGE, arguments)
    count = max(1, asked.number("--last", DEFAULT))
    rows: list[tuple[float, str, Mapping[str, object]]] = [
        (at, session, event)
        for session in newest(place.state, SESSIONS)
        for event in Journal(place.state, session).events()
        if isinstance(at := event.get("t"), float)
    ] + runs.rows(place)
    ordered = sorted(rows, key=lambda row: row[0])
    made = [(at, session, event, told) for at, session, event in ordered if (told := _told(event))][-count:]
    if asked.json:
        records = [
            {"at": at, "session": session, "event": event.get("e"), "reason": event.get("reason", ""),
             "told": told, "record": event}
            for at, session, event, told in made
        ]  # fmt: skip
        screen.emit({"project": place.root, "decisions": records})
        return 0
    if not made:
        screen.say(f"No decision was made for {place.root} yet.")
    for at, session, _, told in made:
        screen.say(f"  {session[:8]:<8}  {told}", time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at)), "dim")
    if resting.mode(place):
        resting.told(place)
    return 0


def _told(event: Mapping[str, object]) -> str:
    kind, reason = event.get("e"), str(event.get("reason", ""))
    why = REASONS.get(reason, reason)
    if kind == "recall":
        return recalled.prompt(event, why)
    if kind == "selected":
        return recalled.selected(event)
    if kind in ("stop", "gate"):
        return f"turn     {why}"
    if kind == "session":
        return f"session  {event.get('source') or 'started'}; {REASONS.get(str(event.get('index')), '')}".rstrip("; ")
    if kind == "memory_write":
        return f"write    the agent wrote {event.get('file')}"
    if kind in ("look", "summary", "summary_failed", "recap"):
        return _summary(str(kind), reason, event)
    if kind == "failed":
        return f"failed   {reason}; tried again when the next turn ends"
    if kind in ("agent", "snapshot"):
        return runs.told(event, why)
    if kind == "team":
        return _exchanged(event, reason)
    if kind == "dream":
        return _dreamt(event) if "changes" in event else f"dream    {why}"
    if kind != "extract":
        return ""
    return _extracted(event).replace("extract ", "agent   ", 1) if "run" in event else _extracted(event)


def _exchanged(event: Mapping[str, object], reason: str) -> str:
    """A round with the team's store: what went, what came, what stayed away and why."""
    if not event.get("ok"):
        return f"team     nothing exchanged: {reason}"
    sent, held, gave = (event.get(name) for name in ("pushed", "held", "yielded"))
    parts = [f"sent {', '.join(map(str, sent))}" if isinstance(sent, list) and sent else "sent nothing"]
    parts.append(f"took in {event.get('pulled', 0)}")
    parts += [f"{file} left out ({why})" for file, why in (held.items() if isinstance(held, dict) else ())]
    parts += [f"{file} gave way to the team's" for file in (gave if isinstance(gave, list) else ())]
    return f"team     {'; '.join(parts)} [{event.get('ms', '?')} ms]"


def _dreamt(event: Mapping[str, object]) -> str:
    done = "consolidated" if event.get("ok") else "nothing written"
    return _extracted(event).replace("extract ", "dream   ", 1).replace("nothing to keep", f"nothing to change, {done}")


def _summary(kind: str, reason: str, event: Mapping[str, object]) -> str:
    """What came of the session's summary; that one is not due yet, turn after turn, is not worth a line."""
    if kind == "look":
        return f"summary  due, {REASONS.get(reason, reason)}" if reason in ("run", "auto_compact_off") else ""
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
    how = f"{event.get('backend')}, {event.get('ms', '?')} ms; {REASONS.get(reason, reason)}"
    return f"extract  {told or 'nothing to keep'} [{how}]"
