"""Transcripts of other agents become the same turns: who really said what, which file a tool was given."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.host import dialect, speaker, transcript

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=10,
)
ASKED, ANSWERED, NOTE = "Keep the otter server up", "It is up.", "/p/memory/otter.md"


def item(id: str, turn: str = "t1", **payload: Any) -> dict[str, Any]:
    about = {"turn_id": turn, **payload.pop("about", {})}
    held = {"id": id, "internal_chat_message_metadata_passthrough": about, **payload}
    return {"timestamp": "2026-11-30T05:31:00Z", "type": "response_item", "payload": held}


def typed(id: str, *texts: str, sources: tuple[str, ...] | None = ("user",), turn: str = "t1") -> dict[str, Any]:
    about = {"content_item_metadata": [{"provenance": {"type": source}} for source in sources]} if sources else {}
    content = [{"type": "input_text", "text": text} for text in texts]
    return item(id, turn, type="message", role="user", content=content, about=about)


def codex_rows() -> list[dict[str, Any]]:
    patch = f"*** Begin Patch\n*** Add File: {NOTE}\n+x\n*** Update File: /p/b.txt\n*** End Patch"
    return [
        {"type": "session_meta", "payload": {"id": "s", "cwd": "/p", "source": "user"}},
        item("msg_0", type="message", role="developer", content=[{"type": "input_text", "text": "Be good."}]),
        typed("msg_01a22aef-6149-7bb3-aac4-000000000001", "<environment_context>", sources=("harness",)),
        typed("msg_01a22aef-6149-7bb3-aac4-000000000002", ASKED),
        {"type": "event_msg", "payload": {"type": "item_completed", "item": {"type": "UserMessage", "role": "user"}}},
        item("fc_1", type="function_call", name="exec_command", call_id="c1", arguments='{"cmd": "ls"}'),
        item("fo_1", type="function_call_output", call_id="c1", output="a b"),
        item("ct_1", type="custom_tool_call", name="apply_patch", call_id="c2", input=patch),
        item("ms_1", type="message", role="assistant", content=[{"type": "output_text", "text": ANSWERED}]),
    ]


def gemini_rows() -> list[dict[str, Any]]:
    call = {"id": "w1", "name": "write_file", "args": {"file_path": NOTE, "content": "x"}}
    result = {"functionResponse": {"id": "w1", "name": "write_file", "response": {"output": "ok"}}}
    reply = {"id": "g1", "type": "gemini", "content": ANSWERED, "model": "m"}
    injected = {"text": "<hook_context>&lt;system-reminder&gt;a note&lt;/system-reminder&gt;</hook_context>"}
    return [
        {"sessionId": "s", "projectHash": "0", "kind": "main"},
        {"$set": {"messages": [{"id": "c0", "type": "user", "content": [{"text": "<session_context>\nhost"}]}]}},
        {"id": "u1", "type": "user", "content": [{"text": f"<hook_context>x</hook_context>\n\n{ASKED}"}, injected]},
        reply,
        {**reply, "toolCalls": [call]},
        {"id": "u2", "type": "user", "content": [result]},
        {"id": "i1", "type": "info", "content": "about the user"},
    ]


def qwen_rows() -> list[dict[str, Any]]:
    def row(id: str, kind: str, role: str, *parts: Any) -> dict[str, Any]:
        return {"uuid": id, "sessionId": "s", "type": kind, "version": "0.15.10", "cwd": "/p",
                "message": {"role": role, "parts": list(parts)}}  # fmt: skip

    call = {"functionCall": {"id": "c1", "name": "edit", "args": {"file_path": NOTE}}}
    result = {"functionResponse": {"id": "c1", "name": "edit", "response": {"output": "ok"}}}
    return [
        row("u1", "user", "user", {"text": ASKED}, {"text": "&lt;system-reminder&gt;a note&lt;/system-reminder&gt;"}),
        {"uuid": "s1", "sessionId": "s", "type": "system", "subtype": "ui_telemetry", "systemPayload": {}},
        row("a1", "assistant", "model", {"text": "hm", "thought": True}, call),
        row("r1", "tool_result", "user", result),
        row("a2", "assistant", "model", {"text": ANSWERED}),
    ]


def written(tmp_path: Path, rows: list[dict[str, Any]]) -> str:
    path = tmp_path / "session.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


@pytest.mark.parametrize(
    ("rows", "tools"),
    [
        (codex_rows(), [("exec_command", ""), ("Edit", NOTE), ("Edit", "/p/b.txt")]),
        (gemini_rows(), [("Write", NOTE)]),
        (qwen_rows(), [("Edit", NOTE)]),
    ],
    ids=["codex", "gemini", "qwen"],
)
def test_a_turn_is_the_same_whoever_wrote_it(tmp_path: Path, rows: Any, tools: list[tuple[str, str]]) -> None:
    span = transcript.span(written(tmp_path, rows))
    [turn] = span.turns
    assert [text for _, text in turn.human] == [ASKED]
    assert turn.assistant == [ANSWERED]
    assert [(tool.name, tool.path) for tool in turn.tools] == tools
    assert span.skipped == 0


@pytest.mark.parametrize("rows", [codex_rows(), gemini_rows(), qwen_rows()], ids=["codex", "gemini", "qwen"])
def test_tools_and_their_results_come_together(tmp_path: Path, rows: Any) -> None:
    [turn] = transcript.turns(written(tmp_path, rows))
    assert turn.tools[0].result in ("a b", "ok")
    assert not turn.tools[0].failed


@pytest.mark.parametrize("rows", [codex_rows(), gemini_rows(), qwen_rows()], ids=["codex", "gemini", "qwen"])
def test_what_was_handled_is_not_read_again(tmp_path: Path, rows: Any) -> None:
    path = written(tmp_path, rows)
    [(uuid, _)] = transcript.span(path).turns[0].human
    again = transcript.span(path, known=frozenset([transcript.mark_of(uuid)]))
    assert not any(turn.human for turn in again.turns)


def test_messages_of_codex_within_the_same_second_have_marks_of_their_own(tmp_path: Path) -> None:
    ids = [f"msg_01a22aef-6149-7bb3-aac4-0000000000{number:02}" for number in range(20)]
    span = transcript.span(written(tmp_path, [typed(id, ASKED, turn=id) for id in ids]))
    assert len({transcript.mark_of(uuid) for turn in span.turns for uuid, _ in turn.human}) == len(ids)


def test_codex_without_sources_is_judged_by_its_openings(tmp_path: Path) -> None:
    said = ("<environment_context>\n", "# AGENTS.md instructions", ASKED)
    rows = [typed(f"m-{number}", text, sources=None) for number, text in enumerate(said)]
    span = transcript.span(written(tmp_path, rows))
    assert [text for turn in span.turns for _, text in turn.human] == [ASKED]


@pytest.mark.parametrize("given", [
    {"cmd": "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: /p/memory/otter.md\n+x\n*** End Patch\nEOF"},
    {"command": ["apply_patch", "*** Begin Patch\n*** Add File: /p/memory/otter.md\n+x\n*** End Patch"]},
    {"input": "*** Begin Patch\n*** Add File: /p/memory/otter.md\n+x\n*** End Patch"},
])  # fmt: skip
def test_a_patch_that_codex_was_handed_in_a_shell_command_names_its_file(tmp_path: Path, given: Any) -> None:
    call = item("fc_1", type="function_call", name="exec_command", call_id="c1", arguments=json.dumps(given))
    [turn] = transcript.span(written(tmp_path, [typed("m-1", ASKED), call])).turns
    assert [(tool.name, tool.path) for tool in turn.tools] == [("Edit", NOTE)]


def test_files_that_a_prompt_names_are_not_the_person_s_words(tmp_path: Path) -> None:
    rows = gemini_rows()
    rows[2]["content"] += [{"text": "\n--- Content from referenced files ---"}, {"text": "Remember: x"}]
    [turn] = transcript.span(written(tmp_path, rows)).turns
    assert [text for _, text in turn.human] == [ASKED]


def test_a_failed_tool_of_gemini_is_told_as_failed(tmp_path: Path) -> None:
    rows = gemini_rows()
    rows[5]["content"][0]["functionResponse"]["response"] = {"error": "no such file"}
    [turn] = transcript.turns(written(tmp_path, rows))
    assert (turn.tools[0].result, turn.tools[0].failed) == ("no such file", True)


@pytest.mark.parametrize(
    "line",
    [
        {"type": "user", "uuid": "u", "message": {"role": "user", "content": "hi"}},
        {"type": "user", "message": {"role": "user", "content": "an old line without identity"}},
        {"type": "summary", "summary": "x"},
        {"type": "user", "content": "the oldest form"},
        {"id": "x", "type": "other", "content": "y"},
    ],
)
def test_claude_code_s_own_lines_come_back_untouched(line: dict[str, Any]) -> None:
    assert dialect.plain(line) is line


KEYS = (
    "type", "id", "uuid", "payload", "content", "message", "parts", "role", "toolCalls", "functionCall", "args",
    "internal_chat_message_metadata_passthrough", "content_item_metadata", "provenance", "text", "input",
)  # fmt: skip
WORDS = st.sampled_from(("user", "assistant", "gemini", "response_item", "message", "function_call", "apply_patch"))
SHAPES = st.recursive(
    WORDS | JSON, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)
)


@given(st.dictionaries(st.sampled_from(KEYS), SHAPES, max_size=7))
def test_no_line_raises(line: dict[str, Any]) -> None:
    plain = dialect.plain(line)
    assert isinstance(speaker.human_text(plain), str)
    assert all(isinstance(text, str) for text in speaker.assistant_parts(plain)[0])
    assert isinstance(speaker.tool_uses(plain) + speaker.tool_results(plain), list)
