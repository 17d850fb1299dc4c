"""The worker's part of a snapshot: taken into an empty memory, or merged into what is shown to the person. Req: F2.

Nothing is overwritten here. What did not come from this machine waits for `memory.py review`, whatever it says.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from lib.agents import ignored, merging, notices, snapshot, synced
from lib.agents.scopes import Scope
from lib.agents.snapshot import Decision, Snapshot
from lib.host.settings import Settings
from lib.memory import held, history, transaction
from lib.memory.transaction import Change
from lib.model import choice
from lib.model.task import Unavailable

ORIGIN = "it comes from a snapshot in the repository that nobody on this machine has looked at"
NOTICE = (
    "A snapshot of this agent's memory came with the repository. It is held back until the person has looked at it "
    "(`memory.py review`) and is no part of these notes."
)


@dataclass(frozen=True)
class Setting:
    """For whom: the agent's scope, where the session was launched, what the person decided, and the time."""

    scope: Scope
    launch: str
    settings: Settings
    env: Mapping[str, str]
    now: float


@dataclass
class Report:
    """`outcome` none, initialize or prompt-update; `rows` hold (action, file, why)."""

    outcome: str = "none"
    reason: str = ""
    backend: str = "none"
    rows: list[tuple[str, str, str]] = field(default_factory=list)


def take(setting: Setting) -> Report:
    """Do what the decision says, once for each version of a snapshot. OSError passes through."""
    scope = setting.scope
    mark, found = notices.mark(scope), snapshot.read(scope, setting.now)
    local, known = snapshot.texts(scope.memory), synced.load(scope)
    decision = snapshot.decide(local, found, known)
    report = Report(decision.outcome, decision.reason)
    report.rows += [("REFUSE", name, why) for name, why in found.refused.items()]
    if decision.outcome == "initialize" and found.version in known.made:
        report.rows += _copied(setting, found)
    elif decision.outcome != "none":
        report.rows += _shown(setting, found, local, decision, report)
        notices.tell(scope, NOTICE)
    if decision.outcome != "none":
        synced.settle(scope, found)
    notices.looked_at(scope, mark)
    return report


def _copied(setting: Setting, found: Snapshot) -> list[tuple[str, str, str]]:
    scope = setting.scope
    changes = [Change(name, text, None) for name, text in found.files.items()]
    author = history.author(scope.memory, scope.state, "snapshot", "", f"{len(changes)} taken from the snapshot")
    problems = transaction.apply(scope.memory, changes, author)
    ignored.shield(scope)
    return [("DROP" if why else "CREATE", name, why) for name, why in problems.items()]


def _shown(
    setting: Setting, found: Snapshot, local: Mapping[str, str], decision: Decision, report: Report
) -> list[tuple[str, str, str]]:
    """Hold each text that would be new or another one, with the version that it may take the place of."""
    scope, texts, how = setting.scope, found.files, ORIGIN
    report.backend = "rules"
    chosen = choice.choose(setting.settings, setting.env)
    if decision.outcome == "prompt-update" and chosen.backend != "rules":
        try:
            texts = merging.merged(scope, found, local, chosen, setting)
            report.backend, how = chosen.backend, f"a model merged it: {ORIGIN}"
        except Unavailable as error:
            report.reason += f"; {chosen.backend} was not available ({error.reason})"
    rows = []
    os.makedirs(scope.state, mode=0o700, exist_ok=True)
    for name, text in texts.items():
        if local.get(name) != text:
            before = local.get(name)
            replaces = transaction.digest(before) if before is not None else ""
            held.hold(scope.state, name, text, reason=how, session="", replaces=replaces)
            rows.append(("HOLD", name, how))
    return rows
