"""A large folder is taken in by parts, the newest first, and the worker does the rest without anybody waiting."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from lib import worker
from lib.host import paths
from lib.host.call import Call
from lib.host.payload import Payload
from lib.journal import Journal
from lib.recall import answer, backlog, delivery, postings
from lib.recall.tables import Index
from tests.recall.folder import memory, write


def test_a_note_is_taken_once(tmp_path: Path) -> None:
    state = str(tmp_path)
    assert (backlog.waits(state), backlog.take(state)) == (False, "")
    assert backlog.note(state, "/p/é") and backlog.note(state, "/p/q")
    assert (backlog.waits(state), backlog.take(state), backlog.waits(state), backlog.take(state)) == (
        True, "/p/q", False, "",
    )  # fmt: skip


@pytest.mark.parametrize("raw", [b"", b"relative", b"/a\0b", b"\xff"])
def test_a_damaged_note_names_no_place(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / backlog.FILE).write_bytes(raw)
    assert backlog.take(str(tmp_path)) == "" and not backlog.waits(str(tmp_path))


def test_where_nothing_can_be_written_nothing_is_noted(tmp_path: Path) -> None:
    assert backlog.note(str(tmp_path / "none"), "/p") is False
    (tmp_path / backlog.FILE).symlink_to(tmp_path / "elsewhere")
    assert backlog.note(str(tmp_path), "/p") is False and not (tmp_path / "elsewhere").exists()


def test_a_prompt_takes_in_the_newest_and_the_worker_the_rest(
    own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postings, "SMALL", 10)
    monkeypatch.setattr(postings, "AT_ONCE", 8)
    project = tmp_path / "project"
    project.mkdir()
    given = {"session_id": "s", "cwd": str(project), "prompt": "how loud is the siren of pier 39?"}
    call = Call("UserPromptSubmit", Payload(given), dict(os.environ), 2_000_000_000.0)
    texts = {f"siren-{n}": memory(f"siren-{n}", f"The siren of pier {n} is loud") for n in range(40)}
    folder = write(Path(call.memory), texts)
    for n in range(40):
        os.utime(folder / f"siren-{n}.md", (1_700_000_000 + n, 1_700_000_000 + n))
    text, work = answer.respond(call, Journal(call.state, "s"))
    assert work and "\nsiren-39.md (project" in text
    path = os.path.join(call.state, delivery.INDEX_FILE)
    index = Index(path, call.memory)
    assert (index.size, sorted(index.known())[0]) == (8, "siren-32.md")
    index.close()
    worker.work(call.state)
    index = Index(path, call.memory)
    assert index.size == 40 and not backlog.waits(call.state)
    index.close()
    call.payload.fields["prompt"] = "how loud is the siren of pier 3?"  # type: ignore[index]
    text, work = answer.respond(call, Journal(call.state, "s"))
    assert not work and "\nsiren-3.md (project" in text


def test_the_worker_finds_the_folder_that_the_person_chose(own_home: Path, tmp_path: Path) -> None:
    config = os.environ["CLAUDE_CONFIG_DIR"]
    chosen = write(tmp_path / "chosen", {"a": memory("a", "The siren is loud")})
    Path(config, "settings.json").write_text(json.dumps({"autoMemoryDirectory": str(chosen)}))
    state = paths.state_dir(config, str(tmp_path))
    os.makedirs(state)
    backlog.note(state, str(tmp_path))
    worker.work(state)
    index = Index(os.path.join(state, delivery.INDEX_FILE), str(chosen))
    assert index.size == 1
    index.close()
