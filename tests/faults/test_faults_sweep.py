"""A sample of the sweep in each run of the tests; the whole is `python tests/faults/sweep.py`."""
from __future__ import annotations

import re
from pathlib import Path

import pytest

from lib.host.registration import HOOKS
from tests.faults import sweep, targets, tracing
from tests.support.registered import ROOT

pytestmark = pytest.mark.heavy

SAMPLE = {"Stop": 6, "UserPromptSubmit": 6, "PostToolUse": 4, "worker extract, no git": 6, "uninstall": 4}
BY_NAME = {target.name: target for target in targets.everything()}


@pytest.mark.parametrize("name", SAMPLE)
def test_a_sample_of_faults_leaves_nothing_wrong(tmp_path: Path, name: str) -> None:
    target = BY_NAME[name]
    outcome = sweep.sweep(target, tmp_path, quick=round(SAMPLE[name] / target.weight), strace=tracing.possible())
    assert outcome.failures == []
    assert sum(outcome.judged.values()) == SAMPLE[name] and len(outcome.judged) >= 3


def test_every_registered_hook_the_worker_and_the_installer_are_targets() -> None:
    names = set(BY_NAME)
    assert {hook.title for hook in HOOKS} <= names
    assert {"worker extract", "worker summary", "worker dream", "install", "uninstall", "check"} <= names


def test_no_fault_can_be_switched_on_in_the_product() -> None:
    sources = [*(ROOT / "lib").rglob("*.py"), *(ROOT / "hooks").glob("*.py"), ROOT / "install.py", ROOT / "memory.py"]
    assert len(sources) > 200
    for path in sources:
        assert not re.search(r"tests[./]faults|FAULT_PLAN", path.read_text()), path
