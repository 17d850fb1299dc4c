"""Every write of an agent can be shown and taken back, the person's own edits are theirs and never lost; git or not."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.memory import archive, files, git_archive, history, index, lock, transaction, undo
from lib.memory.archive import ArchiveProblem, Entry, Note
from lib.memory.history import Author, History
from lib.memory.transaction import Change

ROOT = Path(__file__).resolve().parent.parent.parent
TEXT = "---\nname: {0}\ndescription: {1}\nmetadata:\n  type: user\n---\n\n{1}.\n"


@pytest.fixture(params=["git", "copies"])
def kept(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> History:
    if request.param == "copies":
        monkeypatch.setattr(git_archive, "available", lambda: False)
    return fresh(tmp_path)


def fresh(tmp_path: Path) -> History:
    memory = tmp_path / "config" / "projects" / "-p" / "memory"
    memory.mkdir(parents=True)
    return history.of(str(memory), str(tmp_path / "config" / "memory-hooks" / "projects" / "-p"))


def text(name: str, said: str) -> str:
    return TEXT.format(name, said)


def write(kept: History, who: str, *changes: Change, why: str = "a reason") -> dict[str, str]:
    return transaction.apply(kept.memory, list(changes), Author(kept, Note(who, "s1", why)))


def person(kept: History, file: str, data: str | None) -> None:
    path = Path(kept.memory) / file
    if data is None:
        path.unlink()
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(data)


def whole(kept: History) -> dict[str, bytes]:
    root = Path(kept.memory)
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*") if path.is_file() and not path.name.startswith(".")
    }  # fmt: skip


def told(kept: History) -> list[tuple[str, str, list[str]]]:
    return [(entry.note.who, entry.note.why, sorted(entry.files)) for entry in kept.entries()]


def test_one_step_is_one_entry_and_what_was_there_comes_first(kept: History) -> None:
    person(kept, "mine.md", "my own words\n")
    assert write(kept, "extract", Change("a.md", text("a", "one"), None)) == {"a.md": ""}
    assert told(kept) == [
        ("extract", "a reason", ["MEMORY.md", "a.md"]),
        ("outside", "what was there when the history began", ["mine.md"]),
    ]
    newest = kept.entries()[0]
    assert newest.note == Note("extract", "s1", "a reason")
    assert newest.files["a.md"] == (None, archive.version(text("a", "one").encode()))
    assert kept.content(newest.files["a.md"][1]) == text("a", "one").encode()


def test_undo_gives_back_the_same_bytes_names_and_ages(kept: History) -> None:
    person(kept, "gone.md", "will be removed\r\nwith odd \u2028 ends")
    person(kept, "kept.md", text("kept", "before"))
    (Path(kept.memory) / "bin.md").write_bytes(b"\xff\x00\xfe")
    for file in ("gone.md", "kept.md"):
        os.utime(Path(kept.memory) / file, ns=(10**18, 10**18))
    index.mend(kept.memory)
    before = whole(kept)
    write(
        kept, "dream", Change("gone.md", None, before["gone.md"].decode()),
        Change("kept.md", text("kept", "after"), text("kept", "before")), Change("new.md", text("new", "new"), None),
    )  # fmt: skip
    assert set(whole(kept)) == {"MEMORY.md", "kept.md", "new.md", "bin.md"}
    done = undo.undo(kept, kept.entries()[0])
    assert (done.restored, done.kept) == (["gone.md", "kept.md", "new.md"], {})
    assert whole(kept) == before
    assert {os.stat(Path(kept.memory) / file).st_mtime_ns for file in ("gone.md", "kept.md")} == {10**18}


def test_an_undo_can_be_undone(kept: History) -> None:
    write(kept, "extract", Change("a.md", text("a", "one"), None))
    after = whole(kept)
    undo.undo(kept, kept.entries()[0])
    assert "a.md" not in whole(kept)
    assert undo.undo(kept, kept.entries()[0]).restored == ["a.md"]
    assert whole(kept) == after
    assert [who for who, _, _ in told(kept)] == ["undo", "undo", "extract"]


def test_a_later_edit_of_the_person_wins_is_named_and_was_theirs(kept: History) -> None:
    write(kept, "extract", Change("a.md", text("a", "one"), None), Change("b.md", text("b", "two"), None))
    entry = kept.entries()[0]
    person(kept, "a.md", "now it is mine\n")
    done = undo.undo(kept, entry)
    theirs = next(found for found in kept.entries() if found.note.who == "outside")
    assert done.restored == ["b.md"]
    assert done.kept == {"a.md": f"changed later (outside: you, an editor or the agent, entry {theirs.id})"}
    assert whole(kept)["a.md"] == b"now it is mine\n"
    assert sorted(theirs.files) == ["a.md"]


def test_edits_between_two_writes_are_recorded_before_and_lost_by_neither(kept: History) -> None:
    write(kept, "extract", Change("a.md", text("a", "one"), None))
    person(kept, "a.md", text("a", "the person's"))
    person(kept, "a.md", text("a", "the person's, again"))
    person(kept, "other.md", "new")
    write(kept, "dream", Change("a.md", text("a", "the dream's"), text("a", "the person's, again")))
    assert [(who, names) for who, _, names in told(kept)] == [
        ("dream", ["MEMORY.md", "a.md"]), ("outside", ["a.md", "other.md"]), ("extract", ["MEMORY.md", "a.md"]),
    ]  # fmt: skip
    undo.undo(kept, kept.entries()[0])
    assert whole(kept)["a.md"].decode() == text("a", "the person's, again")


def test_undo_of_what_is_so_already_changes_nothing(kept: History) -> None:
    write(kept, "extract", Change("a.md", text("a", "one"), None))
    entry = kept.entries()[0]
    person(kept, "a.md", None)
    done = undo.undo(kept, entry)
    assert done.kept == {"a.md": "is so already"} and done.restored == []


def test_a_name_taken_meanwhile_is_not_written_over(kept: History) -> None:
    person(kept, "my-note.md", "old")
    write(kept, "dream", Change("my-note.md", None, "old"))
    person(kept, "My_Note.md", "another")
    done = undo.undo(kept, kept.entries()[0])
    assert done.kept == {"my-note.md": "another memory has this name by now"}
    assert whole(kept)["My_Note.md"] == b"another" and "my-note.md" not in whole(kept)


def test_a_killed_writers_work_is_its_own_and_the_persons_is_the_persons(kept: History) -> None:
    person(kept, "mine.md", "x")
    with lock.held(kept.memory):
        step = kept.step(Note("dream", "s2", "merging"), ["a.md"])
        step.__enter__()
        files.write(kept.memory, "a.md", b"written by the dream")
        del step  # killed here
    person(kept, "mine.md", "edited after that")
    with lock.held(kept.memory):
        kept.catch_up()
    assert told(kept)[:2] == [
        ("outside", "changes made outside", ["mine.md"]), ("dream", "merging (interrupted)", ["a.md"]),
    ]  # fmt: skip
    with lock.held(kept.memory):
        kept.catch_up()
    assert len(kept.entries()) == 3


def test_nothing_changed_is_no_entry(kept: History) -> None:
    person(kept, "a.md", "x")
    for _ in range(3):
        with lock.held(kept.memory):
            kept.catch_up()
    assert len(kept.entries()) == 1


def test_daily_logs_are_covered_and_hidden_files_and_links_are_not(kept: History, tmp_path: Path) -> None:
    person(kept, "logs/2026/11/2026-11-30.md", "- 10:00 a bullet\n")
    person(kept, ".hidden.md", "x")
    person(kept, "notes.txt", "x")
    (tmp_path / "outside.md").write_text("a secret")
    (Path(kept.memory) / "link.md").symlink_to(tmp_path / "outside.md")
    (Path(kept.memory) / "logs" / "link.md").symlink_to(tmp_path / "outside.md")
    os.mkfifo(Path(kept.memory) / "fifo.md")
    with lock.held(kept.memory):
        kept.catch_up()
    assert told(kept)[0][2] == ["logs/2026/11/2026-11-30.md"]


def test_names_and_contents_are_kept_byte_for_byte(kept: History) -> None:
    odd = {'q"uo\\te.md': b"1", "new\nline.md": b"2", "with space.md": b"\r\n\0", "ü.md": b"", "-dash.md": b"data 3\nM"}
    for name, data in odd.items():
        (Path(kept.memory) / name).write_bytes(data)
    with lock.held(kept.memory):
        kept.catch_up()
    found = kept.entries()[0]
    assert {name: kept.content(after) for name, (_, after) in found.files.items()} == odd
    with lock.held(kept.memory):
        kept.catch_up()
    assert len(kept.entries()) == 1


def test_a_history_that_cannot_be_kept_stops_the_write(kept: History, monkeypatch: pytest.MonkeyPatch) -> None:
    person(kept, "a.md", "x")
    Path(kept.place).parent.mkdir(parents=True, exist_ok=True)
    Path(kept.place).write_text("a file where the folder belongs")
    with pytest.raises(OSError):
        write(kept, "dream", Change("a.md", None, "x"))
    assert whole(kept)["a.md"] == b"x"


# ---- git alone


@pytest.fixture
def git(tmp_path: Path) -> Iterator[History]:
    yield fresh(tmp_path)


def test_the_machines_git_has_no_say(git: History, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ran = tmp_path / "hook-ran"
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "post-commit", "reference-transaction", "post-update"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {ran}\nexit 1\n")
        (hooks / name).chmod(0o755)
    config = tmp_path / "gitconfig"
    config.write_text(
        f"[core]\n hooksPath = {hooks}\n autocrlf = true\n attributesFile = {tmp_path}/attributes\n"
        "[commit]\n gpgSign = true\n[filter \"x\"]\n clean = false\n"
    )
    (tmp_path / "attributes").write_text("* filter=x text\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".gitconfig").write_text(config.read_text())
    person(git, ".gitattributes", "* filter=x text\n")
    person(git, ".gitignore", "*\n")
    person(git, "a.md", "one\r\ntwo\n")
    assert write(git, "extract", Change("b.md", text("b", "two"), None)) == {"b.md": ""}
    assert not ran.exists() and not (tmp_path / "elsewhere").exists()
    assert not (Path(git.memory) / ".git").exists()
    first = git.entries()[-1]
    assert git.content(first.files["a.md"][1]) == b"one\r\ntwo\n"


def test_a_directory_that_is_a_repository_itself_stays_untouched(git: History) -> None:
    subprocess.run(["git", "init", "-q", git.memory], check=True, env={**os.environ})
    before = sorted(path.name for path in (Path(git.memory) / ".git").rglob("*"))
    write(git, "extract", Change("a.md", text("a", "one"), None))
    assert len(git.entries()) == 1
    assert sorted(path.name for path in (Path(git.memory) / ".git").rglob("*")) == before


def test_locks_of_a_killed_git_do_not_end_the_history(git: History) -> None:
    write(git, "extract", Change("a.md", text("a", "one"), None))
    (Path(git.place) / "history.git" / "refs" / "heads" / "memory.lock").write_text("")
    write(git, "extract", Change("b.md", text("b", "two"), None))
    assert [names for _, _, names in told(git)] == [["MEMORY.md", "b.md"], ["MEMORY.md", "a.md"]]


def test_a_damaged_repository_is_left_alone_and_copies_go_on(git: History) -> None:
    write(git, "extract", Change("a.md", text("a", "one"), None))
    ref = Path(git.place) / "history.git" / "refs" / "heads" / "memory"
    ref.write_bytes(b"\0" * 41)
    assert write(git, "extract", Change("b.md", text("b", "two"), None)) == {"b.md": ""}
    assert ref.read_bytes() == b"\0" * 41
    kept = git._archives()[0].entries()
    assert [entry.note.who for entry in kept] == ["extract", "outside"]


def test_copies_once_begun_go_on_when_git_comes(git: History, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(git_archive, "available", lambda: False)
        write(git, "extract", Change("a.md", text("a", "one"), None))
    write(git, "extract", Change("b.md", text("b", "two"), None))
    assert [names for _, _, names in told(git)] == [["MEMORY.md", "b.md"], ["MEMORY.md", "a.md"]]
    assert not (Path(git.place) / "history.git").exists()
    undo.undo(git, git.entries()[1])
    assert "a.md" not in whole(git)


def test_without_git_on_the_path_it_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert git_archive.available()
    monkeypatch.setenv("PATH", "/nowhere")
    assert not git_archive.available()


# ---- copies alone


def test_a_torn_line_and_a_lost_version_harm_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_archive, "available", lambda: False)
    kept = fresh(tmp_path)
    write(kept, "extract", Change("a.md", text("a", "one"), None))
    lines = Path(kept.place) / "history" / "entries.jsonl"
    lines.write_bytes(lines.read_bytes() + b'{"at": 1, "who": "x", "fil')
    write(kept, "extract", Change("b.md", text("b", "two"), None))
    assert [names for _, _, names in told(kept)] == [["MEMORY.md", "b.md"], ["MEMORY.md", "a.md"]]
    first = kept.entries()[1]
    write(kept, "dream", Change("a.md", None, text("a", "one")))
    (Path(kept.place) / "history" / "versions" / str(first.files["a.md"][1])).unlink()
    assert undo.undo(kept, kept.entries()[0]).kept == {"a.md": "the former version is not kept"}


# ---- where it lies, and what an entry is


def test_a_directory_that_projects_share_has_one_history(tmp_path: Path) -> None:
    places = {history.of(str(tmp_path / "notes"), str(tmp_path / "own" / "projects" / p)).place for p in ("-a", "-b")}
    assert len(places) == 1 and "-notes" in places.pop()
    assert history.author("/m", "", "extract") is None


@given(st.text() | st.from_regex(r"\{.*\}", fullmatch=True))
def test_no_line_is_an_error(line: str) -> None:
    found = archive.read_entry("id", line)
    assert found is None or isinstance(found, Entry)


@given(
    st.dictionaries(st.text(), st.tuples(st.none() | st.just("a" * 40), st.none() | st.just("0" * 40))),
    st.text(), st.text(),
)  # fmt: skip
def test_an_entry_reads_back_as_it_was_written(changed: dict[str, archive.Versions], who: str, why: str) -> None:
    entry = Entry("id", 12.5, Note(who, "s", why), changed, dict.fromkeys(changed, 7))
    assert archive.read_entry("id", entry.line) == entry
    assert "\n" not in entry.line


def test_a_version_is_what_git_calls_it(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"one\ntwo\n")
    done = subprocess.run(["git", "hash-object", str(tmp_path / "f")], capture_output=True, check=True)
    assert archive.version(b"one\ntwo\n") == done.stdout.decode().strip()


def test_a_content_that_was_never_kept_is_told(kept: History) -> None:
    write(kept, "extract", Change("a.md", text("a", "one"), None))
    with pytest.raises(ArchiveProblem):
        kept.content("0" * 40)


# ---- the transaction


def test_what_was_merged_stays_when_the_file_it_went_into_was_not_written(kept: History) -> None:
    person(kept, "into.md", "one")
    person(kept, "from.md", "two")
    outcome = write(
        kept, "dream", Change("from.md", None, "two", needs=["into.md"]), Change("into.md", "one two", "not this"),
    )  # fmt: skip
    assert outcome == {"into.md": "changed meanwhile", "from.md": "into.md was not written"}
    assert whole(kept)["from.md"] == b"two"


def test_a_change_of_wording_keeps_the_age(kept: History) -> None:
    person(kept, "a.md", "one")
    write(kept, "dream", Change("a.md", "uno", "one", mtime_ns=10**18 + 1000))
    assert os.stat(Path(kept.memory) / "a.md").st_mtime_ns == 10**18 + 1000


KILLED = """
import os, signal, sys
sys.path.insert(0, {root!r})
from lib.memory import files, git_archive, history, transaction
from lib.memory.transaction import Change
git_archive.available = lambda: {git!r}
real, left = files.write, [{after}]
def write(*given):
    if not left[0]: os.kill(os.getpid(), signal.SIGKILL)
    left[0] -= 1
    real(*given)
files.write = write
kept = history.of({memory!r}, {state!r})
changes = [Change("a.md", "new a", "old a"), Change("b.md", "new b", "old b")]
transaction.apply({memory!r}, changes, history.author({memory!r}, {state!r}, "dream", "s", "two files"))
"""


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_kill_between_two_files_is_recorded_and_can_be_undone(kept: History, after: int) -> None:
    person(kept, "a.md", "old a")
    person(kept, "b.md", "old b")
    script = KILLED.format(
        root=str(ROOT), memory=kept.memory, state=kept.place, after=after, git=git_archive.available()
    )
    assert subprocess.run([sys.executable, "-c", script], timeout=60).returncode == -signal.SIGKILL
    with lock.held(kept.memory):
        kept.catch_up()
    newest = kept.entries()[0]
    changed = ["a.md", "b.md"][:after]
    assert (newest.note.who, newest.note.why) == (("dream", "two files (interrupted)") if after else (
        "outside", "what was there when the history began"))  # fmt: skip
    if after:
        assert sorted(newest.files) == changed
        assert undo.undo(kept, newest).restored == changed
    assert whole(kept)["a.md"] == b"old a" and whole(kept)["b.md"] == b"old b"
