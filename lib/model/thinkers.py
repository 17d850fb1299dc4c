"""A backend ready to be asked, with its meter: the budget before each call, the ledger after it. Req: J3.

Every call of a model goes through here, so that none is unbudgeted, unnoted, or repeated after a fault in a loop.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from lib.host import paths
from lib.host.settings import Settings
from lib.model import budget, catalog, estimate, ledger, outage, prices
from lib.model.anthropic_api import AnthropicAPI
from lib.model.choice import Choice
from lib.model.client_cli import ClientCLI, Parent
from lib.model.ledger import Entry
from lib.model.task import Check, Completion, Outcome, Request, Task, Thinker, Unavailable, Usage, accept

# Faults that say nothing about the backend as such.
_PASSING = ("budget", "session")


@dataclass(frozen=True)
class Work:
    """For whom a model is asked: the job (extract, select, summary, dream) and the project it is done for."""

    job: str
    project: str
    settings: Settings
    env: Mapping[str, str]

    @property
    def config(self) -> str:
        return paths.config_dir(self.env)


@dataclass(frozen=True)
class Metered:
    """A `Thinker` that asks `thinker` only within the budget and notes what each call cost."""

    thinker: Thinker
    work: Work
    backend: str
    model: str
    mode: str = ""
    estimated: float = 0.0  # US dollars; worked out from the prompt when it is 0
    clock: Callable[[], float] = time.time

    def complete(self, request: Request) -> Completion:
        """One answer without tools. Raises Unavailable, also when the budget is used up."""
        expected = self._before(len(request.system) + len(request.prompt), 1)
        try:
            done = self.thinker.complete(request)
        except Unavailable as error:
            self._failed(error, expected)
            raise
        row = self._row(done.usage, done.usd, expected, done.stopped)
        self._noted(replace(row, rounds=1))
        return done

    def run_agent(self, task: Task, *, check: Check = accept) -> Outcome:
        """Run an agent. Raises Unavailable, also when the budget is used up."""
        expected = self._before(len(task.system) + len(task.prompt), estimate.ROUNDS)
        most = self.work.settings.option("budget.runInputTokens")
        try:
            done = self.thinker.run_agent(replace(task, max_input_tokens=most), check=check)
        except Unavailable as error:
            self._failed(error, expected)
            raise
        row = self._row(done.usage, done.usd, expected, done.stopped, done.reason)
        self._noted(replace(row, rounds=done.turns, changes=len(done.changes)))
        return done

    def _before(self, characters: int, rounds: int) -> float:
        expected = self.estimated or estimate.fresh(self.model, characters, rounds)
        try:
            ledger.ready(self.work.config)
        except OSError as error:
            raise Unavailable(f"the ledger cannot be written ({error.strerror})", "budget") from error
        refusal = budget.today(self.work.config, self.work.settings, self.clock()).refusal(expected)
        if refusal:
            raise Unavailable(refusal, "budget")
        return expected

    def _failed(self, error: Unavailable, expected: float) -> None:
        ledger.add(self.work.config, self._row(error.usage, error.usd, expected, error.kind, error.reason))
        if error.kind not in _PASSING:
            outage.failed(self.work.config, self.backend, error.kind, error.reason, self.clock())

    def _noted(self, row: Entry) -> None:
        ledger.add(self.work.config, row)
        if row.outcome != "unavailable":
            outage.worked(self.work.config, self.backend)

    def _row(self, usage: Usage, said: float, expected: float, outcome: str, note: str = "") -> Entry:
        """The call in the ledger's form; of our price and what the backend said the dearer one counts."""
        usd = max(said, prices.cost(self.model, usage))
        return Entry(
            round(self.clock(), 3), self.work.project, self.work.job, self.backend, self.model, self.mode, usage.input,
            usage.output, usage.cache_read, usage.cache_write, round(usd, 6), round(expected, 6), 0, outcome, 0,
            note[:200],
        )  # fmt: skip


def thinker(
    chosen: Choice, work: Work, *, parent: Parent | None = None, mode: str = "", estimated: float = 0.0
) -> Metered:
    """The chosen backend for this work; with a `parent` an agent is a fork of that session.

    `chosen.backend` must not be rules: those are no model, each job has its own.
    """
    model = parent.model if parent else catalog.model(work.job, work.settings)
    if chosen.backend == "claude" and chosen.program is not None:
        left = budget.today(work.config, work.settings, time.time()).left
        made: Thinker = ClientCLI(chosen.program.path, model, work.env, work.config, parent, left)
    else:
        made = AnthropicAPI(model, work.env)
    return Metered(made, work, chosen.backend, model, mode, estimated)


def forkable(session: str, launch: str, settings: Settings) -> str:
    """Why this session cannot be forked under our guard, or ""."""
    if not session or not os.path.isdir(launch):
        return "the session's folder is gone"
    for name in ("disableAllHooks", "allowManagedHooksOnly"):
        if settings.get(name) is True:
            return f"{name} is set, so our guard would not be asked"
    return ""
