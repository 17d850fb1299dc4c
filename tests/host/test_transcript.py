"""A transcript is read forward from a byte offset, line by line, however torn, damaged or large it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lib.host import speaker, transcript
from lib.host.transcript import Span

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
ABSENT = f"no captured transcripts at {SHARED}"


def user(uuid: str, text: object, **more: object) -> dict[str, object]:
    return {"type": "user", "uuid": uuid, "message": {"role": "user", "content": text}, **more}


def reply(uuid: str, text: str, message: str = "m1", **more: object) -> dict[str, object]:
    content = [{"type": "text", "text": text}]
    return {"type": "assistant", "uuid": uuid, "message": {"id": message, "content": content}, **more}


def use(uuid: str, name: str, path: str, message: str = "m1") -> dict[str, object]:
    content = [{"type": "tool_use", "name": name, "input": {"file_path": path}}]
    return {"type": "assistant", "uuid": uuid, "message": {"id": message, "content": content}}


def jsonl(*entries: object) -> bytes:
    return b"".join(json.dumps(entry, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n" for entry in entries)


def humans(span: Span) -> list[str]:
    return [text for turn in span.turns for _, text in turn.human]


def said(*spans: Span) -> dict[str, list[object]]:
    """Everything in its order, kind by kind, turn limits left out."""
    turns = [turn for span in spans for turn in span.turns]
    return {
        "human": [pair for turn in turns for pair in turn.human],
        "text": [text for turn in turns for text in turn.assistant],
        "tool": [(tool.name, tool.path) for turn in turns for tool in turn.tools],
    }


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "s1.jsonl"


def read(file: Path, raw: bytes, start: int = 0) -> Span:
    file.write_bytes(raw)
    return transcript.span(str(file), start)


def test_a_turn_goes_from_one_prompt_to_the_next(file: Path) -> None:
    first = jsonl(
        {"type": "queue-operation", "operation": "enqueue", "content": "hello"},
        user("u1", "use tabs", promptId="p1", timestamp="2026-01-02T03:04:05Z", version="2.1.332"),
    )
    rest = jsonl(
        reply("a1", "Yes."), use("a2", "Write", "/m/a.md"), user("u2", [{"type": "tool_result", "content": "npm"}])
    )
    second = jsonl(user("u3", "thanks", promptId="p2"), reply("a3", "Welcome."))
    span = read(file, first + rest + second)
    one, two = span.turns
    assert (one.human, one.assistant, one.prompt_id, one.time) == (
        [("u1", "use tabs")],
        ["Yes."],
        "p1",
        "2026-01-02T03:04:05Z",
    )
    assert [(tool.name, tool.path) for tool in one.tools] == [("Write", "/m/a.md")]
    assert (two.human, two.assistant, two.prompt_id) == ([("u3", "thanks")], ["Welcome."], "p2")
    assert (one.start, one.end, two.start) == (first.index(b"\n") + 1, len(first + rest), len(first + rest))
    assert (span.end, two.end, span.skipped) == (len(first + rest + second), span.end, 0)


def test_prompts_with_one_prompt_id_are_one_turn(file: Path) -> None:
    span = read(file, jsonl(user("u1", "use tabs", promptId="p"), reply("a", "ok"), user("u2", "and LF", promptId="p")))
    assert [turn.human for turn in span.turns] == [[("u1", "use tabs"), ("u2", "and LF")]]


def test_the_rest_of_a_turn_whose_prompt_was_read_before_is_a_turn_without_words(file: Path) -> None:
    raw = jsonl(user("u1", "use tabs"), use("a1", "Write", "/m/a.md"))
    span = read(file, raw, raw.index(b"\n") + 1)
    assert [(turn.human, [tool.path for tool in turn.tools]) for turn in span.turns] == [([], ["/m/a.md"])]


def test_a_torn_last_line_waits_and_is_then_read_once(file: Path) -> None:
    whole, torn = jsonl(user("u1", "one")), jsonl(user("u9", "nine é"))
    for cut in range(len(torn)):
        span = read(file, whole + torn[:cut])
        assert (humans(span), span.end) == (["one"], len(whole))
    assert humans(read(file, whole + torn, len(whole))) == ["nine é"]


def test_the_reply_that_is_not_written_yet_stays_behind_the_cursor(file: Path) -> None:
    early = jsonl(user("u1", "use tabs"))
    cursor = read(file, early).end
    span = read(file, early + jsonl(reply("a1", "Noted.")), cursor)
    assert [turn.assistant for turn in span.turns] == [["Noted."]]


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\r"])
def test_only_a_line_feed_ends_a_line(file: Path, separator: str) -> None:
    entry = json.dumps(user("u1", "aXb"), ensure_ascii=False).replace("X", separator if separator > "\x20" else "X")
    raw = (entry + "\r\n").encode() + jsonl(user("u2", "next"))
    assert humans(read(file, raw)) == ["a" + (separator if separator > "\x20" else "X") + "b", "next"]


def test_lone_surrogates_become_replacement_characters_in_every_field(file: Path) -> None:
    odd = "\ud83d"
    tool = {
        "type": "assistant",
        "uuid": odd + "2",
        "message": {"content": [{"type": "tool_use", "name": odd, "input": {"path": odd}}]},
    }
    entries = [user(odd + "1", f"ok {odd} end", promptId=odd, timestamp=odd, version=odd), tool]
    span = read(file, b"".join(json.dumps(entry).encode() + b"\n" for entry in entries))
    turn = span.turns[0]
    assert turn.human == [("\ufffd1", "ok \ufffd end")]
    assert (turn.prompt_id, turn.time) == ("\ufffd", "\ufffd")
    assert (turn.tools[0].name, turn.tools[0].path) == ("\ufffd", "\ufffd")


DAMAGED = {
    "truncated attachment": b'{"type":"attachment","attachment":{"type":"queued_command","prompt":"x',
    "truncated without a known word": b'{"type":"attachm',
    "deep list": b"[" * 100_000,
    "deep list of a user": b'{"type":"user","message":' + b"[" * 100_000,
    "deep object": b'{"user":' * 100_000,
    "long number": b'{"type":"user","n":' + b"9" * 5_000 + b"}",
    "a string": b'"user"',
    "a number": b"123",
    "null": b"null",
    "a list": b'["user"]',
    "zeros": b"\0" * 140_000,
    "zeros after a torn entry": b'{"type":"user","uu' + b"\0" * 9_000,
    "binary": bytes(range(256)).replace(b"\n", b""),
    "prose": b"npm WARN user config",
}


@pytest.mark.parametrize("damage", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_line_is_counted_and_its_neighbours_are_read(file: Path, damage: bytes) -> None:
    raw = jsonl(user("u1", "one")) + damage + b"\n" + jsonl(user("u2", "two"))
    span = read(file, raw)
    assert (humans(span), span.skipped, span.end) == (["one", "two"], 1, len(raw))


def test_as_a_hook_reads_it_with_nothing_else_loaded_damage_is_passed_over_too(file: Path) -> None:
    """The interpreter's C scanner needs the json package to say what is wrong; tests have it loaded, hooks do not."""
    file.write_bytes(jsonl(user("u1", "one")) + b"\n".join(DAMAGED.values()) + b"\n" + jsonl(user("u2", "two")))
    code = (
        "from lib.host import transcript\n"
        f"span = transcript.span({str(file)!r})\n"
        "print([turn.human for turn in span.turns], span.skipped)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"],
        capture_output=True, text=True, timeout=30,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == (f"[[('u1', 'one')], [('u2', 'two')]] {len(DAMAGED)}\n", "")


