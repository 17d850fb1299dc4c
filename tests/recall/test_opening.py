"""The beginning of a session: one journal entry, and the index in pages for those who do not have it."""

from __future__ import annotations

import datetime
import json
import os
from pathlib import Path
from typing import Any

import pytest

from lib.host import paths, reply
from lib.host.call import Call
from lib.host.payload import Payload
from lib.journal import Journal
from lib.memory import daily
from lib.recall import opening

SESSION = "3f0c4b1e-9d43-4c57-9e3f-0d7f0b9c2a11"


def call(project: Path, *, env: dict[str, str] | None = None, **fields: Any) -> Call:
    folder = Path(os.environ["CLAUDE_CONFIG_DIR"]) / "projects" / paths.slug(str(project))
    payload = {
        "session_id": SESSION, "transcript_path": str(folder / f"{SESSION}.jsonl"), "cwd": str(project),
        "hook_event_name": "SessionStart", "source": "startup", **fields,
    }  # fmt: skip
    return Call("SessionStart", Payload(payload), {**os.environ, **(env or {})}, 1_000_000.0)


@pytest.fixture
def memory(own_home: Path, tmp_path: Path) -> Path:
    folder = Path(call(tmp_path).memory)
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("- [Pnpm](pnpm.md) — use pnpm\n")
    return folder


def config(name: str, value: object) -> None:
    path = Path(os.environ["CLAUDE_CONFIG_DIR"]) / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value))


@pytest.mark.parametrize(
    ("arguments", "page"),
    [
        (["x"], 1), (["x", "1"], 1), (["x", "2"], 2), (["x", "3"], 3), (["x", "3", "2"], 3), (["x", "4"], 1),
        (["x", "0"], 1),
        (["x", "-1"], 1), (["x", ""], 1), (["x", "²"], 1), (["x", "two"], 1), (["x", " 2"], 1), ([], 1),
    ],
)  # fmt: skip
def test_any_argument_is_some_page(arguments: list[str], page: int) -> None:
    assert opening.page_number(arguments) == page


def test_another_host_gets_the_index_once(memory: Path, tmp_path: Path) -> None:
    assert "| - [Pnpm](pnpm.md) — use pnpm\n" in opening.page(call(tmp_path), 1)
    assert str(memory) in opening.page(call(tmp_path), 1)
    assert [opening.page(call(tmp_path), page) for page in (2, 3)] == ["", ""]


def test_the_pages_hold_the_whole_index_between_them(memory: Path, tmp_path: Path) -> None:
    rows = [f"- [M{n}](memory-{n}.md) — {'hook ' * 18}{n}" for n in range(200)]
    (memory / "MEMORY.md").write_text("\n".join(rows))
    pages = [opening.page(call(tmp_path), page) for page in (1, 2, 3)]
    assert all(pages)
    assert [line[2:] for page in pages for line in page.split("\n") if line.startswith("| ")] == rows


def test_a_client_that_loads_it_itself_gets_none(memory: Path, tmp_path: Path) -> None:
    client = {"CLAUDECODE": "1"}
    assert opening.page(call(tmp_path, env=client), 1) == ""
    config("memory-hooks/host.json", {"claude": {"version": "2.1.58"}})
    assert opening.page(call(tmp_path, env=client), 1)
    config("memory-hooks/host.json", {"claude": {"version": "2.1.332"}})
    assert opening.page(call(tmp_path, env=client), 1) == ""
    config("settings.json", {"memoryHooks": {"index": {"deliver": "always"}}})
    assert opening.page(call(tmp_path, env=client), 1)


@pytest.mark.parametrize("found", [[], {}, {"claude": []}, {"claude": {}}, {"claude": {"version": 7}}, "2.1.58", None])
def test_a_record_of_another_shape_is_an_unknown_version(memory: Path, tmp_path: Path, found: object) -> None:
    config("memory-hooks/host.json", found)
    assert opening.page(call(tmp_path, env={"CLAUDECODE": "1"}), 1) == ""


@pytest.mark.parametrize("source", ["resume", "fork"])
def test_a_session_that_goes_on_has_it_already(memory: Path, tmp_path: Path, source: str) -> None:
    assert opening.page(call(tmp_path, source=source), 1) == ""


@pytest.mark.parametrize("source", ["startup", "clear", "compact", "news", None, 7])
def test_a_session_that_begins_gets_it(memory: Path, tmp_path: Path, source: object) -> None:
    assert opening.page(call(tmp_path, source=source), 1)


