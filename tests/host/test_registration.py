from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.host import registration
from lib.host.registration import HOOKS, Hook

ROOT = Path(__file__).resolve().parents[2]


def test_example_file_is_what_the_table_gives() -> None:
    assert (ROOT / "settings.example.json").read_bytes() == registration.example().encode()


def test_example_file_is_strict_json_with_the_table_s_events() -> None:
    events = json.loads(registration.example())["hooks"]
    main, agents = ["SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "Stop"], ["Start", "Stop"]
    assert list(events) == [*main, *(f"Subagent{end}" for end in agents)]
    assert [len(groups) for groups in events.values()] == [3, 1, 1, 1, 1, 1, 1]


def test_command_is_absolute_quoted_and_isolated() -> None:
    stop = next(hook for hook in HOOKS if hook.event == "Stop")
    assert registration.command(stop, "/v/bin/python", "/r", "linux") == '"/v/bin/python" -I -S "/r/hooks/stop.py"'


def test_each_index_page_is_a_command_of_its_own() -> None:
    pages = [registration.command(hook, "/p", "/r", "linux") for hook in HOOKS if hook.event == "SessionStart"]
    assert pages == [f'"/p" -I -S "/r/hooks/session_start.py" {page}' for page in (1, 2, 3)]


def test_only_a_hook_with_a_matcher_writes_one() -> None:
    plain = registration.entry(Hook("Stop", "stop.py"), "/p", "/r", "linux")
    assert plain == {"hooks": [{"type": "command", "command": '"/p" -I -S "/r/hooks/stop.py"', "timeout": 10}]}
    tools = registration.entries("/p", "/r")["PostToolUse"]
    assert [group["matcher"] for group in tools] == ["Bash|Write|Edit|MultiEdit|NotebookEdit"]


def test_timeouts_are_seconds_and_leave_a_prompt_alone() -> None:
    assert {hook.title: hook.timeout for hook in HOOKS} == {
        "SessionStart 1": 10,
        "SessionStart 2": 10,
        "SessionStart 3": 10,
        "UserPromptSubmit": 5,
        "PostToolUse": 10,
        "PreCompact": 10,
        "Stop": 10,
        "SubagentStart": 10,
        "SubagentStop": 10,
    }


def test_no_command_opens_a_file_or_a_pipe_in_the_shell() -> None:
    for hook in HOOKS:
        assert not set("<>|&;") & set(registration.command(hook, "/p", "/r", "linux"))


def test_windows_paths_come_with_forward_slashes() -> None:
    stop = Hook("Stop", "stop.py")
    assert registration.command(stop, "C:\\v e\\python.exe", "C:\\r", "win32") == (
        '"C:/v e/python.exe" -I -S "C:/r/hooks/stop.py"'
    )


@pytest.mark.parametrize(
    "name",
    ["plain", "a b", "it's", '"quoted"', "$HOME", "`id`", "$(id)", "back\\slash", "ü 記憶", "!x", "*", "~", "a\nb"],
)
def test_a_checkout_of_any_name_runs_under_sh(tmp_path: Path, name: str) -> None:
    root = tmp_path / name
    (root / "hooks").mkdir(parents=True)
    (root / "hooks" / "session_start.py").write_text("import sys; print(ascii(sys.argv)); print(sys.flags.isolated)")
    python = root / "python"
    python.symlink_to(sys.executable)
    command = registration.command(HOOKS[1], str(python), str(root), "linux")
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == ascii([str(root / "hooks" / "session_start.py"), "2"]) + "\n1\n"


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=30))
def test_the_shell_gives_back_the_quoted_word(word: str) -> None:
    command = f"printf %s {registration.quote(word, 'linux')}"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, check=True)
    assert done.stdout == word.encode()


def test_the_table_imports_nothing_of_ours_and_nothing_heavy() -> None:
    tree = ast.parse((ROOT / "lib/host/registration.py").read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert names == {"__future__", "json", "sys", "typing"}
