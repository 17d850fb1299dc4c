"""The person's own client as a backend: headless, on their login, a guest in their session. Req: B7, J3.

An agent's run forks the session so that the parent's prompt cache is shared, or starts afresh with our own prompt.
Either way the client writes nothing: what the model saves goes through the guard into our sandbox (see `guarding`).
"""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from lib.host import children, paths
from lib.host.call import CHILD_MARK
from lib.model import child_run, client_answer, guarding, login
from lib.model.child_run import Start
from lib.model.client_answer import Answer
from lib.model.guarding import Desk
from lib.model.scope import Scope
from lib.model.task import Check, Completion, Outcome, Request, Task, Unavailable, Usage, accept

RETRIES = "2"  # of the client itself; its own default waits for minutes
# What tells a process that it runs inside a session: the child is none of its parts.
_OF_THE_SESSION = ("CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR")
_TOOLS = "Read,Grep,Glob,Edit,Write"


@dataclass(frozen=True)
class Parent:
    """The session to fork: where it was started, and the exact model that its prompt cache belongs to."""

    session: str
    launch: str
    model: str


@dataclass(frozen=True)
class ClientCLI:
    """A `Thinker` over one client program; with a `parent` its agents are forks of that session.

    `dollars` is the most that one run may cost, 0 = no limit of its own.
    """

    program: str
    model: str
    env: Mapping[str, str]
    config: str
    parent: Parent | None = None
    dollars: float = 0.0

    def complete(self, request: Request) -> Completion:
        """One answer without tools. Raises Unavailable."""
        with self._room() as (session, folder):
            argv = [*self._plain(session), "--tools", "", "--system-prompt", request.system]
            extra = {"CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(request.max_output_tokens)}
            answer = self._run(argv, folder, request.prompt, request.deadline, children.folder(self.config), extra)
        return Completion(answer.text, answer.usage, answer.stopped, answer.usd)

    def run_agent(self, task: Task, *, check: Check = accept) -> Outcome:
        """Run an agent and return what it staged; nothing is written. Raises Unavailable when nothing came of it."""
        scope = Scope(task.memory_dir, task.read_roots)
        with self._room() as (session, folder):
            asked = os.path.join(folder, "calls")
            os.mkdir(asked, 0o700)
            desk = Desk(asked, scope, check, session=session, here=self.parent is not None)
            argv = [*self._agent(session, task), "--settings", guarding.settings(asked, task.memory_dir)]
            prompt = f"{task.system}\n\n{task.prompt}" if self.parent else task.prompt
            cwd = self.parent.launch if self.parent else children.folder(self.config)
            try:
                answer = self._run(argv, folder, prompt, task.deadline, cwd, {}, desk)
            except Unavailable as error:
                if not desk.sandbox.overlay.changes():
                    raise
                stopped = "deadline" if error.kind == "deadline" else "unavailable"
                return _outcome(desk, Answer("", error.usage, error.usd, 0, stopped), error.reason)
        return _outcome(desk, answer)

    def _run(
        self, argv: list[str], folder: str, prompt: str, seconds: float, cwd: str, extra: Mapping[str, str],
        desk: Desk | None = None,
    ) -> Answer:  # fmt: skip
        path = os.path.join(folder, "prompt")
        # A file, not an argument: those end at 128 KB, and not a pipe, which a client that does not read would block.
        with open(path, "w", encoding="utf-8", errors="replace") as file:
            file.write(prompt)
        start = Start(argv, {**child_env(self.env, self.config), **extra}, cwd, path, seconds)
        return client_answer.read(child_run.run(start, self.config, desk.serve if desk else lambda: None))

    def _always(self, session: str) -> list[str]:
        argv = [self.program, "-p", "--output-format", "json", "--permission-mode", "dontAsk"]
        argv += ["--no-session-persistence", "--session-id", session]
        return [*argv, "--max-budget-usd", f"{self.dollars:.4f}"] if self.dollars > 0 else argv

    def _plain(self, session: str) -> list[str]:
        """A run of our own: our system prompt, no server of the person's tools, no commands."""
        own = ["--model", self.model, "--strict-mcp-config", "--disable-slash-commands", "--setting-sources", "user"]
        return [*self._always(session), *own]

    def _agent(self, session: str, task: Task) -> list[str]:
        rounds = ["--max-turns", str(task.max_turns)]
        if self.parent is None:
            return [*self._plain(session), *rounds, "--tools", _TOOLS, "--system-prompt", task.system]
        # Nothing here may change the tools or the system prompt: they stand first in the cache that is shared.
        fork = ["--resume", self.parent.session, "--fork-session", "--model", self.parent.model]
        return [*self._always(session), *rounds, *fork]

    @contextmanager
    def _room(self) -> Iterator[tuple[str, str]]:
        """A new session's name, noted as ours before it starts, and a folder for this run that goes with it."""
        session = str(uuid.uuid4())
        folder = os.path.join(paths.own_dir(self.config), "runs", session)
        try:
            os.makedirs(folder, mode=0o700)
            os.makedirs(children.folder(self.config), mode=0o700, exist_ok=True)
            children.mark(self.config, session)
            yield session, folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def child_env(env: Mapping[str, str], config: str) -> dict[str, str]:
    """The child's environment: the person's own, marked as ours, without what says that it runs inside a session.

    A key in the environment would go before a stored login, and so make a new bill: then it is left out.
    """
    dropped = {*_OF_THE_SESSION, *(("ANTHROPIC_API_KEY",) if login.stored(config) else ())}
    kept = {name: value for name, value in env.items() if name not in dropped}
    return {**kept, CHILD_MARK: "1", "CLAUDE_CODE_MAX_RETRIES": RETRIES, "DISABLE_AUTOUPDATER": "1"}


def _outcome(desk: Desk, answer: Answer, reason: str = "") -> Outcome:
    changes = () if answer.stopped == "refusal" else desk.sandbox.overlay.changes()
    usage: Usage = answer.usage
    return Outcome(
        changes, answer.rounds, answer.text, usage, answer.stopped, tuple(desk.refusals), reason, answer.usd
    )