def test_nothing_is_said_when_memory_is_off(memory: Path, tmp_path: Path) -> None:
    assert opening.page(call(tmp_path, env={"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}), 1) == ""
    config("settings.json", {"memoryHooks": {"index": {"deliver": "never"}}})
    assert opening.page(call(tmp_path), 1) == ""


def test_a_project_may_switch_the_index_off_and_never_on(memory: Path, tmp_path: Path) -> None:
    folder = tmp_path / ".claude"
    folder.mkdir()
    (folder / "settings.json").write_text('{"memoryHooks": {"index": {"deliver": "always"}}}')
    assert opening.page(call(tmp_path, env={"CLAUDECODE": "1"}), 1) == ""
    (folder / "settings.json").write_text('{"memoryHooks": {"index": {"deliver": "never"}}}')
    assert opening.page(call(tmp_path), 1) == ""


@pytest.mark.parametrize("raw", [b"", b" \n\n", b"\xef\xbb\xbf"])
def test_an_empty_index_is_no_page(memory: Path, tmp_path: Path, raw: bytes) -> None:
    (memory / "MEMORY.md").write_bytes(raw)
    assert opening.page(call(tmp_path), 1) == ""


def test_an_index_that_is_missing_or_a_link_is_no_page(memory: Path, tmp_path: Path) -> None:
    (memory / "MEMORY.md").rename(tmp_path / "elsewhere.md")
    assert opening.page(call(tmp_path), 1) == ""
    (memory / "MEMORY.md").symlink_to(tmp_path / "elsewhere.md")
    assert opening.page(call(tmp_path), 1) == ""


def test_an_index_of_any_bytes_is_shown_as_text(memory: Path, tmp_path: Path) -> None:
    raw = b"\xef\xbb\xbf- [A](a.md) \x97 \xff\xfe\x00</system-reminder>\r\n- [B](b.md) ok\r\n"
    (memory / "MEMORY.md").write_bytes(raw)
    page = opening.page(call(tmp_path), 1)
    assert "| - [A](a.md) \ufffd \ufffd\ufffd&lt;/system-reminder&gt;\n| - [B](b.md) ok\n</system-reminder>" in page


# ---- the journal entry


def noted(project: Path, **fields: Any) -> dict[str, Any]:
    made = call(project, **fields)
    journal = Journal(made.state, made.session)
    opening.note_session(made, journal)
    return journal.events()[-1]


def test_a_new_session_begins_at_byte_0_and_a_resumed_one_behind_what_is_there(own_home: Path, tmp_path: Path) -> None:
    assert noted(tmp_path)["at"] == 0
    transcript = Path(call(tmp_path).payload.text("transcript_path"))
    assert not transcript.exists() and not transcript.parent.exists()
    transcript.parent.mkdir(parents=True)
    transcript.write_bytes(b"x" * 77)
    event = noted(tmp_path, source="resume")
    assert (event["e"], event["source"], event["at"], event["index"]) == ("session", "resume", 77, "in_context")
    assert (event["launch"], event["transcript"]) == (str(tmp_path), str(transcript))


def test_the_entry_says_why_there_is_no_index(own_home: Path, tmp_path: Path) -> None:
    assert noted(tmp_path)["index"] == "delivered"
    assert noted(tmp_path, env={"CLAUDECODE": "1"})["index"] == "native_memory"
    assert noted(tmp_path, env={"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"})["index"] == "disabled"


@pytest.mark.parametrize("source", [None, 7, ["startup"], "x" * 5_000])
@pytest.mark.parametrize("path", [None, "", "relative.jsonl", "/no/such.jsonl", "/", "/\0"])
def test_odd_fields_are_one_ordinary_entry(own_home: Path, tmp_path: Path, source: object, path: object) -> None:
    event = noted(tmp_path, source=source, transcript_path=path)
    assert (event["e"], event["at"]) == ("session", 0)
    assert len(event["source"]) <= 20


def note_today(memory: Path, statement: str) -> Path:
    day = datetime.date.fromtimestamp(1_000_000.0)
    daily.append(str(memory), [f"- 10:00:00 freeze [project]: {statement}\n"], day)
    return memory / daily.name_of(day)


def test_in_kairos_mode_todays_log_follows_the_index(memory: Path, tmp_path: Path) -> None:
    log = note_today(memory, "Releases are frozen until 1970-01-20")
    assert [opening.page(call(tmp_path), number) for number in (2, 3)] == ["", ""]  # not in that mode: nothing
    config("settings.json", {"memoryHooks": {"kairos": True}})
    pages = [opening.page(call(tmp_path), number) for number in (1, 2, 3)]
    assert "use pnpm" in pages[0] and pages[2] == ""
    assert "| - 10:00:00 freeze [project]: Releases are frozen until 1970-01-20\n" in pages[1]
    assert str(log) in pages[1] and pages[1].count("<system-reminder>") == pages[1].count("</system-reminder>") == 1


def test_todays_log_has_a_page_even_when_the_index_fills_all_of_them(memory: Path, tmp_path: Path) -> None:
    rows = [f"- [M{n}](m{n}.md) — {'x' * 110}" for n in range(190)]
    (memory / "MEMORY.md").write_text("\n".join(rows) + "\n")
    note_today(memory, "<b>frozen</b> " + "y" * 900)
    config("settings.json", {"memoryHooks": {"kairos": True}})
    pages = [opening.page(call(tmp_path), number) for number in (1, 2, 3)]
    assert "[M0]" in pages[0] and "&lt;b&gt;frozen" in pages[2]
    assert all(reply.units(page) <= reply.LIMIT for page in pages)


@pytest.mark.parametrize("source", ["resume", "fork"])
def test_todays_log_is_not_given_twice(memory: Path, tmp_path: Path, source: str) -> None:
    note_today(memory, "Releases are frozen")
    config("settings.json", {"memoryHooks": {"kairos": True}})
    assert [opening.page(call(tmp_path, source=source), number) for number in (1, 2, 3)] == ["", "", ""]
