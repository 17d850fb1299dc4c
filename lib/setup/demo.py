"""One statement becomes a memory and is recalled in a new session, with the real commands. Req: B9, C1."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from lib.setup import throwaway
from lib.setup.problems import SetupProblem
from lib.setup.process import Ended
from lib.setup.throwaway import Machine

STATEMENT = "Remember: always use pnpm here, npm corrupts the lockfile."
QUESTION = "add a dependency"
PATIENCE = 20.0  # seconds for the worker; it needs a tenth of one
_HOOK_SECONDS = 15.0

Say = Callable[[str], None]


def show(commands: Mapping[str, str], say: Say) -> None:
    """Play both sessions on a throw-away machine; `commands` maps events to what is registered. Raises SetupProblem."""
    started = time.monotonic()
    with throwaway.machine() as machine:
        say(f'  session 1, you:   "{STATEMENT}"')
        machine.speak("demo-1", STATEMENT, "Noted.")
        _hook(machine, commands, "Stop", "demo-1", stop_hook_active=False, last_assistant_message="Noted.")
        memory = _memory(machine)
        say(f"  turn ends:        {memory.name} appears")
        say("".join(f"    | {line}\n" for line in memory.read_text(encoding="utf-8").splitlines()).rstrip("\n"))
        say(f'  session 2, you:   "{QUESTION}"')
        ended = _hook(machine, commands, "UserPromptSubmit", "demo-2", prompt=QUESTION)
        say("  the model gets:")
        say("".join(f"    | {line}\n" for line in _recalled(machine, ended).splitlines()).rstrip("\n"))
        machine.settle(PATIENCE)
    say(f"  took {time.monotonic() - started:.1f} s, offline; its folder is gone again")


def _hook(machine: Machine, commands: Mapping[str, str], event: str, session: str, **fields: object) -> Ended:
    ended = machine.run(commands[event], machine.payload(event, session, **fields), _HOOK_SECONDS)
    if ended.status != 0 or ended.err:
        raise _failed(machine, f"{event} ended with {ended.last_words}")
    return ended


def _memory(machine: Machine) -> Path:
    """The file that the worker writes, once the index names it too."""
    end = time.monotonic() + PATIENCE
    index = machine.memory / "MEMORY.md"
    while time.monotonic() < end:
        for path in sorted(machine.memory.glob("*.md")):
            if path != index and index.is_file() and f"({path.name})" in index.read_text(encoding="utf-8"):
                return path
        time.sleep(0.02)
    raise _failed(machine, f"no memory appeared within {PATIENCE:.0f} s")


def _recalled(machine: Machine, ended: Ended) -> str:
    try:
        text = str(json.loads(ended.out)["hookSpecificOutput"]["additionalContext"])
    except (ValueError, KeyError, TypeError):
        raise _failed(machine, f"UserPromptSubmit recalled nothing (stdout {ended.out[:100]!r})") from None
    if "pnpm" not in text:
        raise _failed(machine, "UserPromptSubmit recalled something else")
    return text


def _failed(machine: Machine, what: str) -> SetupProblem:
    log = machine.log()
    return SetupProblem(f"the demonstration failed: {what}" + (f"; the log says: {log[-1]}" if log else ""))