def test_an_entry_before_a_block_of_zeros_is_kept(file: Path) -> None:
    raw = jsonl(user("u1", "one")).rstrip(b"\n") + b"\0" * 9_000 + b"\n" + b"\0" * 9_000 + jsonl(user("u2", "two"))
    span = read(file, raw)
    assert (humans(span), span.skipped) == (["one", "two"], 0)


def test_several_objects_on_one_line_are_all_read(file: Path) -> None:
    line = jsonl(user("u1", "one")).rstrip(b"\n")
    assert humans(read(file, line + jsonl(user("u2", "two")))) == ["one", "two"]
    assert humans(read(file, line + b' \t {"type":"mode"} 5 ' + jsonl(user("u2", "two")))) == ["one", "two"]
    assert humans(read(file, line + b" torn" + jsonl(user("u2", "two")) + jsonl(user("u3", "three")))) == [
        "one",
        "three",
    ]


def test_the_same_entry_counts_once(file: Path) -> None:
    rows = jsonl(user("u1", "one", timestamp="t"), reply("a1", "Yes."), user("u2", "two"))
    again = jsonl(user("u1", "one", timestamp="t", parentUuid=None), reply("a1", "Yes."))
    assert said(read(file, rows + rows + again)) == said(read(file, rows))
    assert len(read(file, rows + rows).turns) == 2


