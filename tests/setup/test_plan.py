from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.host import registration
from lib.setup import plan, record, user_file
from lib.setup.problems import FileProblem, SetupProblem

PYTHON = "/opt/v/bin/python"
MINE = b'{\n    "model": "x",\n    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}\n}'


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "a b" / ".claude"


@pytest.fixture
def write(config: Path) -> Callable[[bytes], Path]:
    def written(data: bytes) -> Path:
        config.mkdir(parents=True, exist_ok=True)
        (config / "settings.json").write_bytes(data)
        return config / "settings.json"

    return written


def install(config: Path, python: str = PYTHON, root: str = "/opt/checkout") -> plan.Plan:
    made = plan.install(str(config), python, root)
    plan.apply(made)
    return made


def uninstall(config: Path) -> plan.Plan:
    made = plan.uninstall(str(config))
    plan.apply(made)
    return made


def commands(config: Path) -> list[str]:
    value = json.loads((config / "settings.json").read_bytes())
    return [run["command"] for groups in value["hooks"].values() for group in groups for run in group["hooks"]]


@pytest.mark.parametrize("data", [
    b"", b" \n", b"{}", b"{ }\r\n",
    b"\xef\xbb\xbf{}", MINE, MINE + b"\n", MINE.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + MINE,
    b'{"hooks":null}', b'{"hooks":[]}', b'{"hooks":{"Stop":[null]},"hooks":{}}',
    '{"ü": "\u2028 \U0001f600 \\ud800"}'.encode(),
])  # fmt: skip
@pytest.mark.parametrize("lose", ["nothing", "backup"])
def test_uninstall_gives_back_the_same_bytes(
    config: Path, write: Callable[[bytes], Path], data: bytes, lose: str
) -> None:
    path = write(data)
    assert install(config).changes
    assert json.loads(path.read_bytes())["hooks"]["UserPromptSubmit"]
    if lose == "backup":
        shutil.rmtree(config / "memory-hooks" / "backup")
    assert uninstall(config).changes
    assert path.read_bytes() == (data if data.strip() or lose == "nothing" else b"{}\n")
    assert not uninstall(config).changes


def test_a_file_that_we_made_goes_with_us(config: Path) -> None:
    install(config)
    assert (config / "settings.json").read_text() == json.dumps(
        {"hooks": registration.entries(PYTHON, "/opt/checkout")}, indent=2
    ) + "\n"
    uninstall(config)
    assert not (config / "settings.json").exists()


def test_a_file_that_we_made_stays_when_the_person_put_something_in(config: Path) -> None:
    install(config)
    path = config / "settings.json"
    path.write_text(path.read_text().replace('{\n  "hooks"', '{\n  "model": "x",\n  "hooks"'))
    uninstall(config)
    assert path.read_text() == '{\n  "model": "x"\n}\n'


def test_installing_again_changes_nothing(config: Path, write: Callable[[bytes], Path]) -> None:
    path = write(MINE)
    install(config)
    state = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in config.rglob("*") if p.is_file()}
    again = install(config)
    assert (again.changes, again.diff) == (False, "")
    assert state == {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in config.rglob("*") if p.is_file()}
    assert path.read_bytes().count(b"/stop.py") == 1


def test_a_moved_checkout_and_another_python_replace_the_old_entries(
    config: Path, write: Callable[[bytes], Path]
) -> None:
    path = write(MINE)
    for number in range(3):
        install(config, f"/py{number}", f"/moved/{number}")
    assert sorted(commands(config)) == sorted(
        ["mine", *(registration.command(hook, "/py2", "/moved/2") for hook in registration.HOOKS)]
    )
    uninstall(config)
    assert path.read_bytes() == MINE


def test_a_moved_checkout_is_replaced_though_the_record_is_lost(config: Path, write: Callable[[bytes], Path]) -> None:
    path = write(MINE)
    install(config, "/old/python", "/old/checkout that is gone")
    shutil.rmtree(config / "memory-hooks")
    install(config)
    assert b"/old/" not in path.read_bytes()
    uninstall(config)
    assert path.read_bytes() == MINE


def test_later_edits_of_the_person_stay(config: Path, write: Callable[[bytes], Path]) -> None:
    path = write(MINE)
    install(config)
    path.write_bytes(path.read_bytes().replace(b'"model": "x"', b'"model":   "y" , "new": [ 1 ]'))
    uninstall(config)
    assert path.read_bytes() == MINE.replace(b'"model": "x"', b'"model":   "y" , "new": [ 1 ]')


def test_memories_and_foreign_state_are_not_touched(config: Path) -> None:
    memory = config / "projects" / "-p" / "memory" / "a.md"
    memory.parent.mkdir(parents=True)
    memory.write_bytes(b"fact")
    install(config)
    uninstall(config)
    assert memory.read_bytes() == b"fact"


def test_a_mark_is_not_written_and_comes_back(config: Path, write: Callable[[bytes], Path]) -> None:
    path = write(b"\xef\xbb\xbf" + MINE)
    install(config)
    assert path.read_bytes().startswith(b"{")
    path.write_bytes(path.read_bytes().replace(b'"x"', b'"y"'))
    uninstall(config)
    assert path.read_bytes() == b"\xef\xbb\xbf" + MINE.replace(b'"x"', b'"y"')


