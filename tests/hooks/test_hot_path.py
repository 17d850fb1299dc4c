"""What each hook asks of the system is counted, not timed: modules, calls, and calls on the person's own files.

The limits are what was measured with room for a few more; whoever needs more says so by raising one here.
"""
from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lib.host.registration import FLAGS, HOOKS, Hook
from lib.recall import postings
from lib.recall.delivery import INDEX_FILE
from tests.bench import stages
from tests.bench.runs import Row
from tests.support.registered import ROOT, Stage

# modules beyond the bare interpreter | calls beyond it | calls that name a file of the person's: settings, journal …
LIMITS = {
    "SessionStart 1": (48, 710, 28),
    "SessionStart 2": (34, 480, 13),
    "SessionStart 3": (34, 480, 13),
    "UserPromptSubmit": (67, 1040, 66),
    "PostToolUse": (32, 450, 9),
    "PreCompact": (39, 560, 24),
    "Stop": (47, 720, 46),
    "SubagentStart": (51, 710, 13),
    "SubagentStop": (44, 630, 13),
}
NEVER = {"collections", "contextlib", "enum", "functools", "re", "json", "sqlite3", "typing", "unicodedata", "signal"}
strace = pytest.mark.skipif(shutil.which("strace") is None, reason="no strace here: calls are not counted")


@pytest.fixture
def lived(stage: Stage) -> Stage:
    """A session that has begun and had a turn, with ten memories and an index of them."""
    stages.memories(stage, 10)
    stages.transcript(stage, 20_000)
    run(stage, HOOKS[0])
    stages.turn(stage)
    indexed(stage)
    for _ in range(2):  # what is read and judged once is not judged again
        run(stage, next(hook for hook in HOOKS if hook.event == "UserPromptSubmit"))
    return stage


def indexed(stage: Stage) -> None:
    """Take every memory into the index: on a busy machine a prompt leaves some of them for the next one."""
    (state,) = (stage.own / "projects").iterdir()
    postings.refresh(str(stage.memory), str(state / INDEX_FILE))


def command(hook: Hook) -> list[str]:
    return [sys.executable, *FLAGS, str(ROOT / "hooks" / hook.script), *hook.arguments]


def run(stage: Stage, hook: Hook, *under: str) -> bytes:
    environment = stage.environment(DISABLE_AUTO_COMPACT="1")
    stdin = json.dumps(stage.payload(hook.event)).encode()
    ran = subprocess.run([*under, *command(hook)], input=stdin, env=environment, capture_output=True, timeout=30)
    assert ran.returncode == 0
    return ran.stdout


def calls(stage: Stage, hook: Hook, trace: Path) -> list[str]:
    run(stage, hook, "strace", "-qq", "-s", "400", "-e", "signal=none", "-o", str(trace))
    return trace.read_text(errors="replace").splitlines()


def beyond(stage: Stage, hook: Hook) -> list[str]:
    """The modules that a run loads and the bare interpreter does not."""
    stdin = json.dumps(stage.payload(hook.event)).encode()
    row = Row(hook.title, command(hook), stdin, stage.environment(DISABLE_AUTO_COMPACT="1"), lambda: None)
    return row.modules()


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many calls the interpreter makes by itself; 0 where they cannot be counted."""
    if shutil.which("strace") is None:
        return 0
    trace = tmp_path_factory.mktemp("bare") / "trace"
    argv = ["strace", "-qq", "-o", str(trace), sys.executable, *FLAGS, "-c", "pass"]
    subprocess.run(argv, env={}, check=True, timeout=30)
    return len(trace.read_text(errors="replace").splitlines())


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook.title)
def test_a_hook_loads_few_modules_and_asks_little_of_the_system(
    lived: Stage, hook: Hook, bare: int, tmp_path: Path
) -> None:
    most_modules, most_calls, most_theirs = LIMITS[hook.title]
    names = beyond(lived, hook)
    assert "lib.boundary" in names
    assert sorted(NEVER.intersection(names)) == []
    assert len(names) <= most_modules, f"{len(names)} modules: {' '.join(names)}"
    if bare:
        made = calls(lived, hook, tmp_path / "trace")
        theirs = [line for line in made if str(lived.home) in line or str(lived.project) in line]
        assert 0 < len(theirs) <= most_theirs, "\n".join(theirs)
        assert len(made) - bare <= most_calls
        opened = [line.split('"')[1] for line in made if line.startswith("open") and "O_RDONLY|O_CLOEXEC)" in line]
        twice = {path for path in opened if path.startswith(str(lived.home)) and opened.count(path) > 1}
        assert {path for path in twice if "/journal/" not in path and "/memory/" not in path} == set()


@strace
def test_one_more_memory_costs_a_prompt_one_look_and_no_read(lived: Stage, tmp_path: Path) -> None:
    hook = next(hook for hook in HOOKS if hook.event == "UserPromptSubmit")
    before = [line for line in calls(lived, hook, tmp_path / "few") if "/memory/" in line]
    for number in range(40):
        text = stages.FACT.format(f"more-{number}", "of tides and ferries", "project", "Tides.", "so", "then")
        (lived.memory / f"more-{number}.md").write_text(text)
    indexed(lived)
    after = [line for line in calls(lived, hook, tmp_path / "many") if "/memory/" in line]
    assert len(after) - len(before) == 40
    assert not [line for line in after if "open" in line.split("(")[0] and "/more-" in line]
