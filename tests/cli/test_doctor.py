"""Each ailment of the table is found where it is made, is one line with its fix, and goes when it is mended."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lib.cli import ailments, examination, machinery, remedies, resting
from lib.cli import place as places
from lib.cli.finding import Row
from lib.host.call import PAUSED, RECALL_ONLY
from lib.journal import Journal, failing
from lib.model import outage
from lib.setup import check, plan, record, slash_commands, trial
from tests.cli.conftest import ROOT, Desk


@pytest.fixture
def installed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Registered as install.py does it; what each command does when it is run is install.py's own tests' business."""
    config = str(desk.config)
    plan.apply(plan.install(config, sys.executable, str(ROOT)))
    slash_commands.install(config, sys.executable, str(ROOT))
    monkeypatch.setattr(trial, "outcomes", lambda runnable: dict.fromkeys(runnable, trial.Outcome("", 1)))
    desk.put("one", "Number one")
    return desk


def wrong(desk: Desk) -> dict[str, dict[str, Any]]:
    told = json.loads(desk.run("doctor", "--json").stdout)
    return {row["ailment"]: row for row in told["rows"] if row["ailment"]}


def settings(desk: Desk, change: Callable[[dict[str, Any]], object]) -> None:
    path = desk.config / "settings.json"
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))


def command(desk: Desk, old: str, new: str) -> None:
    path = desk.config / "settings.json"
    path.write_text(path.read_text().replace(old, new))


def test_a_sound_installation_is_all_ok(installed: Desk) -> None:
    shown = installed.run("doctor")
    assert shown.returncode == 0 and "WRONG" not in shown.stdout, shown.stdout
    assert shown.stdout.rstrip().endswith(" ok") and wrong(installed) == {}


def future_lock(desk: Desk) -> None:
    path = desk.memory / ".consolidate-lock"
    path.write_text("1")
    os.utime(path, (time.time() + 90_000,) * 2)


def many_lines(desk: Desk) -> None:
    with (desk.memory / "MEMORY.md").open("a") as file:
        file.write("words\n" * 300)


def same_slug(desk: Desk) -> None:
    other = desk.project.parent / (desk.project.name + "_")
    other.mkdir()
    Journal(str(desk.state), "s").append("session", launch=str(other))


def project_settings(desk: Desk) -> None:
    hooks = json.loads((desk.config / "settings.json").read_text())["hooks"]
    text = json.dumps({"hooks": hooks}).replace(sys.executable, "/usr/bin/python3")
    (desk.project / ".claude").mkdir()
    (desk.project / ".claude" / "settings.json").write_text(text)


def fail_thrice(desk: Desk) -> None:
    for _ in range(3):
        failing.failed(str(desk.config), "learning", "OSError: full")


def waiting_turn(desk: Desk) -> None:
    journal = Journal(str(desk.state), "s")
    journal.append("stop", due=10, reason="run")
    os.utime(journal.path, (time.time() - 3_600,) * 2)


def no_folder(desk: Desk) -> None:
    shutil.rmtree(desk.memory)
    desk.memory.write_text("a file where a folder should be")


MADE: dict[str, Callable[[Desk], object]] = {
    "hooks-off": lambda d: settings(d, lambda s: s.update(disableAllHooks=True)),
    "settings-unparseable": lambda d: (d.config / "settings.json").write_text('{"a": 1,}'),
    "hooks-missing": lambda d: settings(d, lambda s: s["hooks"].pop("Stop")),
    "interpreter-gone": lambda d: command(d, sys.executable, "/gone/bin/python"),
    "moved-checkout": lambda d: command(d, f"{ROOT}/hooks/stop.py", "/gone/hooks/stop.py"),
    "registered-twice": project_settings,
    "commands-missing": lambda d: (d.config / "commands" / "remember.md").unlink(),
    "no-thinker": lambda d: settings(d, lambda s: s.update(memoryHooks={"backend": "anthropic"})),
    "backend-failing": lambda d: outage.failed(str(d.config), "claude", "auth", "login ended", time.time()),
    "memory-off": lambda d: settings(d, lambda s: s.update(autoMemoryEnabled=False)),
    "resting": lambda d: resting.put(str(d.config), resting.EVERYWHERE, RECALL_ONLY),
    "native-off": lambda d: settings(d, lambda s: s.update(memoryHooks={"index": {"deliver": "never"}})),
    "index-over-limits": many_lines,
    "index-stale": lambda d: (d.memory / "MEMORY.md").write_text("# Memory Index\n"),
    "memory-unreadable": lambda d: (d.memory / "words.md").write_text("words"),
    "dead-lock": future_lock,
    "not-writable": no_folder,
    "worker-failing": fail_thrice,
    "worker-absent": waiting_turn,
    "shared-folder": same_slug,
}


