"""What was decided about sub-agents' runs, for `why`: told at their start, learned at their end. Req: F1, F2, J2."""

from __future__ import annotations

import os
from collections.abc import Mapping

from lib.agents.seat import journals
from lib.cli.place import Place
from lib.journal import Journal, newest

LOOKED_AT = 20  # runs, newest first
REASONS = {
    "no_agent_transcript": "the client names no transcript of the run",
    "parents_transcript": "the client names the parent's transcript instead of the run's",
    "no_human_text": "it was given no task",
    "memory_tool": "the agent wrote a memory itself",
    "none_sure": "no memory of its own was surely useful",
}


def rows(place: Place) -> list[tuple[float, str, Mapping[str, object]]]:
    """(time, session, event) of what came of runs; how they ended stands in their session's journal."""
    folder = journals(place.state)
    if not os.path.isdir(folder):
        return []
    return [
        (at, run, {**event, "run": run})
        for run in newest(folder, LOOKED_AT)
        for event in Journal(folder, run).events()
        if isinstance(at := event.get("t"), float) and event.get("e") in ("extract", "snapshot", "failed")
    ]


def told(event: Mapping[str, object], why: str) -> str:
    """One line of an `agent` or `snapshot` event; `why` is its reason in words."""
    agent, reason = event.get("agent"), str(event.get("reason", ""))
    if event.get("e") == "snapshot":
        changes = event.get("changes")
        named = [f"{row[0]} {row[1]}" for row in changes if len(row) == 3] if isinstance(changes, list) else []
        return f"agent    {agent}: snapshot {event.get('outcome')} ({reason}) {'; '.join(named)}".rstrip()
    files = event.get("files")
    listed = ", ".join(map(str, files)) if isinstance(files, list) and files else ""
    what = "started" if event.get("at") == "start" else "ended"
    return f"agent    {agent} {what}: {REASONS.get(reason, why)}{f' {listed}' if listed else ''}"
