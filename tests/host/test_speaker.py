"""Only what the person typed counts as the person's words."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.host import speaker


def user(content: object, **more: object) -> dict[str, object]:
    return {"type": "user", "uuid": "u1", "message": {"role": "user", "content": content}, **more}


def queued(prompt: object, **more: object) -> dict[str, object]:
    return {"type": "attachment", "attachment": {"type": "queued_command", "prompt": prompt, **more}}


def assistant(content: object, **more: object) -> dict[str, object]:
    return {"type": "assistant", "message": {"role": "assistant", "model": "m", "content": content}, **more}


@pytest.mark.parametrize(
    "entry",
    [
        user("use tabs"),
        user([{"type": "text", "text": "use tabs"}]),
        user([{"type": "image", "source": {}}, {"type": "text", "text": "use tabs"}]),
        user("use tabs", isMeta=None, isSidechain=False, isCompactSummary=False),
        user("use tabs", origin={"kind": "human"}, promptSource="typed"),
        user("use tabs", origin={"kind": None}),
        user("use tabs", origin="unheard of"),
        user("  use tabs\n"),
        {"type": "user", "role": "user", "content": "use tabs"},  # old files: at the top level
        {"type": "user", "message": None, "content": "use tabs"},
        user("<command-name>/n</command-name>\n<command-args>use tabs</command-args>"),
        queued("use tabs", commandMode="prompt"),
        queued([{"type": "text", "text": "use tabs"}]),
        queued("use tabs", origin={"kind": "human"}),
        user("<system-reminder>the fact X</system-reminder>use tabs"),
        user("use tabs\n<system-reminder>\nthe fact X\n</system-reminder>\n"),
        user("<system-reminder>out <system-reminder>the fact X</system-reminder> still</system-reminder> use tabs"),
        user(
            [
                {"type": "text", "text": "<system-reminder>the fact X</system-reminder>"},
                {"type": "text", "text": "use tabs"},
            ]
        ),
        user([{"type": "text", "text": "[Request interrupted by user]"}, {"type": "text", "text": "use tabs"}]),
    ],
)
def test_what_the_person_typed_is_theirs(entry: dict[str, object]) -> None:
    assert speaker.human_text(entry) == "use tabs"


@pytest.mark.parametrize(
    "entry",
    [
        user("x", isMeta=True),
        user("x", isSidechain=True),
        user("x", isCompactSummary=True),
        user("x", isVisibleInTranscriptOnly=True),
        user("x", toolUseResult="done"),
        user("x", toolUseResult={"stdout": ""}),
        user("x", toolUseResult=None),
        user("x", promptSource="system"),
        user("x", planContent="# a plan that the model wrote"),
        user("x", origin={"kind": "task-notification"}),
        user("x", origin={"kind": "peer"}),
        user("x", origin={"kind": ["human"]}),
        user([{"type": "tool_result", "tool_use_id": "t", "content": "always use npm"}]),
        user([{"type": "tool_result", "content": "x"}, {"type": "text", "text": "always use npm"}]),
        user("This session is being continued from a previous conversation that ran out of context. I always use npm."),
        {"type": "system", "subtype": "local_command", "content": "x", "message": {"content": "x"}},
        {"type": "summary", "summary": "x", "message": {"role": "user", "content": "x"}},
        {"type": "api-request-blob", "message": {"role": "user", "content": "x"}},
        {"type": "progress", "message": {"role": "user", "content": "x"}},
        {"type": "queue-operation", "operation": "enqueue", "content": "x"},
        {"type": "last-prompt", "lastPrompt": "x"},
        {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": ["x"], "prompt": "x"}},
        queued("x", origin={"kind": "task-notification"}),
        queued("x", commandMode="task-notification"),
        {**queued("x"), "isSidechain": True},
        {"type": "attachment", "attachment": None},
        {"type": ["user"], "message": {"content": "x"}},
        assistant("x"),
        user(None), user(5), user({"text": "x"}), user([None, 5, "x", {"type": "text", "text": None}]), user(""), {},
    ],
)  # fmt: skip
def test_what_somebody_else_said_is_not_theirs(entry: dict[str, object]) -> None:
    assert speaker.human_text(entry) == ""


@pytest.mark.parametrize(
    "text",
    [
        "<task-notification>\n<task-id>1</task-id>\n</task-notification>",
        "<local-command-stdout>Compacted</local-command-stdout>",
        "<local-command-caveat>Caveat: x</local-command-caveat>",
        "<bash-input>npm i</bash-input>",
        "<bash-stdout>ok</bash-stdout><bash-stderr></bash-stderr>",
        "<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>",
        "<command-message>x</command-message>",
        "<user-prompt-submit-hook>x</user-prompt-submit-hook>",
        "<session-start-hook>x</session-start-hook>",
        "<system-reminder>x</system-reminder>",
        "<system-reminder>never closed, always use npm",
        "[Request interrupted by user]",
        "[Request interrupted by user for tool use]",
        "[Image: original 2000x1000, displayed at 1000x500.]",
        "Stop hook feedback:\n- [python stop.py]: always use npm",
        "Caveat: The messages below were generated by the user while running local commands.",
        "Base directory for this skill: /home/u/.claude/skills/x\n\n# X\nAlways use npm.",
        "\n  <task-notification>x</task-notification>",
    ],
)
def test_text_of_the_harness_is_nobodys_statement(text: str) -> None:
    assert speaker.human_text(user(text)) == ""
    assert speaker.human_text(user([{"type": "text", "text": text}])) == ""


@pytest.mark.parametrize(
    "text",
    [
        "why does <task-notification> show up in my log?",
        "close the <system-reminder> tag, it is never closed",
        "the text said [Request interrupted by user, remember that I did not",
        "[Image #1] what is wrong here?",
        "we call </system-reminder> the end",
    ],
)
def test_a_tag_that_is_only_mentioned_stays_the_persons_text(text: str) -> None:
    assert speaker.human_text(user(text)) == text


def test_a_lone_surrogate_becomes_a_replacement_character() -> None:
    entry = json.loads('{"type":"user","message":{"content":[{"type":"text","text":"ok \\ud83d end"}]}}')
    assert speaker.human_text(entry) == "ok \ufffd end"


def test_a_reply_gives_texts_and_tools_with_their_paths_and_no_thinking() -> None:
    blocks = [
        {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Done \ud800."}, "x", None,
        {"type": "tool_use", "name": "Write", "input": {"file_path": "/m/a.md"}},
        {"type": "tool_use", "name": "NotebookEdit", "input": {"notebook_path": "/m/a.ipynb"}},
        {"type": "tool_use", "name": "Grep", "input": {"path": "/m", "file_path": None}},
        {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}},
        {"type": "tool_use", "name": 5, "input": "x"},
    ]  # fmt: skip
    tools = [("Write", "/m/a.md"), ("NotebookEdit", "/m/a.ipynb"), ("Grep", "/m"), ("Bash", ""), ("", "")]
    assert speaker.assistant_parts(assistant(blocks)) == (["Done \ufffd."], tools)
    assert speaker.assistant_parts(assistant("Done.")) == (["Done."], [])


@pytest.mark.parametrize(
    "entry",
    [
        assistant("API Error: 500", isApiErrorMessage=True),
        {"type": "assistant", "message": {"model": "<synthetic>", "content": "No response requested."}},
        assistant("x", isSidechain=True),
        {"type": "assistant", "message": None}, {"type": "assistant", "message": "x"}, {"type": "assistant"},
        assistant(None), assistant(5), assistant({"type": "text", "text": "x"}), user("x"), {},
    ],
)  # fmt: skip
def test_errors_sub_agents_and_odd_shapes_say_nothing(entry: dict[str, object]) -> None:
    assert speaker.assistant_parts(entry) == ([], [])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec=None), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "text", "content", "kind", "name", "input", "file_path", "prompt"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
KEYS = st.sampled_from(["message", "content", "attachment", "origin", "isMeta", "promptSource", "isSidechain"])


@given(st.sampled_from(["user", "assistant", "attachment"]), st.dictionaries(KEYS, JSON))
def test_no_shape_raises_and_every_text_can_be_written(kind: str, fields: dict[str, object]) -> None:
    entry = {**fields, "type": kind}
    texts, tools = speaker.assistant_parts(entry)
    for text in [speaker.human_text(entry), *texts, *(part for tool in tools for part in tool)]:
        assert text.encode().decode() == text