@pytest.mark.parametrize("ailment", MADE)
def test_what_fails_silently_is_one_line_with_cause_and_fix(installed: Desk, ailment: str) -> None:
    MADE[ailment](installed)
    found = wrong(installed)
    assert ailment in found, found
    row = found[ailment]
    assert row["fix"] and row["cause"] == ailments.BY_ID[ailment].cause
    assert row["mendable"] == bool(ailments.BY_ID[ailment].mends)
    shown = installed.run("doctor")
    assert shown.returncode == 1 and shown.stderr == ""
    (line,) = [row for row in shown.stdout.splitlines() if ailments.BY_ID[ailment].title in row]
    assert line.startswith("WRONG") and " -> " in line


def test_hooks_that_the_project_s_own_files_switch_off_are_told_with_the_file(installed: Desk) -> None:
    path = installed.project / ".claude" / "settings.local.json"
    path.parent.mkdir()
    for text in ("{", "[]", '{"disableAllHooks": false}'):
        path.write_text(text)
        assert "hooks-off" not in wrong(installed)
    path.write_text('{"disableAllHooks": true}')
    assert wrong(installed)["hooks-off"]["fix"] == f'take "disableAllHooks" out of {path}'


def test_a_full_disk_a_missing_package_and_an_old_plugin_are_told(
    installed: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machinery, "ROOM", 1 << 80)
    monkeypatch.setattr(examination, "PACKAGES", ("yaml", "no_such_package"))
    told = [check.Row("plugin", "Python 3.8 is too old for the plugin in /p: it does nothing", "x"),
            check.Row("plugin", "/s registers the hooks as well: those act", "x"),
            check.Row("Stop", "exit status 1", "x")]  # fmt: skip
    monkeypatch.setattr(check, "rows", lambda *_: told)
    found = wrong(installed)
    assert {"disk-full", "packages-missing", "python-old", "plugin-and-settings", "hook-fails"} <= set(found)
    assert "no_such_package" in found["packages-missing"]["found"]


def test_another_host_whose_checkout_moved_is_named(installed: Desk) -> None:
    folder = Path(os.environ["HOME"]) / ".gemini"
    folder.mkdir()
    (folder / "settings.json").write_text("{}")
    record.save(str(installed.config), record.Record(["x"]), "install-gemini.json")
    row = wrong(installed)["other-host"]
    assert row["what"] == "Gemini CLI" and row["fix"] == "python install.py --host gemini"


def test_every_ailment_is_tried_here_and_each_repair_is_in_the_table() -> None:
    elsewhere = {"disk-full", "packages-missing", "python-old", "plugin-and-settings", "hook-fails", "other-host"}
    assert set(MADE) | elsewhere == {ailment.id for ailment in ailments.TABLE}
    assert set(remedies._REMEDIES) == {ailment.id for ailment in ailments.TABLE if ailment.mends}
    assert all(part for a in ailments.TABLE for part in (a.id, a.title, a.sign, a.cause, a.fix))


@pytest.mark.parametrize("ailment", ["backend-failing", "resting", "index-stale", "dead-lock"])
def test_fix_mends_what_it_says_and_can_be_taken_back(installed: Desk, ailment: str) -> None:
    MADE[ailment](installed)
    shown = installed.run("doctor", "--fix", "--yes")
    assert shown.returncode == 0, shown.stdout
    assert f"{ailments.BY_ID[ailment].title}: " in shown.stdout and wrong(installed) == {}
    if ailment == "dead-lock":
        assert [path.name for path in installed.memory.glob(".consolidate-lock.2*")]
    if ailment == "index-stale":
        assert installed.run("undo").returncode == 0 and "index-stale" in wrong(installed)


def test_fix_asks_and_a_no_leaves_everything(installed: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    resting.put(str(installed.config), resting.EVERYWHERE, PAUSED)
    asked: list[str] = []

    def answer(question: str) -> str:
        asked.append(question)
        return "n"

    monkeypatch.setattr("builtins.input", answer)
    shown = installed.run("doctor", "--fix", columns=200)
    assert shown.returncode == 1 and len(asked) == 1 and asked[0].endswith("Do it? [y/N] ")
    assert "resting" in wrong(installed)
    nobody = installed.run("doctor", "--fix")
    assert nobody.returncode == 1 and "say yes to every repair with --fix --yes" in nobody.stderr


def test_install_is_run_once_for_all_that_it_mends(installed: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    MADE["hooks-missing"](installed)
    MADE["commands-missing"](installed)
    ran: list[list[str]] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        ran.append(command)
        plan.apply(plan.install(str(installed.config), sys.executable, str(ROOT)))
        slash_commands.install(str(installed.config), sys.executable, str(ROOT))
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(remedies.subprocess, "run", run)  # type: ignore[attr-defined]
    shown = installed.run("doctor", "--fix", "--yes")
    assert shown.returncode == 0 and len(ran) == 1
    assert ran[0][1:4] == [f"{ROOT}/install.py", "--config-dir", str(installed.config)]


def test_a_failed_install_says_its_last_line(installed: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    done = subprocess.CompletedProcess([], 1, "", "noise\ninstall.py: no way\n")
    monkeypatch.setattr(remedies.subprocess, "run", lambda *_, **__: done)  # type: ignore[attr-defined]
    row = Row("hooks", "not registered", "hooks-missing")
    here = places.here(str(installed.project), os.environ)
    assert remedies._install(row, here) == "install.py failed: install.py: no way"
