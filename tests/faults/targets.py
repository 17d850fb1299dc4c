"""What the sweep disturbs: each hook as registered, the worker's jobs, install.py; with the machine that gives it work.

`build` makes the machine, `follow` is the undisturbed next run and says what of the due work is still missing.
"""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lib.host import paths
from lib.host.registration import FLAGS, HOOKS, Hook
from lib.journal import Journal
from lib.memory import index
from tests.bench.stages import FACT, memories
from tests.support import messy
from tests.support.registered import ROOT, SESSION, Stage

OTHER = "77aa4b1e-9d43-4c57-9e3f-0d7f0b9c2a22"
SAID = "Remember: the staging server is called otter"
OTTER = FACT.format("otter", "The staging server is called otter", "reference", "Otter.", "-", "-")
OWN = {"theme": "dark", "memoryHooks": {"backend": "rules"}}
Follow = Callable[[Stage], str]


class Machine(Stage):
    """A stage that may lack programs: `home/bin`, the only folder of its PATH then, has a shell and nothing else."""

    @property
    def poor(self) -> bool:
        return (self.home / "bin").is_dir()

    def environment(self, **changes: str | None) -> dict[str, str]:
        return super().environment(**({"PATH": str(self.home / "bin")} if self.poor else {}), **changes)


@dataclass(frozen=True)
class Target:
    """One program that is disturbed; `event` names a hook's, "" for the others. `env` None takes a variable out."""

    name: str
    build: Callable[[Stage], None]
    script: str
    arguments: Callable[[Stage], list[str]]
    follow: Follow
    event: str = ""
    flags: tuple[str, ...] = ("-I",)
    env: Mapping[str, str | None] = field(default_factory=dict)
    weight: float = 1.0  # of its share of a sample
    talks: bool = False  # a person reads what it says: a sentence, never a traceback

    def command(self, stage: Stage, *before: str) -> list[str]:
        """The command line, the script under the program `before` if there is one."""
        return [sys.executable, *self.flags, *before, self.script, *self.arguments(stage)]

    def stdin(self, stage: Stage) -> bytes:
        return json.dumps(payload(stage, self.event)).encode() if self.event else b""

    def environment(self, stage: Stage) -> dict[str, str]:
        return stage.environment(**self.env)


def payload(stage: Stage, event: str, session: str = SESSION, **fields: Any) -> dict[str, Any]:
    """What the client sends; PostToolUse is of a memory that the main agent wrote."""
    if event == "PostToolUse":
        fields = {"tool_name": "Write", "tool_input": {"file_path": str(stage.memory / "otter.md"), "content": OTTER},
                  **fields}  # fmt: skip
    transcript = str(stage.transcript.with_name(f"{session}.jsonl"))
    return stage.payload(event, **{"session_id": session, "transcript_path": transcript, **fields})


def hooked(stage: Stage, event: str, session: str = SESSION, arguments: tuple[str, ...] = (), **fields: Any) -> bytes:
    """Run a hook undisturbed; its stdout. Any harm is raised."""
    env = stage.environment(CLAUDECODE=None) if event == "SessionStart" else None
    hook = next(hook for hook in HOOKS if hook.event == event and arguments in ((), hook.arguments))
    ran = stage.run(hook, json.dumps(payload(stage, event, session, **fields)).encode(), env=env)
    if harm := ran.harm():
        raise AssertionError(f"the undisturbed {event} did harm: {harm}")
    return ran.out


def state(stage: Stage) -> str:
    return paths.state_dir(str(stage.config), os.path.realpath(stage.project))


def say(stage: Stage, number: int, text: str, session: str = SESSION) -> Path:
    """One prompt at the end of a session's transcript."""
    path = stage.transcript.with_name(f"{session}.jsonl")
    path.parent.mkdir(parents=True, exist_ok=True)
    line = {
        "type": "user", "uuid": f"{number:08d}-aaaa-4000-8000-000000000000", "isSidechain": False, "sessionId": session,
        "timestamp": "2026-11-30T12:00:00.000Z", "message": {"role": "user", "content": text},
    }  # fmt: skip
    with path.open("ab") as file:
        file.write(json.dumps(line).encode() + b"\n")
    return path


def next_turn(stage: Stage) -> None:
    """One more turn, with the worker that it starts, to its end."""
    say(stage, 9_100, "hello again, what comes next?")
    hooked(stage, "Stop")
    stage.settle(60.0)


def otter(stage: Stage) -> str:
    """What is missing of the memory that is due."""
    found = [path for path in stage.memory.glob("*.md") if path.name != "MEMORY.md" and "otter" in path.read_text()]
    return "" if len(found) == 1 else f"{len(found)} memories of what was said, one is due"


# ---- machines