@pytest.mark.parametrize(("data", "said"), [
    (b'{"permissions":{"deny":["Read(./.env)"]},"hooks":{},}', "line 1, column 52: a comma before"),
    (b'{\n  // mine\n  "a": 1\n}', "line 2, column 3: a comment"),
    (b"[]", "line 1, column 1: the file holds an array"),
    (b"\xff\xfe{\x00}\x00", "UTF-16"),
    (b'{"a": "\xfc"}', "line 1, byte 8"),
])  # fmt: skip
@pytest.mark.parametrize("act", [install, uninstall])
def test_a_file_that_cannot_be_read_is_refused_and_unchanged(
    config: Path, write: Callable[[bytes], Path], act: Callable[[Path], plan.Plan], data: bytes, said: str
) -> None:
    path = write(data)
    with pytest.raises(SetupProblem) as caught:
        act(config)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)
    assert "unchanged" in str(caught.value)
    assert path.read_bytes() == data
    assert os.listdir(config) == ["settings.json"]


def test_a_write_that_fails_leaves_file_and_record(
    config: Path, write: Callable[[bytes], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(MINE)
    install(config)
    held, known = path.read_bytes(), record.load(str(config))

    def failing(was: Any, data: bytes | None) -> None:
        if was.path == str(path):
            raise FileProblem("disk full")
        original(was, data)

    original = user_file.write
    monkeypatch.setattr(user_file, "write", failing)
    with pytest.raises(SetupProblem, match="disk full"):
        install(config, "/other", "/elsewhere")
    assert (path.read_bytes(), record.load(str(config))) == (held, known)


def test_the_former_file_is_kept(config: Path, write: Callable[[bytes], Path]) -> None:
    write(MINE)
    install(config)
    assert MINE in [copy.read_bytes() for copy in (config / "memory-hooks" / "backup").iterdir()]


def test_the_diff_is_what_would_change_and_changes_nothing(config: Path, write: Callable[[bytes], Path]) -> None:
    path = write(b'{\n  "model": "x"\n}')
    diff = plan.install(str(config), PYTHON, "/opt/checkout").diff
    rows = diff.split("\n")
    assert rows[:2] == [f"--- {path}", f"+++ {path}"]
    assert '-  "model": "x"' in rows
    assert '+  "model": "x",' in rows
    assert "\\ No newline at end of file" in rows
    assert path.read_bytes() == b'{\n  "model": "x"\n}'
    assert os.listdir(config) == ["settings.json"]


def test_the_diff_of_a_new_file_starts_from_nothing(config: Path) -> None:
    diff = plan.install(str(config), PYTHON, "/opt/checkout").diff
    assert diff.startswith(f"--- /dev/null\n+++ {config}/settings.json\n@@ -0,0 +1,")
    assert not config.exists()


def test_a_path_outside_utf_8_is_refused(config: Path) -> None:
    with pytest.raises(SetupProblem, match="cannot stand in a settings file"):
        plan.install(str(config), PYTHON, "/opt/\udcff")


@pytest.mark.parametrize(("env", "chosen", "expected"), [
    ({"CLAUDE_CONFIG_DIR": "/c d"}, "", "/c d"),
    ({"HOME": "/h"}, "", "/h/.claude"),
    ({"HOME": "/h", "CLAUDE_CONFIG_DIR": ""}, "", "/h/.claude"),
    ({"HOME": ""}, "/x", "/x"),
])  # fmt: skip
def test_the_folder_is_the_client_s_own(env: dict[str, str], chosen: str, expected: str) -> None:
    assert plan.config_folder(env, chosen) == expected


@pytest.mark.parametrize(("env", "said"), [
    ({}, "HOME is empty"), ({"HOME": ""}, "HOME is empty"), ({"HOME": "relative"}, "HOME is empty"),
    ({"HOME": "/h", "CLAUDE_CONFIG_DIR": "x"}, "CLAUDE_CONFIG_DIR is 'x'"),
])  # fmt: skip
def test_without_a_folder_it_says_what_to_set(env: dict[str, str], said: str) -> None:
    with pytest.raises(SetupProblem, match=said):
        plan.config_folder(env)


STEPS = st.lists(
    st.sampled_from(["install", "move", "add key", "add hook", "lose backup", "lose record", "uninstall"]), max_size=7
)


@pytest.mark.heavy
@given(STEPS, st.sampled_from([b"{}", MINE, b'{"hooks": {"Stop": []}, "z": 1}\n', b"\xef\xbb\xbf" + MINE]))
def test_any_course_of_events_ends_with_the_person_s_own_settings(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str], data: bytes
) -> None:
    config = tmp_path_factory.mktemp("course")
    path = config / "settings.json"
    path.write_bytes(data)
    own = json.loads(data.decode("utf-8-sig"))
    for number, step in enumerate(steps):
        if step in ("install", "move"):
            install(config, PYTHON, "/opt/checkout" if step == "install" else f"/moved/{number}")
        elif step == "uninstall":
            uninstall(config)
        elif step == "lose backup":
            shutil.rmtree(config / "memory-hooks" / "backup", ignore_errors=True)
        elif step == "lose record":
            (config / "memory-hooks" / "install.json").unlink(missing_ok=True)
        else:
            value = json.loads(path.read_bytes().decode("utf-8-sig"))
            for settings in (value, own):
                if step == "add key":
                    settings[f"k{number}"] = number
                else:
                    hooks = settings.setdefault("hooks", {})
                    hooks.setdefault("PreToolUse", []).append({"hooks": [{"type": "command", "command": f"c{number}"}]})
            path.write_text(json.dumps(value))
    uninstall(config)
    left = json.loads(path.read_bytes().decode("utf-8-sig"))
    if "lose record" in steps:
        left, own = (_without_empty_hooks(value) for value in (left, own))
    assert left == own


def _without_empty_hooks(settings: dict[str, Any]) -> dict[str, Any]:
    hooks = {event: groups for event, groups in settings.get("hooks", {}).items() if groups}
    return {**{k: v for k, v in settings.items() if k != "hooks"}, **({"hooks": hooks} if hooks else {})}
