"""Changes to memories are one step: nothing that somebody else wrote meanwhile is lost, whoever writes at once."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lib.memory import files, index, lock, store, transaction
from lib.memory.transaction import Change

ROOT = Path(__file__).resolve().parents[2]


def text(name: str, fact: str = "fact") -> str:
    return store.text_of(name, "user", f"{fact} {name}", "body", {})


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    place = tmp_path / "memory"
    changes = [Change(f"{name}.md", text(name), None) for name in ("a", "b", "c")]
    assert transaction.apply(str(place), changes) == {"a.md": "", "b.md": "", "c.md": ""}
    return place


def listed(memory: Path) -> list[str]:
    return [file for line in (memory / "MEMORY.md").read_text().split("\n") if (file := index.target(line))]


def test_files_and_index_change_together(memory: Path) -> None:
    changes = [
        Change("a.md", text("a", "new"), text("a")),
        Change("b.md", None, text("b")),
        Change("d.md", text("d"), None),
    ]
    assert transaction.apply(str(memory), changes) == {"a.md": "", "b.md": "", "d.md": ""}
    assert sorted(os.listdir(memory)) == [".memory.lock", "MEMORY.md", "a.md", "c.md", "d.md"]
    assert (memory / "a.md").read_text() == text("a", "new")
    assert sorted(listed(memory)) == ["a.md", "c.md", "d.md"]
    assert "- [A](a.md) — new a\n" in (memory / "MEMORY.md").read_text()


def test_what_somebody_did_while_a_model_was_thinking_stands(memory: Path) -> None:
    thought = [Change(f"{name}.md", text(name, "from a model"), text(name)) for name in ("a", "b", "c")]
    (memory / "a.md").write_text("edited meanwhile")
    (memory / "b.md").unlink()
    (memory / "new.md").write_text(text("new", "added meanwhile"))
    assert transaction.apply(str(memory), thought) == {
        "a.md": "changed meanwhile",
        "b.md": "removed meanwhile",
        "c.md": "",
    }
    assert (memory / "a.md").read_text() == "edited meanwhile"
    assert not (memory / "b.md").exists()
    assert (memory / "c.md").read_text() == text("c", "from a model")
    assert sorted(listed(memory)) == ["a.md", "c.md", "new.md"]


def test_a_file_edited_meanwhile_is_not_removed_and_one_removed_is_no_error(memory: Path) -> None:
    (memory / "a.md").write_text("edited meanwhile")
    (memory / "b.md").unlink()
    removals = [Change("a.md", None, text("a")), Change("b.md", None, text("b"))]
    assert transaction.apply(str(memory), removals) == {"a.md": "changed meanwhile", "b.md": "removed meanwhile"}
    assert (memory / "a.md").read_text() == "edited meanwhile"


@pytest.mark.parametrize("file", ["a.md", "A.md", "d_e.md"])
def test_a_new_memory_takes_nobodys_name(memory: Path, file: str) -> None:
    (memory / "d-e.md").write_text(text("d-e"))
    before = {name: (memory / name).read_bytes() for name in ("a.md", "d-e.md")}
    assert transaction.apply(str(memory), [Change(file, text("x"), None)])[file] in (
        "changed meanwhile", "another memory has this name"
    )  # fmt: skip
    assert {name: (memory / name).read_bytes() for name in before} == before


BAD = ["../x.md", "/tmp/x.md", "a\0.md", "\ud800.md", "", "link.md", "fifo.md", "dir.md", "x.txt", "linked/x.md"]


@pytest.mark.parametrize("file", BAD)
def test_one_change_that_cannot_be_made_says_why_and_stops_no_other(memory: Path, file: str) -> None:
    outside = memory.parent / "outside"
    outside.mkdir()
    (memory / "link.md").symlink_to(outside / "x.md")
    (memory / "linked").symlink_to(outside)
    (memory / "dir.md").mkdir()
    os.mkfifo(memory / "fifo.md")
    outcome = transaction.apply(str(memory), [Change(file, "x", None), Change("d.md", text("d"), None)])
    assert outcome[file] and outcome["d.md"] == ""
    assert "d.md" in listed(memory)
    assert os.listdir(outside) == []


def test_a_text_that_cannot_be_written_says_why(memory: Path) -> None:
    assert "UnicodeEncodeError" in transaction.apply(str(memory), [Change("d.md", "\ud800", None)])["d.md"]
    assert not (memory / "d.md").exists()


def test_bytes_that_are_no_text_survive_the_comparison_and_a_rewrite(memory: Path) -> None:
    (memory / "a.md").write_bytes(b"caf\xe9 \xff\r\n")
    before = transaction.current(str(memory), "a.md")
    assert before is not None
    assert transaction.apply(str(memory), [Change("a.md", before + "more", before)]) == {"a.md": ""}
    assert (memory / "a.md").read_bytes() == b"caf\xe9 \xff\r\nmore"


@pytest.mark.parametrize("file", ["none.md", "a\0.md", "\ud800.md", "../a.md", "dir.md"])
def test_what_is_no_memory_has_no_current_text(memory: Path, file: str) -> None:
    (memory / "dir.md").mkdir()
    assert transaction.current(str(memory), file) is None


def test_a_directory_that_stays_locked_is_an_error_and_nothing_is_written(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = lock.held
    monkeypatch.setattr(lock, "held", lambda directory: real(directory, 0.02))
    descriptor = lock.acquire(str(memory / lock.NAME))
    assert descriptor is not None
    try:
        with pytest.raises(TimeoutError):
            transaction.apply(str(memory), [Change("d.md", text("d"), None)])
    finally:
        os.close(descriptor)
    assert not (memory / "d.md").exists()


def test_a_full_disk_keeps_what_was_there(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {path.name: path.read_bytes() for path in memory.iterdir()}

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        outcome = transaction.apply(
            str(memory), [Change("a.md", text("a", "new"), text("a")), Change("d.md", text("d"), None)]
        )
    assert outcome == dict.fromkeys(["a.md", "d.md"], "OSError: [Errno 28] No space left on device")
    assert {path.name: path.read_bytes() for path in memory.iterdir()} == before


def test_an_index_that_cannot_be_written_does_not_hide_what_was_done(memory: Path) -> None:
    (memory / "MEMORY.md").unlink()
    (memory / "MEMORY.md").symlink_to(memory.parent / "mine")
    outcome = transaction.apply(str(memory), [Change("d.md", text("d"), None), Change("a.md", "x", "y")])
    assert outcome.pop("MEMORY.md").startswith("OSError: ")
    assert outcome == {"d.md": "", "a.md": "changed meanwhile"}
    assert (memory / "d.md").read_text() == text("d")
    assert not (memory.parent / "mine").exists()


def test_versions_are_told_apart() -> None:
    assert transaction.digest("a") == transaction.digest("a") != transaction.digest("b")
    assert len(transaction.digest("\udcff")) == 16


HAMMER = f"""
import contextlib, sys
sys.path.insert(0, {str(ROOT)!r})
from lib.memory import lock, store, transaction
directory, number, rounds, locked = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "locked"
held = lock.held  # with a patience that a loaded machine does not exhaust
lock.held = lambda directory: held(directory, 120.0) if locked else contextlib.nullcontext()
print("ready", flush=True)
sys.stdin.readline()
for turn in range(rounds):
    name = f"m-{{number}}-{{turn}}"
    text = store.text_of(name, "user", f"fact {{name}}", "body", {{}})
    try:
        why = transaction.apply(directory, [transaction.Change(name + ".md", text, None)])[name + ".md"]
    except OSError as error:
        why = repr(error)
    if why:
        print(why, flush=True)
