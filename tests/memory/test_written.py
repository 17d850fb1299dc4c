"""Whoever changes a memory past our tools and the client is told from them; of what nobody noted nothing is said."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.memory import files, history, store, transaction, undo, written
from lib.memory.transaction import Change

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    (tmp_path / "projects/p/memory").mkdir(parents=True)
    return tmp_path / "projects/p/memory"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "own/p"


def text(fact: str) -> str:
    return store.text_of("a", "user", fact, "body", {})


def apply(memory: Path, state: Path, *changes: Change, who: str = "extract") -> dict[str, str]:
    return transaction.apply(str(memory), list(changes), history.author(str(memory), str(state), who))


def foreign(memory: Path, state: Path, *names: str) -> list[str]:
    return written.foreign(str(state), str(memory), names or ("a.md",))


def test_nothing_is_said_of_a_file_that_nobody_noted(memory: Path, state: Path) -> None:
    (memory / "a.md").write_text("one")
    assert foreign(memory, state) == []
    written.note(str(state), "b.md", b"x")
    assert foreign(memory, state, "a.md", "b.md", "none.md") == []


def test_a_version_that_was_noted_is_ours_and_every_other_is_not(memory: Path, state: Path) -> None:
    (memory / "a.md").write_bytes(b"one")
    written.note_present(str(state), str(memory), "a.md")
    assert foreign(memory, state) == []
    (memory / "a.md").write_bytes(b"two")
    assert foreign(memory, state) == ["a.md"]
    (memory / "a.md").write_bytes(b"one")
    assert foreign(memory, state) == []
    os.utime(memory / "a.md", (1, 1))
    assert foreign(memory, state) == []


def test_a_name_that_ends_like_another_is_another(memory: Path, state: Path) -> None:
    written.note(str(state), "x a.md", b"one")
    (memory / "a.md").write_bytes(b"two")
    assert foreign(memory, state) == []


def test_what_an_agent_of_ours_writes_is_noted_and_what_somebody_writes_after_is_not(memory: Path, state: Path) -> None:
    assert apply(memory, state, Change("a.md", text("one"), None))["a.md"] == ""
    assert foreign(memory, state) == []
    assert apply(memory, state, Change("a.md", text("two"), text("one")))["a.md"] == ""
    assert foreign(memory, state) == []
    (memory / "a.md").write_text(text("evil"))
    assert foreign(memory, state) == ["a.md"]


def test_what_rests_on_a_text_from_outside_stays_a_text_from_outside(memory: Path, state: Path) -> None:
    apply(memory, state, Change("a.md", text("one"), None))
    (memory / "a.md").write_text(text("evil"))
    assert apply(memory, state, Change("a.md", text("evil and more"), text("evil")))["a.md"] == ""
    assert foreign(memory, state) == ["a.md"]


def test_an_undo_gives_back_a_version_of_ours(memory: Path, state: Path) -> None:
    apply(memory, state, Change("a.md", text("one"), None))
    apply(memory, state, Change("a.md", text("two"), text("one")))
    os.unlink(state / written.FILE)
    written.note(str(state), "a.md", text("two").encode())
    kept = history.of(str(memory), str(state))
    undo.undo(kept, kept.entries()[0])
    assert (memory / "a.md").read_text() == text("one")
    assert foreign(memory, state) == []


def test_a_change_that_was_left_out_is_noted_as_nobodys(memory: Path, state: Path) -> None:
    apply(memory, state, Change("a.md", text("one"), None))
    (memory / "a.md").write_text(text("evil"))
    assert apply(memory, state, Change("a.md", text("evil"), text("one")))["a.md"] == "changed meanwhile"
    assert foreign(memory, state) == ["a.md"]


def test_a_directory_that_projects_share_has_one_list(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    for project in ("p", "q"):
        (tmp_path / "own" / project).mkdir(parents=True)
    apply(shared, tmp_path / "own/p", Change("a.md", text("one"), None))
    apply(shared, tmp_path / "own/q", Change("a.md", text("two"), text("one")))
    assert len(list((tmp_path / "own").glob(f"*/{written.FILE}"))) == 1
    place = history.of(str(shared), str(tmp_path / "own/p")).place
    assert written.foreign(place, str(shared), ["a.md"]) == []
    (shared / "a.md").write_text("evil")
    assert written.foreign(place, str(shared), ["a.md"]) == ["a.md"]


def test_a_torn_record_spoils_no_other(memory: Path, state: Path) -> None:
    written.note(str(state), "a.md", b"one")
    with (state / written.FILE).open("ab") as file:
        file.write(b"\na.md\t1234")
    written.note(str(state), "a.md", b"two")
    for content, expected in ((b"one", []), (b"two", []), (b"three", ["a.md"])):
        (memory / "a.md").write_bytes(content)
        assert foreign(memory, state) == expected


def test_a_list_that_begins_anew_claims_less(memory: Path, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(written, "LIMIT", 200)
    written.note(str(state), "a.md", b"one")
    for number in range(40):
        written.note(str(state), f"other-{number}.md", b"x")
        assert (state / written.FILE).stat().st_size < 260
    (memory / "a.md").write_bytes(b"two")
    assert foreign(memory, state) == []


@pytest.mark.parametrize("obstacle", ["folder", "link", "garbage"])
def test_a_list_that_is_none_claims_nothing_and_harms_nobody(memory: Path, state: Path, obstacle: str) -> None:
    state.mkdir(parents=True)
    if obstacle == "folder":
        (state / written.FILE).mkdir()
    elif obstacle == "link":
        (state / written.FILE).symlink_to(memory / "victim")
    else:
        (state / written.FILE).write_bytes(os.urandom(3000))
    (memory / "a.md").write_bytes(b"one")
    written.note(str(state), "a.md", b"one")
    assert foreign(memory, state) == []
    assert not (memory / "victim").exists()


def test_a_file_that_cannot_be_read_is_passed_over(memory: Path, state: Path) -> None:
    for name in ("none.md", "dir.md", "\ud800.md"):
        written.note_present(str(state), str(memory), name)
    assert not state.exists()
    written.note(str(state), "dir.md", b"x")
    (memory / "dir.md").mkdir()
    assert foreign(memory, state, "dir.md") == []


def test_of_a_long_file_the_part_that_is_recalled_counts(memory: Path, state: Path) -> None:
    start = b"x" * files.READ_LIMIT
    written.note(str(state), "a.md", start + b"more")
    (memory / "a.md").write_bytes(start + b"other")
    assert foreign(memory, state) == []
    (memory / "a.md").write_bytes(b"y" + start)
    assert foreign(memory, state) == ["a.md"]


def test_many_processes_lose_no_record(memory: Path, state: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from lib.memory import written\n"
        "for n in range(50): written.note(sys.argv[1], f'{sys.argv[2]}-{n}.md', b'x')\n"
    )
    running = [subprocess.Popen([sys.executable, "-I", "-S", "-c", code, str(state), str(n)]) for n in range(4)]
    assert [process.wait(60) for process in running] == [0, 0, 0, 0]
    names = [f"{process}-{n}.md" for process in range(4) for n in range(50)]
    for name in names:
        (memory / name).write_bytes(b"y")
    assert foreign(memory, state, *names) == names


@given(st.text(max_size=12), st.binary(max_size=40), st.binary(max_size=40))
def test_any_name_and_content_is_told_apart(
    tmp_path_factory: pytest.TempPathFactory, name: str, one: bytes, two: bytes
) -> None:
    place = str(tmp_path_factory.mktemp("list"))
    written.note(place, "a.md", b"other")
    if "\n" in name or "\t" in name or not name.isprintable():
        assert written.is_foreign(place, name, one) is False
        return
    written.note(place, name, one)
    assert not written.is_foreign(place, name, one)
    assert written.is_foreign(place, name, two) is (one != two and (name, two) != ("a.md", b"other"))
