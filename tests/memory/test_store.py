"""The memories of a directory: one file, one fact, and no file that can stop the others from being read."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.memory import files, frontmatter, store

TEXT = "---\nname: {0}\ndescription: fact {0}\nmetadata:\n  type: user\n---\n\nbody {0}\n"


def put(directory: Path, *names: str) -> None:
    for number, name in enumerate(names):
        (directory / name).write_text(TEXT.format(name[:-3]))
        os.utime(directory / name, (1_000 + number, 1_000 + number))


def test_a_memory_is_read_with_its_fields_and_body(tmp_path: Path) -> None:
    put(tmp_path, "a.md")
    memory = store.load(str(tmp_path), "a.md")
    assert memory is not None
    found = (memory.file, memory.name, memory.description, memory.type, memory.body, memory.mtime, memory.problem)
    assert found == ("a.md", "a", "fact a", "user", "\nbody a\n", 1_000.0, "")
    assert memory.statement == "fact a"


@pytest.mark.parametrize(
    ("text", "name", "kind", "statement", "problem"),
    [
        ("---\nname: x\ntype: project\n---\nb", "x", "project", "b", ""),
        ("---\ntype: user\nmetadata:\n  type: project\n---\n# T\n", "a", "project", "T", ""),
        ("\ufeff---\r\nname: x\r\ntype: user\r\n---\r\nb", "x", "user", "b", ""),
        ("---\nname: x\ntype: rule\n---\n", "x", "", "x", "type 'rule' is none of user, feedback, project, reference"),
        ("---\nname: x\n---\n", "x", "", "x", "type '' is none of user, feedback, project, reference"),
        ("just text\nmore", "a", "", "just text", "no frontmatter"),
        ("\n\n> - \n# Heading\ntext", "a", "", "- ", "no frontmatter"),
        ("", "a", "", "a", "no frontmatter"),
        ("---\nname: x\n", "a", "", "---", "no frontmatter"),
    ],
)
def test_every_text_is_a_memory_and_says_what_it_lacks(
    text: str, name: str, kind: str, statement: str, problem: str
) -> None:
    memory = store.Memory("a.md", text, 0.0)
    assert (memory.name, memory.type, memory.problem) == (name, kind, problem)
    assert memory.statement.strip("- ") == statement.strip("- ")


def test_only_plain_topic_files_count_and_nothing_else_stops_or_hangs(tmp_path: Path) -> None:
    put(tmp_path, "a.md", "b.md")
    (tmp_path / "bin.md").write_bytes(b"# x\n\xff\xfe\x00")
    (tmp_path / "empty.md").write_bytes(b"")
    for name in ("MEMORY.md", "memory.md", ".hidden.md", "._a.md", ".DS_Store", "notes.txt", "A.MD"):
        (tmp_path / name).write_text("x")
    (tmp_path / "folder.md").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "dangling.md").symlink_to("nowhere")
    (tmp_path / "link.md").symlink_to("a.md")
    (tmp_path / os.fsdecode(b"odd\xff.md")).write_text("x")
    assert sorted(entry.file for entry in store.entries(str(tmp_path))) == ["a.md", "b.md", "bin.md", "empty.md"]
    scanned = {memory.file: memory for memory in store.scan(str(tmp_path))}
    assert sorted(scanned) == ["a.md", "b.md", "bin.md", "empty.md"]
    assert scanned["bin.md"].body == "# x\n\ufffd\ufffd\x00"


@pytest.mark.parametrize("name", ["pipe.md", "folder.md", "link.md", "none.md", "../a.md", "a\0.md", "\ud800.md"])
def test_what_cannot_be_read_is_none(tmp_path: Path, name: str) -> None:
    inner = tmp_path / "m"
    inner.mkdir()
    put(tmp_path, "a.md")
    os.mkfifo(inner / "pipe.md")
    (inner / "folder.md").mkdir()
    (inner / "link.md").symlink_to("../a.md")
    assert store.load(str(inner), name) is None


def test_a_file_that_vanishes_while_it_is_listed_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "a.md", "b.md")
    real = files.read

    def read(directory: str, name: str, limit: int) -> bytes:
        (tmp_path / "b.md").unlink(missing_ok=True)
        return real(directory, name, limit)

    monkeypatch.setattr(files, "read", read)
    assert [memory.file for memory in store.scan(str(tmp_path))] == ["a.md"]


@pytest.mark.parametrize("place", ["none", "file"])
def test_a_directory_that_is_none_holds_nothing(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("x")
    assert store.entries(str(tmp_path / place)) == [] == store.scan(str(tmp_path / place))


def test_the_newest_come_first_and_names_decide_between_equals(tmp_path: Path) -> None:
    put(tmp_path, *(f"m{number}.md" for number in range(12)))
    os.utime(tmp_path / "m0.md", (1_011, 1_011))
    assert [memory.file for memory in store.scan(str(tmp_path), 3)] == ["m0.md", "m11.md", "m10.md"]
    assert len(store.scan(str(tmp_path))) == 12
    assert store.MANIFEST_LIMIT == 200


def test_a_large_file_is_read_to_its_limit_and_a_cut_character_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("é" * 100_000)
    memory = store.load(str(tmp_path), "a.md")
    assert memory is not None and memory.body == "é" * 32_768
    odd = store.load(str(tmp_path), "a.md", limit=5)
    assert odd is not None and odd.body == "éé\ufffd"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("My Note.md", "my_note.md"), ("MY NOTE.md", "my-note.md"), ("caf\u00e9.md", "cafe\u0301.md"),
        ("straße.md", "STRASSE.md"), ("ﬁx.md", "fix.md"),
    ],
)  # fmt: skip
def test_names_that_somebody_takes_for_one_file_are_one(one: str, other: str) -> None:
    assert store.fold(one) == store.fold(other)
    free = store.free_file(other[:-3], [one])
    assert free == f"{other[:-3]}-2.md"
    assert store.free_file(other[:-3], [one, free]) == f"{other[:-3]}-3.md"


@pytest.mark.parametrize("name", ["MEMORY", "memory", "Memory"])
def test_a_new_memory_never_takes_the_indexs_name(name: str) -> None:
    assert store.free_file(name, []) == f"{name}-2.md"


@given(st.lists(st.text("abAB_- é", min_size=1, max_size=3), max_size=8))
def test_free_names_never_meet(names: list[str]) -> None:
    taken: list[str] = []
    for name in names:
        taken.append(store.free_file(name, taken))
    assert len({unicodedata.normalize("NFC", file).casefold() for file in taken}) == len(names)


def test_a_new_memory_has_the_clients_own_form() -> None:
    text = store.text_of(
        "use-tabs", "user", "use tabs", "\n\nUse tabs.\n\n", {"noted": "2026-01-02"}, applies=["tabs", "indent"]
    )
    assert text == (
        '---\nname: "use-tabs"\ndescription: "use tabs"\nmetadata:\n  type: "user"\n  noted: "2026-01-02"\n'
        'applies: ["tabs", "indent"]\n---\n\nUse tabs.\n'
    )


@pytest.mark.parametrize("kind", ["", "rule", "User"])
def test_a_type_that_is_none_is_refused(kind: str) -> None:
    with pytest.raises(ValueError, match="must be one of user, feedback, project, reference"):
        store.text_of("a", kind, "b", "c", {})


def test_a_rewrite_keeps_every_other_key() -> None:
    old = (
        "---\nname: a\ndescription: old\nnode: {x: [1, {y: z}]}\n"
        "metadata:\n  type: user\n  originSessionId: s1\n  when: 2026-01-02\n---\nold body\n"
    )
    new = store.rewritten(old, description="new: fact", body="new body", metadata={"said_by": "user"})
    assert frontmatter.parse(new).fields == {
        "name": "a", "description": "new: fact", "node": {"x": ["1", {"y": "z"}]},
        "metadata": {"type": "user", "originSessionId": "s1", "when": "2026-01-02", "said_by": "user"},
    }  # fmt: skip
    assert new.endswith("---\n\nnew body\n")


def test_a_rewrite_keeps_the_files_line_ends() -> None:
    new = store.rewritten("---\r\nname: a\r\n---\r\nold\r\n", description="d", body="one\ntwo\r\n", metadata={})
    assert new == '---\r\nname: "a"\r\ndescription: "d"\r\nmetadata: {}\r\n---\r\n\r\none\r\ntwo\r\n'


@given(st.binary(max_size=300))
def test_any_bytes_make_a_memory(raw: bytes) -> None:
    memory = store.Memory("a.md", raw.decode("utf-8-sig", "replace"), 0.0)
    assert memory.name and memory.statement
    assert memory.type in ("", *store.TYPES)
