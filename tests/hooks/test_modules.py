"""What a hook imports is counted: each of these modules costs every turn of every session its milliseconds."""
from __future__ import annotations

import json
import subprocess
import sys

import pytest

from lib.host.registration import FLAGS, HOOKS, Hook
from tests.support.house import SLOW
from tests.support.registered import ROOT, Stage


def loaded(stage: Stage, hook: Hook) -> set[str]:
    """The modules that one ordinary run of the hook imports, as the interpreter itself tells."""
    script = str(ROOT / "hooks" / hook.script)
    argv = [sys.executable, "-X", "importtime", *FLAGS, script, *hook.arguments]
    stdin = json.dumps(stage.payload(hook.event)).encode()
    ran = subprocess.run(argv, input=stdin, env=stage.environment(), cwd=stage.project, capture_output=True, timeout=30)
    lines = [line for line in ran.stderr.decode().splitlines() if line.startswith("import time:")]
    return {line.split("|")[-1].strip() for line in lines[1:]}


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook.title)
def test_an_ordinary_run_loads_nothing_slow(stage: Stage, hook: Hook) -> None:
    memory = "---\nname: tabs\ndescription: Makefiles take tabs\nmetadata:\n  type: feedback\n---\nTabs.\n"
    stage.memory.mkdir(parents=True)
    (stage.memory / "tabs.md").write_text(memory)
    names = loaded(stage, hook)
    assert "lib.boundary" in names
    # `re` brings enum (and on some versions contextlib) with it; what counts is what nobody needed.
    allowed = {"enum", "contextlib"}
    assert sorted(name for name in names if name.split(".")[0] in SLOW - allowed) == []
    assert names.isdisjoint({"yaml", "psutil", "anthropic", "site"})