def bare(stage: Stage) -> None:
    stage.config.mkdir(parents=True)
    stage.project.mkdir(parents=True)
    (stage.config / "settings.json").write_text(json.dumps(OWN, indent=2))


def furnished(stage: Stage, count: int = 4) -> None:
    """`count` memories with their index."""
    bare(stage)
    memories(stage, count)


def with_turn(stage: Stage) -> None:
    """The turn that Stop is about."""
    furnished(stage)
    say(stage, 1, SAID)


def with_due_turn(stage: Stage, session: str = SESSION) -> None:
    """The same, noted by Stop; whoever was to work it off has not."""
    furnished(stage)
    path = say(stage, 1, SAID, session)
    fields = {"transcript": str(path), "launch": str(stage.project), "reason": "run"}
    Journal(state(stage), session).append("stop", due=path.stat().st_size, **fields)


def without_git(stage: Stage) -> None:
    with_due_turn(stage)
    (stage.home / "bin").mkdir()
    (stage.home / "bin" / "sh").symlink_to(shutil.which("sh") or "/bin/sh")


def with_history(stage: Stage) -> None:
    """The same, where earlier turns made memories and a history."""
    with_due_turn(stage)
    run_worker(stage)
    path = say(stage, 2, "Remember: we deploy on Tuesdays only")
    Journal(state(stage), SESSION).append("stop", due=path.stat().st_size, reason="run")


def with_left_session(stage: Stage) -> None:
    with_due_turn(stage, OTHER)


def with_long_index(stage: Stage) -> None:
    """An index of three pages, which this client does not load itself."""
    furnished(stage)
    for number in range(190):
        name, said = f"plan-{number}", f"The plan of part {number} is kept in the cupboard on the left hand side"
        (stage.memory / f"{name}.md").write_text(FACT.format(name, said, "project", said, "-", "-"))
    index.mend(str(stage.memory))


def with_written_memory(stage: Stage) -> None:
    """The main agent has written a memory; its hook comes now."""
    furnished(stage)
    say(stage, 1, "please note where staging is")
    (stage.memory / "otter.md").write_text(OTTER)


def with_long_talk(stage: Stage) -> None:
    """A conversation of which a summary is due."""
    furnished(stage)
    for number in range(1, 320):
        wrong = "the button is too wide, its label is cut off and the colour does not fit the theme of that page"
        say(stage, number, f"Please change the login form of page {number}: {wrong}.")


def with_noted_talk(stage: Stage) -> None:
    with_long_talk(stage)
    path = stage.transcript
    settled = {"transcript": str(path), "launch": str(stage.project), "reason": "run"}
    journal = Journal(state(stage), SESSION)
    journal.append("stop", cursor=path.stat().st_size, **settled)
    journal.append("look", at=path.stat().st_size, tokens=20_000, calls=5, **settled)


def with_mess(stage: Stage) -> None:
    """A consolidation is due."""
    bare(stage)
    messy.fill(stage.memory, 14)
    (stage.memory / ".consolidate-lock").write_text("")
    os.utime(stage.memory / ".consolidate-lock", (time.time() - 2 * 86_400,) * 2)
    for number in range(7):
        session = f"{number:08d}-1111-4111-8111-111111111111" if number else SESSION
        path = say(stage, 1, "hello", session)
    path = say(stage, 1, "hello")
    Journal(state(stage), SESSION).append(
        "stop", cursor=path.stat().st_size, transcript=str(path), launch=str(stage.project), reason="run"
    )


# ---- next runs


def run_worker(stage: Stage) -> None:
    command = [sys.executable, "-I", str(ROOT / "lib" / "worker.py"), state(stage)]
    done = subprocess.run(command, env=stage.environment(), capture_output=True, timeout=60, cwd=stage.project)
    if done.returncode or done.stdout or done.stderr:
        raise AssertionError(f"the undisturbed worker ended with {done}")


def after_turn(stage: Stage) -> str:
    next_turn(stage)
    return otter(stage)


def after_history(stage: Stage) -> str:
    next_turn(stage)
    return otter(stage) or ("" if "Tuesdays" in _all(stage) else "the second memory that was due")


def after_tool(stage: Stage) -> str:
    hooked(stage, "PostToolUse")
    next_turn(stage)
    return otter(stage)


def after_start(stage: Stage) -> str:
    hooked(stage, "SessionStart", arguments=("1",))
    stage.settle(60.0)
    run_worker(stage)  # where nothing was due any more none was started, and it is a worker that clears away
    return otter(stage)


def after_page(number: str) -> Follow:
    def follow(stage: Stage) -> str:
        told = hooked(stage, "SessionStart", arguments=(number,))
        stage.settle(60.0)
        return "" if b"system-reminder" in told else f"page {number} of the index"

    return follow


