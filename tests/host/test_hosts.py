"""Other agents in Claude Code's words: payloads, environment, rows of the table."""
from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.host import codex, gemini, hosts, paths, qwen, registration
from lib.host.payload import Payload

ALL = [hosts.adapter(name) for name in hosts.NAMES]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def told(name: str, **fields: Any) -> Payload:
    return hosts.translated(hosts.adapter(name), Payload(fields))


@pytest.mark.parametrize(
    ("name", "theirs", "ours"),
    [
        ("gemini", "BeforeAgent", "UserPromptSubmit"),
        ("gemini", "AfterTool", "PostToolUse"),
        ("gemini", "AfterAgent", "Stop"),
        ("gemini", "SessionStart", "SessionStart"),
        ("qwen", "Stop", "Stop"),
        ("codex", "UserPromptSubmit", "UserPromptSubmit"),
        ("gemini", "Notification", "Notification"),
    ],
)
def test_an_event_comes_under_claude_codes_name(name: str, theirs: str, ours: str) -> None:
    assert told(name, hook_event_name=theirs).text("hook_event_name") == ours


@pytest.mark.parametrize(
    ("name", "tool", "ours"),
    [
        ("gemini", "write_file", "Write"), ("gemini", "replace", "Edit"), ("gemini", "read_file", "read_file"),
        ("qwen", "write_file", "Write"), ("qwen", "edit", "Edit"), ("codex", "Bash", "Bash"),
    ],
)  # fmt: skip
def test_a_writing_tool_comes_under_claude_codes_name(name: str, tool: str, ours: str) -> None:
    given = {"file_path": "/x/a.md", "content": "hello"}
    payload = told(name, hook_event_name="PostToolUse", tool_name=tool, tool_input=given)
    assert (payload.text("tool_name"), payload.mapping("tool_input")) == (ours, given)


def test_a_patch_of_codex_names_the_file_it_writes_a_memory_before_others() -> None:
    patch = "*** Begin Patch\n*** Update File: /x/a.py\n@@\n-a: b\n+b\n*** Add File: /m/b: c.md\n+x\n*** End Patch"
    payload = told("codex", hook_event_name="PostToolUse", tool_name="apply_patch", tool_input={"command": patch})
    assert (payload.text("tool_name"), payload.mapping("tool_input")) == ("Edit", {"file_path": "/m/b: c.md"})
    only = told("codex", tool_name="apply_patch", tool_input={"command": "*** Update File: /x/a.py\n"})
    assert only.mapping("tool_input") == {"file_path": "/x/a.py"}


def test_gemini_s_last_words_and_prompt_come_without_what_hooks_put_before_them() -> None:
    prompt = "<hook_context>one</hook_context>\n\n<hook_context>two</hook_context>\n\nWhat is <hook_context>?"
    payload = told("gemini", hook_event_name="AfterAgent", prompt=prompt, prompt_response="Done.")
    assert payload.text("prompt") == "What is <hook_context>?"
    assert payload.text("last_assistant_message") == "Done."


def test_a_prompt_that_only_opens_a_context_stays_whole() -> None:
    assert told("gemini", prompt="<hook_context> never closed").text("prompt") == "<hook_context> never closed"


@given(st.sampled_from(hosts.NAMES), st.dictionaries(st.text(max_size=20), JSON, max_size=5), JSON, JSON, JSON)
def test_no_payload_raises(name: str, fields: dict[str, Any], event: Any, tool: Any, given_: Any) -> None:
    fields |= {"hook_event_name": event, "tool_name": tool, "tool_input": given_, "prompt": given_}
    assert hosts.translated(hosts.adapter(name), Payload(fields, "why")).problem == "why"


def test_what_an_outer_claude_code_left_in_the_environment_is_gone() -> None:
    env = {"CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": "/outer", "CLAUDE_CONFIG_DIR": "/c", "HOME": "/h"}
    assert hosts.environment(codex, env) == {"CLAUDE_CONFIG_DIR": "/c", "HOME": "/h", "DISABLE_AUTO_COMPACT": "1"}
    own = hosts.environment(gemini, {**env, "GEMINI_PROJECT_DIR": "/p", "CLAUDE_PROJECT_DIR": "/p"})
    assert own["CLAUDE_PROJECT_DIR"] == "/p" and "CLAUDECODE" not in own


