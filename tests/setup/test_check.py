from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lib.host import registration
from lib.setup import check, plan
from lib.setup.check import Row

Edit = Callable[[dict[str, Any]], object]
STOP = next(hook for hook in registration.HOOKS if hook.event == "Stop")


@pytest.fixture
def rows(checkout: Path, config: Path, tmp_path: Path) -> Callable[..., list[Row]]:
    """Install the copy, change the settings with `edit`, and check."""

    def checked(edit: Edit = lambda value: None, env: dict[str, str] | None = None) -> list[Row]:
        plan.apply(plan.install(str(config), sys.executable, str(checkout)))
        path = config / "settings.json"
        value = json.loads(path.read_text(encoding="utf-8"))
        edit(value)
        path.write_text(json.dumps(value), encoding="utf-8")
        return check.rows(str(config), str(checkout), {"HOME": str(tmp_path), **(env or {})}, str(tmp_path))

    return checked


def wrong(found: list[Row]) -> dict[str, str]:
    return {row.what: row.problem for row in found if row.problem}


def run_of(value: dict[str, Any], event: str) -> dict[str, Any]:
    found: dict[str, Any] = value["hooks"][event][0]["hooks"][0]
    return found


def test_a_fresh_installation_is_all_ok(rows: Callable[..., list[Row]]) -> None:
    found = rows()
    assert [row.what for row in found] == [hook.title for hook in registration.HOOKS]
    assert wrong(found) == {}
    assert all(row.note.endswith(" ms") for row in found)


FAULTS: list[tuple[Edit, str, str]] = [
    (lambda v: v["hooks"].pop("Stop"), "Stop", "not registered"),
    (lambda v: v["hooks"]["SessionStart"].pop(), "SessionStart 3", "not registered"),
    (lambda v: v["hooks"]["Stop"].append(v["hooks"]["Stop"][0]), "Stop", "registered 2 times"),
    (lambda v: run_of(v, "Stop").update(timeout=1), "Stop", "its timeout is 1, in the table it is 10"),
    (lambda v: v["hooks"]["PostToolUse"][0].update(matcher="Write"), "PostToolUse",
     "its matcher is 'Write', in the table it is 'Bash|Write|Edit|MultiEdit|NotebookEdit'"),
    (lambda v: v["hooks"].update(SubagentStop=v["hooks"]["Stop"]), "SubagentStop", "not in the table: "),
    (lambda v: v.update(disableAllHooks=True), "disableAllHooks", "the settings switch every hook off"),
]  # fmt: skip


@pytest.mark.parametrize(("edit", "what", "said"), FAULTS)
def test_a_difference_from_the_table_is_told_with_its_fix(
    rows: Callable[..., list[Row]], edit: Edit, what: str, said: str
) -> None:
    found = rows(edit)
    problems = wrong(found)
    assert list(problems) == [what]
    assert problems[what].startswith(said)
    assert all(row.fix for row in found if row.problem)


def test_a_script_called_in_a_command_of_the_person_s_own_is_a_second_registration(
    rows: Callable[..., list[Row]], checkout: Path
) -> None:
    own = f"cd /tmp && python3 {checkout}/hooks/stop.py | tee log"
    found = rows(lambda v: v["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": own}]}))
    assert wrong(found) == {"Stop": f"a command of your own runs our script too: {own}"}


def test_another_spelling_in_the_project_s_settings_is_a_second_registration(
    rows: Callable[..., list[Row]], checkout: Path, tmp_path: Path
) -> None:
    (tmp_path / ".claude").mkdir()
    same = registration.entries(sys.executable, str(checkout))["Stop"]
    path = tmp_path / ".claude" / "settings.local.json"
    path.write_text(json.dumps({"hooks": {"Stop": same}}))
    assert wrong(rows()) == {}
    other = registration.entries("/usr/bin/python3", str(checkout))["Stop"]
    path.write_text(json.dumps({"hooks": {"Stop": other}}))
    assert wrong(rows()) == {"Stop": f"registered a second time in {path}"}
    path.write_text("{")
    assert wrong(rows()) == {}


def test_a_moved_checkout_and_a_lost_interpreter_are_told_by_name(
    rows: Callable[..., list[Row]], checkout: Path, config: Path, tmp_path: Path
) -> None:
    gone = str(tmp_path / "gone")
    found = rows(lambda v: run_of(v, "Stop").update(command=registration.command(STOP, gone, gone)))
    assert wrong(found) == {"Stop": f"its script is gone: {gone}/hooks/stop.py"}
    no_python = registration.command(STOP, gone, str(checkout))
    assert wrong(rows(lambda v: run_of(v, "Stop").update(command=no_python))) == {
        "Stop": f"its interpreter is gone: {gone}"
    }
    other = tmp_path / "other"
    shutil.copytree(checkout, other)
    plan.apply(plan.install(str(config), sys.executable, str(other)))
    found = check.rows(str(config), str(checkout), {}, str(tmp_path))
    assert wrong(found) == {
        hook.title: f"it runs another checkout: {other}/hooks/{hook.script}" for hook in registration.HOOKS
    }


def test_nothing_installed_is_six_rows_not_an_error(checkout: Path, config: Path, tmp_path: Path) -> None:
    found = check.rows(str(config), str(checkout), {}, str(tmp_path))
    assert wrong(found) == {hook.title: "not registered" for hook in registration.HOOKS}
    assert not config.exists()


def test_a_file_that_cannot_be_read_is_one_row(checkout: Path, config: Path, tmp_path: Path) -> None:
    config.mkdir()
    (config / "settings.json").write_text('\n{"a": 1,}')
    found = check.rows(str(config), str(checkout), {}, str(tmp_path))
    assert [(row.what, row.problem) for row in found] == [
        (str(config / "settings.json"), 'line 2, column 8: a comma before "}", which JSON does not allow')
    ]


def test_memory_that_is_switched_off_is_noted_and_no_fault(rows: Callable[..., list[Row]]) -> None:
    found = rows(lambda v: v.update(autoMemoryEnabled=False))
    assert (found[-1].what, found[-1].problem, found[-1].note) == (
        "memory", "", "switched off by autoMemoryEnabled"
    )  # fmt: skip
    found = rows(env={"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"})
    assert found[-1].note == "switched off by CLAUDE_CODE_DISABLE_AUTO_MEMORY"


def test_checking_writes_nothing_of_the_person_s(rows: Callable[..., list[Row]], config: Path, checkout: Path) -> None:
    rows()
    held = {path: path.stat().st_mtime_ns for path in config.rglob("*")}
    check.rows(str(config), str(checkout), {}, os.getcwd())
    assert {path: path.stat().st_mtime_ns for path in config.rglob("*")} == held


def test_the_table_has_a_line_a_row_and_the_fix_below() -> None:
    answer = [Row("Stop", note="12 ms"), Row("PostToolUse", "not registered", "run: python install.py")]
    assert check.table(answer) == (
        "ok    Stop         12 ms\n"
        "FAIL  PostToolUse  not registered\n"
        "                   -> run: python install.py"
    )  # fmt: skip