def after_prompt(stage: Stage) -> str:
    told = hooked(stage, "UserPromptSubmit", OTHER)
    stage.settle(60.0)
    return "" if b"pnpm" in told else "the memory that the prompt needs"


def after_compaction(stage: Stage) -> str:
    say(stage, 9_101, "hello again, what comes next?")
    hooked(stage, "PreCompact")
    hooked(stage, "Stop")
    stage.settle(60.0)
    made = stage.transcript.with_suffix("") / "session-memory" / "summary.md"
    return "" if made.is_file() and "login form" in made.read_text() else "the summary that was due"


def after_dream(stage: Stage) -> str:
    # The time until the next look has passed, and the time until the next consolidation.
    Path(state(stage), "dream.next").unlink(missing_ok=True)
    os.utime(stage.memory / ".consolidate-lock", (time.time() - 2 * 86_400,) * 2)
    next_turn(stage)
    left = [path.name for path in stage.memory.glob("*copy.md")]
    return f"{left} should be one with their likes" if left else ""


def _all(stage: Stage) -> str:
    return "\n".join(path.read_text() for path in stage.memory.glob("*.md"))


# ---- install.py

INSTALL = [sys.executable, "-I", str(ROOT / "install.py"), "--no-venv"]


def installer(stage: Stage, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    env = {"PATH": os.environ["PATH"], "HOME": str(stage.home), "CLAUDE_CONFIG_DIR": str(stage.config)}
    return subprocess.run([*INSTALL, *arguments], env=env, capture_output=True, timeout=120, cwd=stage.project)


def installed(stage: Stage) -> None:
    bare(stage)
    done = installer(stage)
    if done.returncode:
        raise AssertionError(f"the undisturbed install.py failed: {done}")


def after_install(stage: Stage) -> str:
    done = installer(stage)
    if done.returncode:
        return f"an installation: {done.stderr[-300:]!r}"
    return "" if (stage.config / "settings.json").read_bytes().count(b"/hooks/") == len(HOOKS) else "its registration"


def after_uninstall(stage: Stage) -> str:
    done = installer(stage, "--uninstall")
    if done.returncode:
        return f"an end of the installation: {done.stderr[-300:]!r}"
    same = (stage.config / "settings.json").read_bytes() == json.dumps(OWN, indent=2).encode()
    return "" if same else "the settings as they were"


def after_check(stage: Stage) -> str:
    done = installer(stage, "--check")
    return "" if done.returncode == 0 else f"a check that finds all well: {done.stdout[-300:]!r}"


# ---- the table

MACHINES: dict[str, tuple[Callable[[Stage], None], Follow]] = {
    "SessionStart 1": (with_left_session, after_start), "SessionStart 2": (with_long_index, after_page("2")),
    "SessionStart 3": (with_long_index, after_page("3")), "UserPromptSubmit": (furnished, after_prompt),
    "PostToolUse": (with_written_memory, after_tool), "PreCompact": (with_long_talk, after_compaction),
    "Stop": (with_turn, after_turn),
}  # fmt: skip


def hook_target(hook: Hook) -> Target:
    """The target of one row; a row without a machine of its own runs after a turn and must not hinder the next."""
    build, follow = MACHINES.get(hook.title, (with_turn, after_turn))
    env: dict[str, str | None] = {"CLAUDECODE": None} if hook.event == "SessionStart" else {}
    script = str(ROOT / "hooks" / hook.script)
    return Target(hook.title, build, script, lambda _: list(hook.arguments), follow, hook.event, FLAGS, env)


def worker_target(name: str, build: Callable[[Stage], None], follow: Follow) -> Target:
    script = str(ROOT / "lib" / "worker.py")
    return Target(f"worker {name}", build, script, lambda stage: [state(stage)], follow, weight=2.0)


def install_target(name: str, build: Callable[[Stage], None], follow: Follow, *arguments: str) -> Target:
    script = str(ROOT / "install.py")
    given = ["--no-venv", *arguments]
    env: dict[str, str | None] = {"CLAUDECODE": None}
    return Target(name, build, script, lambda _: given, follow, env=env, weight=0.5, talks=True)


def everything() -> list[Target]:
    """Every target that can run here."""
    from tests.faults import team_target

    found = [hook_target(hook) for hook in HOOKS]
    found += [
        worker_target("extract", with_due_turn, after_turn),
        worker_target("extract again", with_history, after_history),
        worker_target("extract, no git", without_git, after_turn),
        worker_target("summary", with_noted_talk, after_compaction),
        worker_target("dream", with_mess, after_dream),
        install_target("install", bare, after_install),
        install_target("uninstall", installed, after_uninstall, "--uninstall"),
        install_target("check", installed, after_check, "--check"),
    ]
    if shutil.which("git") is None:
        return [target for target in found if target.name != "worker extract again"]
    return [*found, team_target.target()]
