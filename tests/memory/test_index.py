"""MEMORY.md is mended from what is there: every file once, dead lines gone, everything else as it stood."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lib.memory import files, index, store
from lib.memory.store import Memory

TEXT = "---\nname: {0}\ndescription: fact {0}\nmetadata:\n  type: user\n---\n\nbody\n"


def put(directory: Path, *names: str) -> None:
    directory.mkdir(exist_ok=True)
    for number, name in enumerate(names):
        (directory / name).write_text(TEXT.format(name[:-3]))
        os.utime(directory / name, (1_000 + number, 1_000 + number))


@pytest.mark.parametrize(
    ("line", "file"),
    [
        ("- [Alpha](a.md) — one", "a.md"),
        ("* [Alpha](a.md)", "a.md"),
        ("+ [Alpha](./a.md): one", "a.md"),
        ("- [Alpha](a.md) - see [Ref](ref.md)", "a.md"),
        ("- [a \\[b\\] c](a.md) — one", "a.md"),
        ("- [CI [nightly] job](a.md) — one", "a.md"),
        ("- [x\\](http://evil)\\[y](a.md) — one", "a.md"),
        ("- [A](<a (1).md>) — one", "a (1).md"),
        ("- [A](<a:b.md>) — one", "a:b.md"),
        ("- [A](größe.md) — one\r", "größe.md"),
        ("- [A](MEMORY.md)", "MEMORY.md"),
        ("see [Ref](ref.md)", ""),
        ("- see [Ref](ref.md)", ""),
        ("- [draft] see [Ref](ref.md)", ""),
        ("- [x] done, [Ref](ref.md)", ""),
        ("- [Ref](old)", ""),
        ("- [Site](https://example.org/a.md)", ""),
        ("- [Mail](mailto:a.md)", ""),
        ("- [Sub](team/a.md)", ""),
        ("- [Up](../a.md)", ""),
        ("- [Drive](C:\\a.md)", ""),
        ("# Index", ""),
        ("", ""),
        ("- [" + "x" * 5_000 + "](a.md", ""),
        ("- " + "[" * 5_000, ""),
        ("- [" + "[]" * 5_000 + "](a.md)", ""),
        ("- [" + "\\" * 5_000, ""),
    ],
)
def test_a_line_stands_for_the_file_its_first_link_names(line: str, file: str) -> None:
    assert index.target(line) == file


def test_hooks_are_what_the_index_says_of_each_file() -> None:
    text = "# Index\n- [Alpha](a.md) — one\n- [Again](a.md) — two\n- [Bare](b.md)\ntext\n- [C](c.md): three\r\n"
    assert index.hooks(text) == {"a.md": "Alpha one", "b.md": "Bare", "c.md": "C three"}


def test_a_line_has_a_title_a_link_and_the_statement() -> None:
    assert (
        index.line_for(Memory("use-tabs.md", TEXT.format("use-tabs"), 0.0))
        == "- [Use tabs](use-tabs.md) — fact use-tabs"
    )
    assert index.line_for(Memory("a (1).md", TEXT.format("x"), 0.0)) == "- [X](<a (1).md>) — fact x"
    assert index.line_for(Memory("a.md", "", 0.0)) == "- [A](a.md) — a"


NAMES = (
    st.text(st.sampled_from("abAB19-_. ()'&é日[]{}$#!,;=+@~`^"), min_size=1, max_size=40)
    | st.sampled_from(["x" * 125, "é" * 62, "a:b", "a\\b", " a", "a%20b", "-", "](e)[y", "[", "[[", "]]", "(" * 60])
).map(lambda stem: stem + ".md")  # fmt: skip
WORDS = st.text(st.characters(codec="utf-8"), max_size=60) | st.sampled_from(
    [
        "x](http://evil)[y",
        "a\nb",
        "](a.md) — ",
        "\\" * 60,
        "[" * 60,
        "]" * 60,
        "word " * 60,
        "\u202e\u200b",
        "a\u2028- [B](b.md)",
    ]
)


@given(NAMES, WORDS, WORDS)
@example("x" * 125 + ".md", "[" * 60, "word " * 60)
def test_a_line_is_short_one_line_and_finds_its_file_again(file: str, name: str, description: str) -> None:
    text = store.text_of(name, "user", description, "body", {})
    line = index.line_for(Memory(file, text, 0.0))
    assert index.target(line) == file
    assert len(line) < index.LINE_LIMIT
    assert line.isprintable() and line.startswith("- [")
    assert index.reconcile(line + "\n", [file], {file: line}) == line + "\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "# Memory Index\n\n- [C](c.md) — c\n- [A](a.md) — a\n"),
        ("\n \n", "# Memory Index\n\n- [C](c.md) — c\n- [A](a.md) — a\n"),
        ("- [Mine](a.md) — my own words\n", "- [C](c.md) — c\n- [Mine](a.md) — my own words\n"),
        ("- [Mine](a.md) — my own words", "- [C](c.md) — c\n- [Mine](a.md) — my own words"),
        (
            "# T\n\ntext\n- [Dead](dead.md) — x\n- [Mine](a.md)\n\n## Rest\n",
            "# T\n\ntext\n- [C](c.md) — c\n- [Mine](a.md)\n\n## Rest\n",
        ),
        ("- [A](a.md)\n- [A again](a.md)\n- [C](c.md)\n", "- [A](a.md)\n- [C](c.md)\n"),
        ("- [Alpha](a.md) - see [Ref](c.md)\n", "- [C](c.md) — c\n- [Alpha](a.md) - see [Ref](c.md)\n"),
        ("# T\n\nonly text\n\n\n", "# T\n\nonly text\n\n- [C](c.md) — c\n- [A](a.md) — a\n"),
        ("# T\r\n- [A](a.md)\r\n", "# T\r\n- [C](c.md) — c\r\n- [A](a.md)\r\n"),
        ("# T\r\ntext", "# T\r\ntext\r\n\r\n- [C](c.md) — c\r\n- [A](a.md) — a\r\n"),
        ("- [Dead](dead.md)\r\n", "# Memory Index\n\n- [C](c.md) — c\n- [A](a.md) — a\n"),
    ],
)
def test_order_and_wording_stay_and_the_new_comes_on_top(before: str, after: str) -> None:
    lines = {"c.md": "- [C](c.md) — c", "a.md": "- [A](a.md) — a"}
    found = index.reconcile(before, ["a.md", "c.md"], lines)
    assert found.replace("\r\n", "\n") == after.replace("\r\n", "\n")
    assert ("\r\n" in found) is ("\r\n" in before) and found.count("\n") == found.count("\r\n") or "\r" not in found


STEMS = ["a.md", "b.md", "c (1).md", "d-e.md", "é.md"]
ROW = st.one_of(
    st.sampled_from(STEMS + ["dead.md", "gone (2).md"]).map(lambda file: f"- [T](<{file}>) — words"),
    st.sampled_from(["a.md", "b.md", "dead.md"]).map(lambda file: f"* [T [x]]({file})"),
    st.sampled_from(
        ["# Heading", "", "  ", "text", "- a point", "- [Site](http://x/a.md)", "see [A](a.md)", "> quote", "\ufffd"]
    ),
)


@given(st.lists(ROW, max_size=10), st.sets(st.sampled_from(STEMS)), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_every_present_file_once_dead_ones_gone_other_lines_in_their_order(
    rows: list[str], present: set[str], newline: str, ended: bool
) -> None:
    text = newline.join(rows) + (newline if ended and rows else "")
    lines = {file: index.line_for(Memory(file, TEXT.format(file[:-3]), 0.0)) for file in sorted(present)}
    after = index.reconcile(text, present, lines)
    targets = [file for line in after.split("\n") if (file := index.target(line))]
    assert sorted(targets) == sorted(present)
    assert index.reconcile(after, present, lines) == after
    foreign = [row for row in rows if not index.target(row) and row.strip()]
    kept = [line.rstrip("\r") for line in after.split("\n") if not index.target(line) and line.strip()]
    assert kept == foreign or kept == ["# Memory Index"]
    own = [row for row in rows if index.target(row) in present]
    first = {index.target(row): row for row in reversed(own)}
    assert [line.rstrip("\r") for line in after.split("\n") if line.rstrip("\r") in own] == [
        r for r in dict.fromkeys(own) if first[index.target(r)] == r
    ]


def test_an_index_is_made_mended_and_then_left_alone(tmp_path: Path) -> None:
    put(tmp_path, "a.md", "b.md")
    assert index.mend(str(tmp_path)) is True
    assert (tmp_path / "MEMORY.md").read_text() == "# Memory Index\n\n- [B](b.md) — fact b\n- [A](a.md) — fact a\n"
    before = os.stat(tmp_path / "MEMORY.md").st_mtime_ns
    assert index.mend(str(tmp_path)) is False
    assert os.stat(tmp_path / "MEMORY.md").st_mtime_ns == before
    (tmp_path / "b.md").unlink()
    assert index.mend(str(tmp_path)) is True
    assert (tmp_path / "MEMORY.md").read_text() == "# Memory Index\n\n- [A](a.md) — fact a\n"


ODD = [
    "a:b.md",
    "a\\b.md",
    " a.md",
    "a (1).md",
    "a(b.md",
    "[x].md",
    "x](y.md",
    "./a.md"[2:],
    "%.md",
    "a%20b.md",
    "x" * 240 + ".md",
]


def test_a_file_with_an_odd_name_is_listed_once_however_often_the_index_is_mended(tmp_path: Path) -> None:
    put(tmp_path, *ODD)
    index.mend(str(tmp_path))
    assert index.mend(str(tmp_path)) is False
    listed = [index.target(line) for line in (tmp_path / "MEMORY.md").read_text().split("\n") if index.target(line)]
    assert sorted(listed) == sorted(ODD)


@pytest.mark.parametrize("name", ["a\nb.md", "a<b.md", "a>b.md", "a\u202eb.md", "a\x1b[2Jb.md", "a\u2028b.md"])
def test_a_file_whose_name_cannot_be_a_link_is_not_listed_over_and_over(tmp_path: Path, name: str) -> None:
    put(tmp_path, name, "good.md")
    index.mend(str(tmp_path))
    assert (tmp_path / "MEMORY.md").read_text() == "# Memory Index\n\n- [Good](good.md) — fact good\n"
    assert index.mend(str(tmp_path)) is False


def test_bytes_that_are_no_text_stay_as_they_are(tmp_path: Path) -> None:
    put(tmp_path, "a.md")
    (tmp_path / "MEMORY.md").write_bytes(b"# caf\xe9\xff\n- [Dead](dead.md)\n")
    index.mend(str(tmp_path))
    assert (tmp_path / "MEMORY.md").read_bytes() == "# caf\udce9\udcff\n\n- [A](a.md) — fact a\n".encode(
        "utf-8", "surrogateescape"
    )


def test_an_index_that_is_too_large_to_read_whole_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "a.md")
    (tmp_path / "MEMORY.md").write_text("# text\n" * 50)
    monkeypatch.setattr(index, "READ_LIMIT", 100)
    assert index.mend(str(tmp_path)) is False
    assert (tmp_path / "MEMORY.md").read_text() == "# text\n" * 50


def test_a_link_in_the_indexs_place_is_not_written_through(tmp_path: Path) -> None:
    put(tmp_path / "m", "a.md")
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "m" / "MEMORY.md").symlink_to(tmp_path / "mine")
    with pytest.raises(OSError):
        index.mend(str(tmp_path / "m"))
    assert (tmp_path / "mine").read_text() == "mine"


def test_a_directory_that_cannot_be_listed_does_not_empty_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "a.md")
    index.mend(str(tmp_path))
    before = (tmp_path / "MEMORY.md").read_bytes()

    def fail(*_: object) -> list[str]:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", fail)
        patch.setattr(os, "listdir", fail)
        with pytest.raises(OSError):
            index.mend(str(tmp_path))
    assert (tmp_path / "MEMORY.md").read_bytes() == before


def test_our_own_line_follows_a_changed_memory_and_a_persons_line_stays() -> None:
    text = "# T\r\n- [A](a.md) — old\r\n- [Mine](b.md) — old\r\n"
    lines = {
        file: (f"- [{file[0].upper()}]({file}) — old", f"- [{file[0].upper()}]({file}) — new")
        for file in ("a.md", "b.md")
    }
    assert index.renewed(text, lines) == "# T\r\n- [A](a.md) — new\r\n- [Mine](b.md) — old\r\n"
    assert index.renewed(text, {"a.md": ("", "")}) == text


def test_within_both_limits_an_index_is_loaded_whole() -> None:
    for text in ("", "# T\n\n- [A](a.md)\n\n\n", "x\n" * 200, "é" * 12_500, "é" * 12_500 + "\n"):
        assert index.within_limits(text) == text.rstrip("\n")


@pytest.mark.parametrize(
    ("text", "kept", "first"),
    [
        ("".join(f"- [M{n}](m{n}.md)\n" for n in range(1, 202)), 200, "line 201: '- [M201](m201.md)'"),
        ("".join(f"- [M{n}](m{n}.md) — {'x' * 640}\n" for n in range(1, 42)), 37, "line 38: '- [M38](m38.md) — xxx"),
        ("".join(f"{n:02} {'é' * 599}\n" for n in range(1, 42)), 20, "line 21: '21 é"),
        ("x" * 25_001 + "\nshort\n", 0, "line 1: 'xxx"),
        ("short\n" + "日" * 8_400 + "\nshort\n", 1, "line 2: '日"),
    ],
)
def test_over_a_limit_it_is_cut_at_a_line_end_and_says_what_is_missing(text: str, kept: int, first: str) -> None:
    rows = text.split("\n")[:-1]
    loaded = index.within_limits(text).split("\n")
    assert loaded[:-2] == rows[:kept]
    assert loaded[-2] == "" and loaded[-1].startswith("WARNING: MEMORY.md has ")
    assert f" {len(rows) - kept} lines were left out, the first one is {first}" in loaded[-1]
    assert "move detail into the topic files" in loaded[-1]
    assert len("\n".join(loaded[:-2]).encode()) <= index.LOAD_BYTES


def test_the_newest_of_too_many_memories_is_the_one_that_is_loaded(tmp_path: Path) -> None:
    put(tmp_path, *(f"m{number}.md" for number in range(230)))
    index.mend(str(tmp_path))
    (tmp_path / "correction.md").write_text(TEXT.format("correction"))
    index.mend(str(tmp_path))
    loaded = index.within_limits(files.read(str(tmp_path), "MEMORY.md").decode())
    assert loaded.split("\n")[2] == "- [Correction](correction.md) — fact correction"
    assert "\n- [M0](m0.md)" not in loaded and "WARNING" in loaded


@given(
    st.text(st.characters(codec="utf-8") | st.sampled_from("\n\r"), max_size=80), st.integers(1, 40), st.integers(1, 4)
)
def test_what_is_loaded_is_the_beginning_within_both_limits(text: str, size: int, count: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index, "LOAD_BYTES", size)
        patch.setattr(index, "LOAD_LINES", count)
        loaded, cut, _ = index.within_limits(text).partition("\n\nWARNING: ")
    if not cut and not loaded.startswith("\nWARNING: "):
        assert text.startswith(loaded) and not text[len(loaded) :].strip()
        assert len(loaded.encode()) <= size and loaded.count("\n") < count
    elif cut:
        assert text.startswith(loaded + "\n") and len(loaded.encode()) <= size