@pytest.mark.parametrize("arguments", [["x", "--host"], ["x", "--host", "cursor"], ["x", "--host", ""]])
def test_a_command_that_names_no_known_host_is_refused(arguments: list[str]) -> None:
    with pytest.raises(ValueError, match="no such host"):
        hosts.named(arguments)


def test_each_command_names_its_host_and_keeps_its_page_first() -> None:
    for host in ALL:
        for hook in hosts.hooks(host):
            assert hook.arguments[-2:] == ("--host", host.NAME)
            assert hosts.named(("script", *hook.arguments)) is host
            assert (hook.event, hook.host) == (host.EVENTS[hook.role], host.NAME)
    pages = [hook.arguments[0] for hook in hosts.hooks(gemini) if hook.role == "SessionStart"]
    assert pages == ["1", "2", "3"]
    assert [hook.event for hook in hosts.hooks(qwen)] == ["UserPromptSubmit", "PostToolUse", "Stop"]


def test_timeouts_are_in_the_host_s_unit_and_matchers_name_its_tools() -> None:
    rows = {host.NAME: {hook.role: hook for hook in hosts.hooks(host)} for host in ALL}
    assert [rows[name]["UserPromptSubmit"].timeout for name in hosts.NAMES] == [5, 5000, 5000]
    matchers = [rows[name]["PostToolUse"].matcher for name in hosts.NAMES]
    assert matchers == ["apply_patch", "write_file|replace", "write_file|edit"]
    assert all(not rows[name]["Stop"].matcher for name in hosts.NAMES)


def test_no_setting_of_another_host_can_rewrite_a_command() -> None:
    [stop] = [hook for hook in hosts.hooks(gemini) if hook.role == "Stop"]
    command = registration.command(stop, "/py", "/it's $HOME/${x}", "linux")
    assert command == '"/py" -I -S "/it\'s \\$""HOME/\\$""{x}/hooks/stop.py" --host gemini'


def test_claude_code_s_commands_are_what_they_were() -> None:
    commands = [registration.command(hook, "/py", "/r $x", "linux") for hook in registration.HOOKS]
    assert commands[0] == '"/py" -I -S "/r \\$x/hooks/session_start.py" 1'
    assert not any("--host" in command for command in commands)


@pytest.mark.parametrize(
    ("host", "env", "folder"),
    [
        (codex, {"HOME": "/h"}, "/h/.codex"), (codex, {"HOME": "/h", "CODEX_HOME": "/c"}, "/c"),
        (gemini, {"HOME": "/h"}, "/h/.gemini"), (gemini, {"HOME": "/h", "GEMINI_CLI_HOME": "/g"}, "/g/.gemini"),
        (qwen, {"HOME": "/h"}, "/h/.qwen"), (qwen, {"HOME": "/h", "QWEN_HOME": "~/q"}, "/h/q"),
        (codex, {}, ""), (gemini, {}, ""), (qwen, {"HOME": "relative"}, ""),
    ],
)  # fmt: skip
def test_the_folder_is_where_the_host_looks(host: hosts.Adapter, env: dict[str, str], folder: str) -> None:
    assert host.folder(env) == folder


@pytest.mark.parametrize(
    ("named", "folder"),
    [
        ("/h/.claude/projects/-p/5f1f.jsonl", "/h/.claude/projects/-p"),
        ("/h/.gemini/tmp/p/chats/session-2026-11-30T05-30-cf2c.jsonl", "/h/.gemini/tmp/p/chats"),
        ("/h/.codex/sessions/2026/11/30/rollout-2026-11-30T05-31-00-01a2.jsonl", ""),
        ("", ""),
    ],
)
def test_a_folder_that_holds_other_projects_sessions_is_no_project_s(named: str, folder: str) -> None:
    assert paths.transcripts(named) == folder