"""


@contextlib.contextmanager
def hammers(memory: Path, count: int, rounds: int, how: str) -> Iterator[list[subprocess.Popen[str]]]:
    processes = [
        subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", HAMMER, str(memory), str(number), str(rounds), how],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        for number in range(count)
    ]  # fmt: skip
    try:
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def faults(memory: Path, count: int, rounds: int, how: str) -> list[str]:
    """What went wrong when `count` processes added `rounds` memories each, all let loose at the same moment."""
    memory.mkdir()
    with hammers(memory, count, rounds, how) as processes:
        for process in processes:
            assert process.stdout is not None and process.stdout.readline() == "ready\n"
        found = []
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        for process in processes:
            said, _ = process.communicate(timeout=300)
            found += said.splitlines() + ([f"status {process.returncode}"] if process.returncode else [])
    expected = sorted(f"m-{number}-{turn}.md" for number in range(count) for turn in range(rounds))
    present = sorted(entry.file for entry in store.entries(str(memory)))
    if present != expected:
        found.append(f"{len(present)} files")
    if sorted(listed(memory)) != expected:
        found.append(f"{len(listed(memory))} lines, {len(set(listed(memory)))} of them different")
    strange = set(os.listdir(memory)) - set(expected) - {"MEMORY.md", lock.NAME}
    return found + [f"left over: {name}" for name in sorted(strange)]


@pytest.mark.heavy
def test_eight_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    assert faults(tmp_path / "memory", 8, 20, "locked") == []
    assert len(listed(tmp_path / "memory")) == 160
    assert index.mend(str(tmp_path / "memory")) is False


def test_without_the_lock_the_same_processes_do_harm(tmp_path: Path) -> None:
    assert any(faults(tmp_path / f"memory-{attempt}", 8, 20, "free") for attempt in range(3))


def test_a_killed_process_leaves_whole_files_and_the_next_change_tidies_up(tmp_path: Path) -> None:
    memory = tmp_path / "memory"
    memory.mkdir()
    with hammers(memory, 4, 10_000, "locked") as processes:
        for process in processes:
            assert process.stdin is not None and process.stdout is not None
            process.stdout.readline()
            process.stdin.write("go\n")
            process.stdin.flush()
        while len(os.listdir(memory)) < 40:
            assert any(process.poll() is None for process in processes)
    (memory / ".a.md.99999.0123456789ab.tmp").write_text("torn")
    assert transaction.apply(str(memory), [Change("last.md", text("last"), None)]) == {"last.md": ""}
    present = sorted(entry.file for entry in store.entries(str(memory)))
    assert sorted(listed(memory)) == present
    assert [name for name in os.listdir(memory) if name.endswith(".tmp")] == []
    for file in present:
        assert files.read(str(memory), file).endswith(b"---\n\nbody\n")