def test_an_entry_that_was_handled_before_is_left_out_after_a_restart(file: Path) -> None:
    file.write_bytes(
        jsonl(user("0b7c1d2e-aaaa-4bbb-8ccc-000000000001", "one"), user("0b7c1d2f-aaaa-4bbb-8ccc-000000000002", "two"))
    )
    known = frozenset([transcript.mark_of("0b7c1d2e-aaaa-4bbb-8ccc-000000000001")])
    assert humans(transcript.span(str(file), known=known)) == ["two"]


def test_entries_without_an_identity_are_all_kept(file: Path) -> None:
    assert humans(
        read(file, jsonl(user("", "one"), user("", "one"), {"type": "user", "message": {"content": "two"}}))
    ) == ["one", "one", "two"]


def test_lines_of_one_reply_are_told_apart_by_uuid(file: Path) -> None:
    thinking = {
        "type": "assistant",
        "uuid": "a0",
        "message": {"id": "m1", "content": [{"type": "thinking", "thinking": "hm"}]},
    }
    span = read(
        file, jsonl(user("u1", "x"), thinking, reply("a1", "First."), reply("a2", "Second."), use("a3", "Edit", "/f"))
    )
    assert (span.turns[0].assistant, [tool.name for tool in span.turns[0].tools]) == (["First.", "Second."], ["Edit"])


def test_lines_copied_from_another_session_are_left_out(file: Path) -> None:
    file.write_bytes(jsonl(user("u1", "old", sessionId="s0"), user("u2", "new", sessionId="s1"), user("u3", "bare")))
    assert humans(transcript.span(str(file), session="s1")) == ["new", "bare"]
    assert humans(transcript.span(str(file))) == ["old", "new", "bare"]


def test_a_sub_agents_file_holds_no_words_of_the_person(file: Path) -> None:
    rows = [
        user("u1", "search", isSidechain=True, sessionId="s1", agentId="a1"),
        reply("a1", "Found.", isSidechain=True),
    ]
    assert read(file, jsonl(*rows)).turns == []


def test_compaction_leaves_the_words_before_it_and_adds_none(file: Path) -> None:
    boundary = {
        "type": "system",
        "subtype": "compact_boundary",
        "uuid": "b",
        "parentUuid": None,
        "logicalParentUuid": "u1",
    }
    summary = user("u2", "I always use npm", isCompactSummary=True, isVisibleInTranscriptOnly=True)
    injected = {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": ["always use npm"]}}
    span = read(file, jsonl(user("u1", "use tabs"), boundary, summary, injected, user("u3", "go on")))
    assert humans(span) == ["use tabs", "go on"]


def test_a_word_queued_while_the_model_works_belongs_to_the_person(file: Path) -> None:
    queued = {"type": "attachment", "uuid": "q1", "attachment": {"type": "queued_command", "prompt": "use tabs"}}
    assert humans(read(file, jsonl(user("u1", "go"), reply("a1", "…"), queued))) == ["go", "use tabs"]


def test_a_large_line_does_not_hide_its_neighbours(file: Path) -> None:
    image = [{"type": "image", "source": {"data": "A" * 1_500_000}}, {"type": "text", "text": "what is this?"}]
    span = read(file, jsonl(user("u1", "one"), user("u2", image), user("u3", "three")))
    assert (humans(span), span.skipped) == (["one", "what is this?", "three"], 0)


@pytest.mark.parametrize("length", [299, 300, 301, 1_000])
def test_a_line_over_the_limit_is_passed_over(file: Path, monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    monkeypatch.setattr(transcript, "LINE_LIMIT", 300)
    monkeypatch.setattr(transcript, "CHUNK", 64)
    padding = "x" * (length - len(jsonl(user("u2", ""))) + 1)
    raw = jsonl(user("u1", "one"), user("u2", padding), user("u3", "three"))
    span = read(file, raw)
    assert humans(span) == (["one", padding, "three"] if length <= 300 else ["one", "three"])
    assert (span.skipped, span.end) == (int(length > 300), len(raw))


def test_nothing_behind_the_stop_is_read(file: Path) -> None:
    first, second = jsonl(user("u1", "one")), jsonl(user("u2", "two"))
    file.write_bytes(first + second)
    for stop, expected in [(len(first), ["one"]), (len(first) + 5, ["one"]), (len(first) - 1, []), (0, [])]:
        span = transcript.span(str(file), 0, stop)
        assert (humans(span), span.end) == (expected, len(first) if expected else 0)


def test_a_start_behind_the_end_of_a_file_that_shrank_gives_nothing(file: Path) -> None:
    span = read(file, jsonl(user("u1", "one")), 90_000)
    assert (span.turns, span.end) == ([], 90_000)


def test_a_missing_file_is_the_callers_affair(file: Path) -> None:
    with pytest.raises(FileNotFoundError):
        transcript.span(str(file))


def test_a_file_that_grew_is_the_same_and_one_with_another_beginning_is_not(file: Path) -> None:
    file.write_bytes(b"")
    empty = transcript.fingerprint(str(file))
    file.write_bytes(jsonl(user("u1", "one")))
    mark = transcript.fingerprint(str(file))
    assert not transcript.replaced(str(file), empty)
    file.write_bytes(jsonl(user("u1", "one"), user("u2", "two" * 200)))
    assert not transcript.replaced(str(file), mark)
    file.write_bytes(jsonl(user("u8", "one")))
    assert transcript.replaced(str(file), mark)
    file.write_bytes(b"{}\n")
    assert transcript.replaced(str(file), mark)


@pytest.mark.parametrize("mark", ["", "x", "x:y", "-1:0", "²:0"])
def test_a_mark_that_says_nothing_claims_nothing(file: Path, mark: str) -> None:
    file.write_bytes(b"{}\n")
    assert not transcript.replaced(str(file), mark)


TEXT = st.text(max_size=6) | st.sampled_from(["use tabs", "<bash-input>x", "a\u2028b", "\x85"])
ENTRY = st.one_of(
    st.builds(lambda text, prompt: user("", text, promptId=prompt), TEXT, st.sampled_from(["", "p1", "p2"])),
    st.builds(lambda text: reply("", text), TEXT),
    st.builds(lambda text: use("", "Edit", text), TEXT),
    st.builds(lambda text: user("", [{"type": "tool_result", "content": text}]), TEXT),
    st.builds(lambda text: {"type": "system", "content": text}, TEXT),
)
RAW = st.sampled_from([b"", b"\0\0\0", b"{", b"[1, 2]", b'{"type": "user"', b"\xff\xfe"])


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """A transcript with an identity for each entry, damaged lines among them, its end torn or not."""
    rows: list[bytes] = []
    for number, entry in enumerate(draw(st.lists(ENTRY | RAW, max_size=8))):
        rows.append(entry + b"\n" if isinstance(entry, bytes) else jsonl({**entry, "uuid": f"u{number}"}))
    whole = b"".join(rows)
    return whole[: len(whole) - draw(st.integers(0, min(3, len(whole))))]


QUIET = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@QUIET
@given(files(), st.data())
def test_reading_in_two_steps_gives_what_reading_once_gives(file: Path, raw: bytes, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(raw)))
    first = read(file, raw[:cut])
    second = read(file, raw, first.end)
    once = read(file, raw)
    assert said(first, second) == said(once)
    assert (second.end, first.skipped + second.skipped) == (once.end, once.skipped)
    for span in (first, second, once):
        places = [span.end, *(place for turn in span.turns for place in (turn.start, turn.end))]
        assert all(place == 0 or raw[place - 1 : place] == b"\n" for place in places)


@QUIET
@given(files())
def test_reading_a_doubled_file_gives_each_entry_once(file: Path, raw: bytes) -> None:
    whole = raw[: raw.rfind(b"\n") + 1]
    assert said(read(file, whole * 2)) == said(read(file, whole))


@QUIET
@given(st.lists(st.binary(max_size=60), max_size=4))
def test_no_bytes_raise_and_the_offset_lies_behind_the_last_line_feed(file: Path, pieces: list[bytes]) -> None:
    raw = b'"user"'.join(pieces)
    assert read(file, raw).end == raw.rfind(b"\n") + 1


@QUIET
@given(st.binary(max_size=200), st.integers(1, 7), st.integers(0, 200))
def test_lines_are_the_same_in_chunks_of_any_size(file: Path, raw: bytes, chunk: int, stop: int) -> None:
    file.write_bytes(raw)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transcript, "CHUNK", chunk)
        found = list(transcript.lines(str(file), 0, stop))
    whole = raw[:stop]
    assert [line for _, line in found] == whole.split(b"\n")[:-1]
    assert [end for end, _ in found] == [at + 1 for at, byte in enumerate(whole) if byte == 10]


@given(st.binary(max_size=120))
def test_objects_never_raise(line: bytes) -> None:
    found = transcript.objects(line)
    assert found is None or (found and all(isinstance(entry, dict) for entry in found))


CAPTURED = sorted(path for folder in ("captures", "transcripts") for path in (SHARED / folder).rglob("*.jsonl"))


def typed(entry: dict[str, object]) -> str | None:
    """What the person typed in a raw entry where that is certain, "" where it is certainly nobody's, else None."""
    attachment, message = entry.get("attachment"), entry.get("message")
    if isinstance(attachment, dict) and attachment.get("type") == "queued_command":
        return None
    flags = ("isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly")
    if entry.get("type") != "user" or any(entry.get(flag) for flag in flags) or not isinstance(message, dict):
        return ""
    content = message.get("content")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    if "toolUseResult" in entry or "planContent" in entry or any(block["type"] == "tool_result" for block in blocks):
        return ""
    text = "\n".join(str(block["text"]) for block in blocks if block["type"] == "text").strip()
    return None if text[:1] in ("<", "[") or "<system-reminder" in text else text


@pytest.mark.skipif(not CAPTURED, reason=ABSENT)
@pytest.mark.parametrize("path", CAPTURED, ids=[path.relative_to(SHARED).as_posix() for path in CAPTURED])
def test_in_a_captured_transcript_the_person_and_nobody_else_is_the_person(path: Path) -> None:
    raw = path.read_bytes()
    span = transcript.span(str(path))
    assert span.end == raw.rfind(b"\n") + 1
    entries = [entry for line in raw.split(b"\n")[:-1] for entry in transcript.objects(line) or []]
    assert len(entries) + span.skipped >= raw.count(b"\n")
    if "claude" not in path.as_posix() and "transcripts" not in path.parts:
        return  # another host's form: reading it without an error is all that is asked here
    found = {uuid: text for turn in span.turns for uuid, text in turn.human}
    sure = {str(entry["uuid"]): words for entry in entries if "uuid" in entry and (words := typed(entry)) is not None}
    assert {uuid for uuid in found if sure.get(uuid) == ""} == set()
    assert {uuid: words for uuid, words in sure.items() if words} == {u: t for u, t in found.items() if sure.get(u)}
    assert not [
        text for text in found.values() if text.startswith(("<task-", "<local-", "<bash-", "<system-", "[Request"))
    ]


@pytest.mark.skipif(not CAPTURED, reason=ABSENT)
def test_captured_transcripts_read_the_same_in_two_steps(tmp_path: Path) -> None:
    for path in sorted(CAPTURED, key=os.path.getsize)[:8]:
        raw = path.read_bytes()
        once = read(tmp_path / "t", raw)
        for cut in range(0, len(raw), max(1, len(raw) // 40)):
            first = read(tmp_path / "t", raw[:cut])
            assert said(first, read(tmp_path / "t", raw, first.end)) == said(once)


def test_a_line_of_results_alone_is_not_taken_apart_but_words_beside_it_are_read() -> None:
    results = b'{"type":"user","uuid":"r1","message":{"role":"user","content":[{"type":"tool_result","content":"x"}]}}'
    said = b'{"type":"user","uuid":"u1","message":{"role":"user","content":"what is a \\"tool_result\\" block?"}}'
    assert transcript._only_results(results)
    for line in (said, results + said, results + b" " + said, said + results):
        assert not transcript._only_results(line)
        assert any(speaker.human_text(entry) for entry in transcript.objects(line) or [])
